import { formatDateTime } from "@/components/ui/format";
import { formatPoints, hasPoints, Points } from "@/components/ui/points";
import type { OutcomeEffects } from "@/server/explorer/schema";
import { POLICY } from "@/server/reputation/policy";

type Change = OutcomeEffects["changes"][number];

/** Shows how the records of an outcome moved the contractor's score, each on the scale to 100. */
export function ScoreEffect({ changes }: { changes: OutcomeEffects["changes"] }) {
  return (
    <div>
      <ol className="grid gap-6">
        {changes.map((change) => (
          <li key={change.version}>
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="font-medium">{CAUSES[change.cause]}</span>
              <time dateTime={change.at} className="text-sm text-muted">
                {formatDateTime(change.at)}
              </time>
            </p>
            <ScoreMove change={change} />
            <p className="mt-2 text-sm text-muted">
              {change.receipt?.sentence}
              {hasPoints(getElapsed(change)) && (
                <> Elapsed time: {formatPoints(getElapsed(change))}.</>
              )}
            </p>
          </li>
        ))}
      </ol>
      <p className="mt-4 border-t border-line pt-3 text-xs text-muted">
        Ticks: Trusted from {POLICY.trustedFrom}, Verified from {POLICY.verifiedFrom}, Elite from{" "}
        {POLICY.eliteFrom}
      </p>
    </div>
  );
}

const CAUSES: Record<Change["cause"], string> = {
  outcome: "Verdict",
  dispute: "Dispute",
  refund: "Refund",
  superseded: "Superseded",
  anchor: "Anchor",
  takeover: "Takeover",
  day: "Elapsed time",
};

const TICKS = [POLICY.trustedFrom, POLICY.verifiedFrom, POLICY.eliteFrom];
/** So that a small move is visible. */
const MIN_WIDTH = 0.8;

function ScoreMove({ change }: { change: Change }) {
  const { previousScore, score } = change;
  const effect = getEffect(change);
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
          <Points points={effect} />
        </span>
      </p>
      <div className="relative mt-1.5 h-2 rounded-full bg-sunken" aria-hidden="true">
        {TICKS.map((tick) => (
          <span
            key={tick}
            className="absolute -top-0.5 h-3 w-px bg-muted/60"
            style={{ left: `${tick}%` }}
          />
        ))}
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

/** Returns the points of a change without those of elapsed time, rounded as shown. */
export const getEffect = ({ receipt, score, previousScore }: Change): number =>
  roundAsShown(receipt?.effect ?? score - previousScore);

/**
 * Returns the points of elapsed time. They are the remainder of the rounded numbers, so that both
 * scores, the effect and the elapsed time add up as shown.
 */
export function getElapsed(change: Change): number {
  const moved = roundAsShown(change.score) - roundAsShown(change.previousScore);
  return roundAsShown(moved - getEffect(change));
}

/** Describes a change by its scores: "78.21 → 76.61, elapsed +0.14", or "at 95.99". */
export function describeMove(change: Change): string {
  const [before, after] = [change.previousScore.toFixed(2), change.score.toFixed(2)];
  const elapsed = getElapsed(change);
  const note = hasPoints(elapsed) ? `, elapsed ${formatPoints(elapsed)}` : "";
  return before === after && !note ? `at ${after}` : `${before} → ${after}${note}`;
}

const roundAsShown = (points: number) => Math.round(points * 100) / 100;
