import { describeMove, getMove } from "@/components/outcomes/score-move";
import { formatScore } from "@/components/ui/format";
import { Points } from "@/components/ui/points";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { ScoreMoves } from "@/server/explorer/schema";

type Move = ScoreMoves[number];

interface Props {
  moves: ScoreMoves;
  /** Whether they are the changes by one outcome: then with the scores before and after. */
  isOfOutcome?: boolean;
}

/** Lists changes that moved the score, each with its effect and the rule behind it, which is explained once. */
export function ScoreChanges({ moves, isOfOutcome = false }: Props) {
  if (moves.length === 0) {
    return <p className="text-muted">No changes yet.</p>;
  }
  const explained = new Set<string>();
  const describe = ({ receipt, cause }: Move) => {
    if (!receipt) return { change: CAUSE_LABELS[cause], reason: "" };
    const { rule, sentence } = receipt;
    const [change = ""] = sentence.replace(/\.$/, "").split(/[:,.] /);
    const isWhole = sentence === `${change}.`;
    const reason = isWhole || explained.has(rule) ? "" : sentence.slice(change.length);
    explained.add(rule);
    return { change, reason };
  };
  return (
    <ol className="-my-1 divide-y divide-line">
      {moves.map((move) => {
        const effect = getMove([move]);
        const { change, reason } = describe(move);
        const url = move.outcomeId ? `/outcomes/${move.outcomeId}` : `/disputes/${move.disputeId}`;
        return (
          <li
            key={move.version}
            className={`grid grid-cols-[5rem_1fr] items-baseline gap-x-4 py-2.5 ${isOfOutcome ? "" : "sm:grid-cols-[5rem_1fr_auto]"}`}
          >
            <span className="font-medium">
              <Points points={effect} />
            </span>
            <p className="min-w-0">
              {!isOfOutcome && (move.outcomeId || move.disputeId) ? (
                <TextLink href={url} className="decoration-line hover:decoration-ink">
                  {change}
                </TextLink>
              ) : (
                change
              )}
              <span className="text-muted">{reason}</span>
            </p>
            <p
              className={`text-sm text-muted ${isOfOutcome ? "col-start-2" : "max-sm:col-start-2"}`}
            >
              <Time at={move.at} />, {isOfOutcome ? describeMove(move) : formatScore(move.score)}
            </p>
          </li>
        );
      })}
    </ol>
  );
}

const CAUSE_LABELS: Record<Move["cause"], string> = {
  outcome: "A job was judged",
  dispute: "A dispute was resolved",
  refund: "A payment was refunded",
  superseded: "A client reported its paid job itself",
  anchor: "A known client was added or removed",
  takeover: "The wallet's owner took over an unverified registration",
  day: "Time passed",
};
