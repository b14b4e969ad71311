import { formatPoints } from "@/components/ui/points";
import type { OutcomeEffects } from "@/server/explorer/schema";

type Change = OutcomeEffects["changes"][number];
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
