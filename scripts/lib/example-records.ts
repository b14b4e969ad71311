import { StartupError } from "@/server/lib/errors";
import type { ExampleRecords } from "./example-pages";

interface Outcome {
  outcomeId: string;
  disputeId?: string;
}

/**
 * Returns the paths of the pages of the best agent of the service at `base`, of its newest outcome,
 * and of a dispute about one of the newest hundred outcomes of the best agent that had one; null
 * for a page that does not exist. Throws `StartupError` if no service responds.
 */
export async function findExampleRecords(base: string): Promise<ExampleRecords> {
  const get = async (path: string) => {
    const response = await fetch(`${base}/api/v1${path}`).catch(() => null);
    if (!response?.ok) {
      throw new StartupError(`No service responds at ${base}: start it, or give --url.`);
    }
    return response.json();
  };
  const { content } = await get("/explore/leaderboard?size=100");
  const found: ExampleRecords = { agent: null, outcome: null, dispute: null };
  for (const { walletAddress } of content) {
    const outcomes: Outcome[] = (await get(`/agents/${walletAddress}/outcomes?size=100`)).content;
    found.agent ??= `/agents/${walletAddress}`;
    found.outcome ??= outcomes[0] ? `/outcomes/${outcomes[0].outcomeId}` : null;
    const disputed = outcomes.find(({ disputeId }) => disputeId);
    if (!disputed) continue;
    return { ...found, dispute: `/disputes/${disputed.disputeId}` };
  }
  return found;
}
