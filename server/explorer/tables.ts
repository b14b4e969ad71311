import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { agents } from "@/server/agents/tables";
import { createdAt, textByCodePoint, timestamptz } from "@/server/db/columns";
import type { Tier } from "@/server/lib/schema";

const OF_ALL = sql`category = '*'`;

// These tables are maintained by database triggers (`server/db/functions`), in the transaction of the
// change. Nothing else writes to them.

/**
 * The agents of each list: one row for `*`, all agents, and one for each category that an agent declares
 * or has an outcome in. A list by score is a range of one index. The other orders have an index only
 * for `*`, so that a new score changes few of them; within a category they are joined with its rows.
 */
export const explorerRanks = pgTable(
  "explorer_ranks",
  {
    agentId: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    category: text().notNull(),
    /** Published score in the category, or overall for `*`, in 1/100 points; −1 without an outcome. */
    scoreE2: integer().notNull(),
    // The other columns are the same in all rows of an agent.
    totalOutcomes: integer().notNull(),
    /** In 1/10,000; null without a confirmed outcome. */
    successRateE4: integer(),
    /** Number of requesters with a paid or anchored outcome. */
    requesters: integer().notNull(),
    name: textByCodePoint().notNull(),
    tier: text().$type<Tier>().notNull(),
    /** When its newest recorded outcome was submitted. */
    lastActive: timestamptz(),
    walletVerified: boolean().notNull(),
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
    index("explorer_by_outcomes")
      .on(
        t.totalOutcomes.desc().nullsFirst(),
        t.scoreE2.desc().nullsFirst(),
        t.name,
        t.agentId,
        t.tier,
      )
      .where(OF_ALL),
    index("explorer_by_success_rate")
      .on(
        t.successRateE4.desc().nullsLast(),
        t.totalOutcomes.desc().nullsFirst(),
        t.name,
        t.agentId,
      )
      .where(OF_ALL),
    index("explorer_by_requesters")
      .on(t.requesters.desc().nullsFirst(), t.totalOutcomes.desc().nullsFirst(), t.name, t.agentId)
      .where(OF_ALL),
    index("explorer_by_activity").on(t.lastActive.desc().nullsLast(), t.agentId).where(OF_ALL),
    index("explorer_by_name")
      .on(sql`lower(name collate "pg_c_utf8")`, t.name, t.agentId)
      .where(OF_ALL),
    index("explorer_by_age")
      .on(t.createdAt.desc().nullsFirst(), t.agentId.desc().nullsFirst())
      .where(OF_ALL),
  ],
);

/**
 * Exact counts by category (`*` for all), tier and whole point: counting 100,000 rows of a list takes
 * 50 ms. Changes are appended rather than added in place, so transactions never wait for each other
 * here or deadlock. A count is the sum of its rows; now and then a change folds them.
 */
export const explorerCounts = pgTable(
  "explorer_counts",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    category: text().notNull(),
    tier: text().$type<Tier>().notNull(),
    /** floor(score) of the row in `explorer_ranks`; −1 if it is not ranked. */
    points: integer().notNull(),
    /** Change in the number of agents. */
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
