import { Points } from "@/components/ui/points";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { ScoreMoves } from "@/server/explorer/schema";

type Move = ScoreMoves[number];

/**
 * Lists the latest changes that moved the score, each with its effect and the rule behind it, which is
 * explained once.
 */
export function ScoreChanges({ moves }: { moves: ScoreMoves }) {
  if (moves.length === 0) {
    return <p className="text-muted">No changes yet.</p>;
  }
  const explained = new Set<string>();
  const describe = ({ receipt, cause }: Move) => {
    if (!receipt) return CAUSE_LABELS[cause];
    const { rule, sentence } = receipt;
    if (!explained.has(rule)) {
      explained.add(rule);
      return sentence;
    }
    const [change = ""] = sentence.split(/[:,.] /);
    return change.endsWith(".") ? change : `${change}.`;
  };
  return (
    <ol className="-my-1 divide-y divide-line">
      {moves.map((move) => (
        <li key={move.version} className="grid grid-cols-[4.5rem_1fr] gap-x-3 py-2.5 first:pt-0">
          <span className="font-medium">
            <Points points={getEffect(move)} />
          </span>
          <div className="min-w-0">
            <p className="text-sm">{describe(move)}</p>
            <p className="mt-0.5 flex flex-wrap gap-x-3 text-sm text-muted">
              <Time at={move.at} />
              <span>now {move.score.toFixed(2)}</span>
              {move.outcomeId && (
                <TextLink
                  href={`/outcomes/${move.outcomeId}`}
                  prefetch={false}
                  className="hover:text-ink"
                >
                  Outcome
                </TextLink>
              )}
              {move.disputeId && (
                <TextLink
                  href={`/disputes/${move.disputeId}`}
                  prefetch={false}
                  className="hover:text-ink"
                >
                  Dispute
                </TextLink>
              )}
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}

const CAUSE_LABELS: Record<Move["cause"], string> = {
  outcome: "An outcome was recorded.",
  dispute: "A dispute was resolved.",
  refund: "A payment was refunded.",
  superseded: "A client submitted its own outcome for a payment.",
  anchor: "An anchor was recorded or revoked.",
  takeover: "The wallet's owner took over an unverified registration.",
  day: "Time passed.",
};

/** Returns the points from the event alone, without those from elapsed time. */
function getEffect({ cause, receipt, score, previousScore }: Move): number {
  if (!receipt) return score - previousScore;
  return cause === "day" ? receipt.days : receipt.effect;
}
