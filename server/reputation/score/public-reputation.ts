import { CEILINGS } from "@/server/reputation/policy";
import type { Reputation, ScoreBreakdown, ScoreCeiling } from "@/server/reputation/schema";
import type { Score } from "./score";

/** Returns the full public record of a computed score, which `npm run score` prints. */
export function toScoreRecord(score: Score) {
  return { ...toPublicNumbers(score), scoreE4: score.scoreE4, breakdown: score.breakdown };
}

/** The parts of a score that the public record needs. */
interface PublicScore extends Omit<Score, "breakdown"> {
  breakdown: Pick<ScoreBreakdown, "paid" | "anchored">;
}

/** The columns of `reputations` that the public record needs. */
export interface PublicColumns extends PublicScore {
  /** `YYYY-MM-DD`. */
  scoreDay: string;
  /** A string if drizzle shares the pool: it configures postgres.js to leave times unparsed. */
  lastUpdated: Date | string;
  simulated?: boolean;
}

/** The same columns with the whole breakdown. */
export interface StoredReputation extends PublicColumns {
  breakdown: ScoreBreakdown;
}

/** Returns the public reputation of a wallet with at least one outcome. */
export function toPublicReputation(stored: PublicColumns): Reputation {
  // Added one by one: copying the numbers into another object takes four times as long, which bulk
  // reads notice.
  const reputation = toPublicNumbers(stored) as Reputation;
  reputation.assessedSuccessRate = toRate(stored.assessedSuccessRateE4);
  reputation.lastUpdated = new Date(stored.lastUpdated).toISOString();
  reputation.scoreDay = stored.scoreDay;
  if (stored.simulated) reputation.simulated = true;
  return reputation;
}

function toPublicNumbers(
  score: PublicScore,
): Omit<Reputation, "assessedSuccessRate" | "lastUpdated" | "scoreDay" | "simulated"> {
  const categoryScores: Record<string, number> = {};
  for (const [category, scoreE4] of Object.entries(score.categoryScoresE4)) {
    categoryScores[category] = toPublishedScore(scoreE4);
  }
  return {
    walletAddress: score.wallet,
    score: toPublishedScore(score.scoreE4),
    tier: score.tier,
    ceiling: findCeiling(score.breakdown),
    totalOutcomes: score.totalOutcomes,
    confirmedOutcomes: score.confirmedOutcomes,
    assessedOutcomes: score.assessedOutcomes,
    successRate: score.successRateE4 / 10_000,
    disputeRate: score.disputeRateE4 / 10_000,
    categoryScores,
  };
}

/** Returns the public reputation of a wallet without outcomes. */
export function createUnranked(wallet: string, now: Date): Reputation {
  return {
    walletAddress: wallet,
    score: 0,
    tier: "UNRANKED",
    ceiling: findCeiling({ paid: [0, 0], anchored: [0, 0] }),
    totalOutcomes: 0,
    confirmedOutcomes: 0,
    assessedOutcomes: 0,
    successRate: 0,
    assessedSuccessRate: null,
    disputeRate: 0,
    categoryScores: {},
    lastUpdated: null,
    scoreDay: formatUtcDay(now),
  };
}

/** Converts a rate in 1/10,000 to a fraction; null stays null. */
export const toRate = (rateE4: number | null) => (rateE4 === null ? null : rateE4 / 10_000);

/** Converts 1/10,000 points to points with two decimals, rounded down. */
export function toPublishedScore(scoreE4: number): number {
  return Math.floor(scoreE4 / 100) / 100;
}

/** Returns the UTC day of a time, `YYYY-MM-DD`. */
export function formatUtcDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}

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
