import { CannotStart } from "@/server/lib/cannot-start";

interface Pages {
  agent: string | null;
  outcome: string | null;
  dispute: string | null;
}

/**
 * Paths of the pages of the best agent of the service at `base`, of its newest outcome, and of a
 * dispute about one of its newest hundred; null where there is none. Throws `CannotStart` where no
 * service answers.
 */
export async function pagesToShow(base: string): Promise<Pages> {
  const ask = async (path: string) => {
    const answer = await fetch(`${base}/api/v1${path}`).catch(() => null);
    if (!answer?.ok)
      throw new CannotStart(`No service answers at ${base}: start it, or give --url.`);
    return answer.json();
  };
  const { content } = await ask("/explore/leaderboard?size=1");
  const wallet: string | undefined = content[0]?.walletAddress;
  if (!wallet) return { agent: null, outcome: null, dispute: null };
  const outcomes: { outcomeId: string; disputeId?: string }[] = (
    await ask(`/agents/${wallet}/outcomes?size=100`)
  ).content;
  const disputed = outcomes.find(({ disputeId }) => disputeId);
  return {
    agent: `/agents/${wallet}`,
    outcome: outcomes[0] ? `/outcomes/${outcomes[0].outcomeId}` : null,
    dispute: disputed ? `/disputes/${disputed.disputeId}` : null,
  };
}
