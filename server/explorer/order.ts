import { type SQL, sql } from "drizzle-orm";
import type { SORTS } from "./schema";

export type Sort = (typeof SORTS)[number];
/** Beside what everybody can sort by, what the leaderboard's page can. */
export type Order = Sort | "activity";

/** What names are sorted by, as `folded_name`; as the index has it. */
export const FOLDED_NAME = sql`lower(name collate "pg_c_utf8") as folded_name`;

/**
 * The ORDER BY of each sort, as its index has it. Names compare without regard to letter case
 * where they are what one sorts by, and by code point where they break a tie.
 */
export const ORDER_BY: Record<Order, SQL> = {
  score: sql`score_e_2 desc, total_outcomes desc, name, agent_id`,
  outcomes: sql`total_outcomes desc, score_e_2 desc, name, agent_id`,
  name: sql`folded_name, name, agent_id`,
  newest: sql`created_at desc, agent_id desc`,
  activity: sql`last_active desc nulls last, agent_id`,
};
