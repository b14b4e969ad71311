import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { agents } from "@/server/agents/tables";
import { createdAt, moment, wallet } from "@/server/db/columns";
import type { Tier } from "@/server/lib/schema";

// All three tables are kept by database triggers (migration `explorer_triggers`), in the
// transaction of the change, whoever makes it. Nothing else writes them.

/**
 * What leaderboard and search show: one row an agent, from `agents` and `reputations`. No column
 * that a score moves is indexed here, so that a new score never touches the text index.
 */
export const explorerEntries = pgTable(
  "explorer_entries",
  {
    agentId: uuid()
      .primaryKey()
      .references(() => agents.id, { onDelete: "cascade" }),
    wallet: wallet().notNull().unique(),
    name: text().notNull(),
    /** Name and description, case folded, a unit separator (U+001F) between them. */
    searchText: text().notNull(),
    categories: text().array().notNull(),
    /** Published score in 1/100 points. */
    scoreE2: integer().notNull(),
    tier: text().$type<Tier>().notNull(),
    totalOutcomes: integer().notNull(),
    /** For how many different requesters its recorded outcomes were. */
    requesters: integer().notNull().default(0),
    /** When its newest recorded outcome was submitted. */
    lastActive: moment(),
    walletVerified: boolean().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index("explorer_text").using("gin", t.searchText.op("gin_trgm_ops")),
    index("explorer_wallet_prefix").on(sql`lower(wallet) text_pattern_ops`),
  ],
);

/**
 * The orders that lists are walked in: a row for each category of an agent and one for `*`, all
 * agents. Every sort of every category is then one stretch of one index, which also has what lists
 * are filtered by.
 */
export const explorerRanks = pgTable(
  "explorer_ranks",
  {
    agentId: uuid().notNull(),
    category: text().notNull(),
    scoreE2: integer().notNull(),
    totalOutcomes: integer().notNull(),
    name: text().notNull(),
    tier: text().$type<Tier>().notNull(),
    lastActive: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.agentId, t.category] }),
    index("explorer_by_score").on(
      t.category,
      t.scoreE2.desc().nullsFirst(),
      t.totalOutcomes.desc().nullsFirst(),
      t.name,
      t.agentId,
      t.tier,
    ),
    index("explorer_by_outcomes").on(
      t.category,
      t.totalOutcomes.desc().nullsFirst(),
      t.scoreE2.desc().nullsFirst(),
      t.name,
      t.agentId,
      t.tier,
    ),
    index("explorer_by_activity").on(
      t.category,
      t.lastActive.desc().nullsLast(),
      t.agentId,
      t.tier,
      t.scoreE2,
      t.totalOutcomes,
    ),
    index("explorer_by_name").on(
      t.category,
      sql`lower(name collate "pg_c_utf8")`,
      t.name,
      t.agentId,
      t.tier,
      t.scoreE2,
      t.totalOutcomes,
    ),
    index("explorer_by_age").on(
      t.category,
      t.createdAt.desc().nullsFirst(),
      t.agentId.desc().nullsFirst(),
      t.tier,
      t.scoreE2,
      t.totalOutcomes,
    ),
  ],
);

const xid8 = customType<{ data: string }>({ dataType: () => "xid8" });

/**
 * Exact counts by category (`*` for all), tier and whole point, so that a count never scans a
 * million rows. Changes are appended, not added up in place: then no two transactions wait for
 * each other here, and none can deadlock. A count is the sum of its rows; now and then a change
 * folds them.
 */
export const explorerCounts = pgTable(
  "explorer_counts",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    category: text().notNull(),
    tier: text().$type<Tier>().notNull(),
    /** floor(score). */
    points: integer().notNull(),
    /** How many more agents; 0 where only something else of an entry changed. */
    agents: integer().notNull(),
    /** The transaction of the change: tells whether anything changed since a snapshot. */
    xid: xid8().notNull().default(sql`pg_current_xact_id()`),
  },
  (t) => [
    index("explorer_counts_bucket").on(t.category, t.tier, t.points),
    index("explorer_counts_xid").on(t.xid),
  ],
);
