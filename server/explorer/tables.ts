import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { agents } from "@/server/agents/tables";
import { createdAt, timestamptz, wallet } from "@/server/db/columns";
import type { Tier } from "@/server/lib/schema";

// These tables are maintained by database triggers (`server/db/functions`), in the transaction of the
// change. Nothing else writes to them.

/**
 * Rows of the leaderboard and the search, one per agent, from `agents` and `reputations`. No column
 * that depends on the score is indexed here, so a new score never touches the text index.
 */
export const explorerEntries = pgTable(
  "explorer_entries",
  {
    agentId: uuid()
      .primaryKey()
      .references(() => agents.id, { onDelete: "cascade" }),
    wallet: wallet().notNull().unique(),
    name: text().notNull(),
    /** Name and description, case folded, separated by a unit separator (U+001F). */
    searchText: text().notNull(),
    /** The categories that the agent declares. */
    categories: text().array().notNull(),
    /** Published score in 1/100 points. */
    scoreE2: integer().notNull(),
    /** Published score by category in 1/100 points, for the categories in which it has an outcome. */
    categoryScoresE2: jsonb().$type<Record<string, number>>().notNull().default({}),
    tier: text().$type<Tier>().notNull(),
    totalOutcomes: integer().notNull(),
    /** In 1/10,000; null without a confirmed outcome. */
    successRateE4: integer(),
    /** Number of requesters with a paid or anchored outcome. */
    requesters: integer().notNull().default(0),
    /** When its newest recorded outcome was submitted. */
    lastActive: timestamptz(),
    walletVerified: boolean().notNull(),
    createdAt: createdAt(),
  },
  () => [
    index("explorer_suffixes")
      .using("gin", sql`explorer_suffixes(search_text)`)
      .with({ fastupdate: false }),
    index("explorer_wallet_prefix").on(sql`lower(wallet) text_pattern_ops`),
  ],
);

/**
 * The order by score: one row for `*`, all agents, and one for each category that an agent declares
 * or has an outcome in. Every list within every category is then a range of one index, which also
 * contains the columns that lists filter by. The other orders have a table of their own.
 */
export const explorerRanks = pgTable(
  "explorer_ranks",
  {
    agentId: uuid().notNull(),
    category: text().notNull(),
    /** Score in the category, or overall for `*`; −1 without an outcome, which is not ranked. */
    scoreE2: integer().notNull(),
    totalOutcomes: integer().notNull(),
    // Of the next four columns lists read the copies in `explorer_orders`. The trigger compares them
    // to find which copies change, and the previous version of the service sorts by them.
    successRateE4: integer(),
    requesters: integer().notNull().default(0),
    name: text().notNull(),
    tier: text().$type<Tier>().notNull(),
    lastActive: timestamptz(),
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
  ],
);

/**
 * The orders that a new day does not change: one row for each row of `explorer_ranks`, without the
 * score. The daily refresh changes nearly every score, and each would be an entry in these indexes too.
 */
export const explorerOrders = pgTable(
  "explorer_orders",
  {
    agentId: uuid().notNull(),
    category: text().notNull(),
    /** Whether it has an outcome in the category, or any for `*`. */
    isRanked: boolean().notNull(),
    totalOutcomes: integer().notNull(),
    successRateE4: integer(),
    requesters: integer().notNull(),
    name: text().notNull(),
    tier: text().$type<Tier>().notNull(),
    lastActive: timestamptz(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.agentId, t.category] }),
    index("explorer_orders_success_rate")
      .on(
        t.category,
        t.successRateE4.desc().nullsLast(),
        t.totalOutcomes.desc().nullsFirst(),
        t.name,
        t.agentId,
        t.tier,
      )
      .where(sql`is_ranked`),
    index("explorer_orders_requesters")
      .on(
        t.category,
        t.requesters.desc().nullsFirst(),
        t.totalOutcomes.desc().nullsFirst(),
        t.name,
        t.agentId,
        t.tier,
      )
      .where(sql`is_ranked`),
    index("explorer_orders_activity").on(
      t.category,
      t.lastActive.desc().nullsLast(),
      t.agentId,
      t.tier,
      t.isRanked,
    ),
    index("explorer_orders_name").on(
      t.category,
      sql`lower(name collate "pg_c_utf8")`,
      t.name,
      t.agentId,
      t.tier,
      t.isRanked,
    ),
    index("explorer_orders_age").on(
      t.category,
      t.createdAt.desc().nullsFirst(),
      t.agentId.desc().nullsFirst(),
      t.tier,
      t.isRanked,
    ),
  ],
);

/**
 * Exact counts by category (`*` for all), tier and whole point, so that a count never scans a
 * million rows. Changes are appended rather than added in place, so transactions never wait for
 * each other here or deadlock. A count is the sum of its rows; now and then a change folds them.
 */
export const explorerCounts = pgTable(
  "explorer_counts",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    category: text().notNull(),
    tier: text().$type<Tier>().notNull(),
    /** floor(score) of the row in `explorer_ranks`; −1 if it is not ranked. */
    points: integer().notNull(),
    /** Change in the number of agents; 0 if only another part of an entry changed. */
    agents: integer().notNull(),
  },
  (t) => [index("explorer_counts_bucket").on(t.category, t.tier, t.points)],
);

/**
 * The network by UTC day and category: the sums over the rows of a day. Maintained by triggers on
 * `agents`, `disputes` and `outcomes`, which append changes and fold them now and then, like
 * `explorer_counts`.
 */
export const networkDays = pgTable(
  "network_days",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    day: date({ mode: "string" }).notNull(),
    /** `*` in rows that count agents. */
    category: text().notNull(),
    /** Outcomes whose verdict was recorded on the day; those of them assessed; and of these, successes. */
    outcomes: integer().notNull().default(0),
    assessed: integer().notNull().default(0),
    successes: integer().notNull().default(0),
    /** Proven payments of these outcomes, in millionths of a USDC. */
    paidMicro: bigint({ mode: "bigint" }).notNull().default(sql`0`),
    /** Disputes opened on the day, and those of them that overturned the verdict. */
    disputes: integer().notNull().default(0),
    overturned: integer().notNull().default(0),
    /** Agents registered on the day. */
    agents: integer().notNull().default(0),
  },
  (t) => [index("network_days_day").on(t.day, t.category)],
);
