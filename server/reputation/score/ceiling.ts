import { CEILINGS } from "@/server/reputation/policy";
import type { ScoreBreakdown, ScoreCeiling } from "@/server/reputation/schema";

/**
 * Returns the highest score that more evidence of the kinds an agent has could reach, and what lifts
 * that limit; null once there is anchored evidence, which has no limit of its own.
 */
export function findCeiling({
  paid: [goodPaid],
  anchored: [goodAnchored],
}: Pick<ScoreBreakdown, "paid" | "anchored">): ScoreCeiling | null {
  if (goodAnchored > 0) return null;
  return goodPaid > 0
    ? { score: CEILINGS.withoutAnchor, liftedBy: "anchor" }
    : { score: CEILINGS.claimedOnly, liftedBy: "payment" };
}
