import { formatScore } from "@/components/ui/format";
import { formatPoints } from "@/components/ui/points";
import type { OutcomeEffects } from "@/server/explorer/schema";

type Change = OutcomeEffects["changes"][number];

/** Returns the points that the events themselves added, without the days before them, as shown. */
export const getMove = (changes: readonly Change[]): number =>
  changes.reduce((sum, change) => roundAsShown(sum + getPoints(change)), 0);

const getPoints = ({ cause, receipt, score, previousScore }: Change) =>
  receipt ? (cause === "day" ? receipt.days : receipt.effect) : score - previousScore;

/** Describes a change by its scores and by what age took: "78.21 → 76.61, of it −0.13 from age". */
export function describeMove(change: Change): string {
  const [before, after] = [formatScore(change.previousScore), formatScore(change.score)];
  // The remainder of the rounded numbers, so that all of them add up as shown.
  const days = roundAsShown(Number(after) - Number(before) - getMove([change]));
  const isMoved = before !== after;
  const age = Math.abs(days) < MIN_DAYS_POINTS ? "" : `${formatPoints(days)} from age`;
  return `${isMoved ? `${before} → ${after}` : `at ${after}`}${age && `, ${isMoved ? "of it " : ""}${age}`}`;
}

/** A hundredth can come from rounding alone. */
const MIN_DAYS_POINTS = 0.015;

const roundAsShown = (points: number) => Math.round(points * 100) / 100;
