import { type SQL, sql } from "drizzle-orm";
import type { SORTS } from "./schema";

export type Sort = (typeof SORTS)[number];
/** The public sort orders, and the ones that only the leaderboard page offers. */
export type Order = Sort | "activity";

/** Sort key for names, as the index defines it. */
export const FOLDED_NAME = sql`lower(name collate "pg_c_utf8") as folded_name`;

/**
 * The ORDER BY of each sort, matching its index. Names are compared case-insensitively if they are
 * the sort key, and by code point if they only break ties.
 */
export const ORDER_BY: Record<Order, SQL> = {
  score: sql`score_e_2 desc, total_outcomes desc, name, agent_id`,
  outcomes: sql`total_outcomes desc, score_e_2 desc, name, agent_id`,
  name: sql`folded_name, name, agent_id`,
  newest: sql`created_at desc, agent_id desc`,
  activity: sql`last_active desc nulls last, agent_id`,
};
