import { formatPoints, hasPoints } from "@/components/ui/points";
import type { OutcomeEffects } from "@/server/explorer/schema";

type Change = OutcomeEffects["changes"][number];

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
