import { type SQL, sql } from "drizzle-orm";
import type { Category, Tier } from "@/server/lib/schema";

/** Selects the agents of a list. */
export interface Filter {
  category?: Category | undefined;
  tier?: Tier | undefined;
  /** Minimum published score, in the category if there is one, in 1/100 points; 0 includes every agent. */
  minScoreE2?: number | undefined;
  /** Only agents with at least one outcome, in the category if there is one. */
  onlyRanked?: boolean | undefined;
  /** Outcomes and activity are those of all categories. */
  minOutcomes?: number | undefined;
  /** ISO 8601. */
  activeSince?: string | undefined;
  walletVerified?: boolean | undefined;
}

/** Returns the lowest published score in 1/100 points that is at least `minScore`. */
export function toScoreE2(minScore: number): number {
  const nearest = Math.round(minScore * 100);
  return nearest / 100 >= minScore ? nearest : nearest + 1;
}

/** Returns the condition that a row of `explorer_ranks` is one of the list. */
export function whereListed(filter: Filter): SQL {
  const { category, tier, minScoreE2 = 0, onlyRanked, minOutcomes } = filter;
  const { activeSince, walletVerified } = filter;
  return sql.join([
    sql`category = ${category ?? "*"}`,
    tier ? sql` and tier = ${tier}` : sql``,
    minScoreE2 > 0 || onlyRanked ? sql` and score_e_2 >= ${minScoreE2}` : sql``,
    minOutcomes ? sql` and total_outcomes >= ${minOutcomes}` : sql``,
    activeSince ? sql` and last_active >= ${activeSince}` : sql``,
    walletVerified ? sql` and wallet_verified` : sql``,
  ]);
}
