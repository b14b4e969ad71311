import { formatScore, subtractAsShown } from "@/components/ui/format";
import { formatPoints } from "@/components/ui/points";
import type { OutcomeEffects } from "@/server/explorer/schema";

type Change = OutcomeEffects["changes"][number];

/** Returns the points that the events themselves added, without the days before them, as shown. */
export const getMove = (changes: readonly Change[]): number =>
  changes.reduce((sum, change) => subtractAsShown(sum, -splitChange(change).own), 0);

/** Describes a change by its scores and by what age took: "78.21 → 76.61, of it −0.13 from age". */
export function describeMove(change: Change): string {
  const [before, after] = [formatScore(change.previousScore), formatScore(change.score)];
  const { days } = splitChange(change);
  const isMoved = before !== after;
  const age = days === 0 ? "" : `${formatPoints(days)} from age`;
  return `${isMoved ? `${before} → ${after}` : `at ${after}`}${age && `, ${isMoved ? "of it " : ""}${age}`}`;
}

/** Splits the difference of the shown scores into that of the event itself and that of the days. */
function splitChange({ cause, receipt, score, previousScore }: Change) {
  const all = subtractAsShown(score, previousScore);
  if (!receipt) return { own: all, days: 0 };
  const own = subtractAsShown(cause === "day" ? receipt.days : receipt.effect, 0);
  const days = subtractAsShown(all, own);
  return own !== 0 && Math.abs(days) < MIN_DAYS_POINTS ? { own: all, days: 0 } : { own, days };
}

/** A hundredth can come from rounding alone: it belongs to the event. */
const MIN_DAYS_POINTS = 0.015;
