import { formatPoints, hasPoints, Points } from "@/components/ui/points";
import { Time } from "@/components/ui/time";
import type { OutcomeEffects } from "@/server/explorer/schema";

type Change = OutcomeEffects["changes"][number];

/** Shows how the records of an outcome moved the contractor's score, each on the scale to 100. */
export function ScoreEffect({ changes }: { changes: OutcomeEffects["changes"] }) {
  return (
    <ol className="grid gap-6">
      {changes.map((change) => (
        <li key={change.version}>
          <p className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-medium">{CAUSES[change.cause]}</span>
            <Time at={change.at} className="text-sm text-muted" />
          </p>
          <ScoreMove change={change} />
          <p className="mt-2 text-sm text-muted">
            {change.receipt?.sentence} {describeParts(change)}
          </p>
        </li>
      ))}
    </ol>
  );
}

const CAUSES: Record<Change["cause"], string> = {
  outcome: "Verdict",
  dispute: "Dispute",
  refund: "Refund",
  superseded: "Superseded",
  anchor: "Anchor",
  takeover: "Takeover",
  day: "Days passed",
};

/** So that a small move is visible. */
const MIN_WIDTH = 0.8;

function ScoreMove({ change }: { change: Change }) {
  const { previousScore, score } = change;
  const width = Math.max(Math.abs(score - previousScore), MIN_WIDTH);
  const left = Math.min(previousScore, score, 100 - width);
  const isSame = !hasPoints(score - previousScore);
  return (
    <>
      <p className="mt-1 flex flex-wrap items-baseline justify-between gap-x-4">
        <span>
          <span className="sr-only">Score </span>
          {isSame ? (
            <span className="text-xl font-medium">{score.toFixed(2)}</span>
          ) : (
            <>
              <span className="text-muted">{previousScore.toFixed(2)}</span>
              <span aria-hidden="true" className="text-muted">
                {" → "}
              </span>
              <span className="sr-only"> before, </span>
              <span className="text-xl font-medium">{score.toFixed(2)}</span>
              <span className="sr-only"> after</span>
            </>
          )}
        </span>
        <span className="font-medium">
          <Points points={getMove([change])} />
        </span>
      </p>
      <div className="relative mt-1.5 h-2 rounded-full bg-sunken" aria-hidden="true">
        {!isSame && (
          <span
            className={`absolute h-full rounded-full ${score > previousScore ? "bg-good" : "bg-bad"}`}
            style={{ left: `${left}%`, width: `${width}%` }}
          />
        )}
        <span
          className="absolute -top-1 h-4 w-0.5 -translate-x-1/2 rounded-full bg-ink"
          style={{ left: `${score}%` }}
        />
      </div>
    </>
  );
}

type Scores = Pick<Change, "score" | "previousScore">;

/** Returns the points by which changes moved the score together, rounded as shown. */
export const getMove = (changes: Scores[]): number =>
  changes.reduce((sum, { score, previousScore }) => roundAsShown(sum + score - previousScore), 0);

/** Describes a change by its scores: "78.21 → 76.61", or "at 95.99". */
export function describeMove({ previousScore, score }: Scores): string {
  const [before, after] = [previousScore.toFixed(2), score.toFixed(2)];
  return before === after ? `at ${after}` : `${before} → ${after}`;
}

/** Says what part of a move came from the days before it; empty if none did. */
export function describeParts(change: Scores & Pick<Change, "receipt">): string {
  if (!change.receipt) return "";
  const effect = roundAsShown(change.receipt.effect);
  // The remainder of the rounded numbers, so that all of them add up as shown.
  const days = roundAsShown(getMove([change]) - effect);
  if (Math.abs(days) < MIN_DAYS_POINTS) return "";
  return `${formatPoints(effect)} came from this and ${formatPoints(days)} from the days before.`;
}

/** A hundredth can come from rounding alone. */
const MIN_DAYS_POINTS = 0.015;

const roundAsShown = (points: number) => Math.round(points * 100) / 100;
