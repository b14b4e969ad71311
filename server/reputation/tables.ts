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
import type { LedgerRecord } from "@/server/chain/registry/ledger";
import { createdAt, hash32, id, timestamptz, wallet } from "@/server/db/columns";
import type { Tier } from "@/server/lib/schema";
import type { StoredTotals } from "./evidence/totals";
import type { ScoreBreakdown, StoredScoreChange } from "./schema";
import type { Backing } from "./score/weigh-outcome";

/** The public ledger as confirmed on chain, one row per record. Scores are computed from it. */
export const ledgerRecords = pgTable(
  "ledger_records",
  {
    seq: bigint({ mode: "number" }).primaryKey(),
    type: text().$type<LedgerRecord["type"]>().notNull(),
    record: jsonb().$type<LedgerRecord>().notNull(),
    /** Outcome id, for outcomes, their disputes and refunds, and the mark of a superseded one. */
    outcomeId: uuid(),
    contractor: wallet(),
    /** Requester of an outcome; the wallet of an anchor or a takeover. */
    wallet: wallet(),
    txHash: hash32().notNull(),
    logIndex: integer().notNull(),
    recordedAt: createdAt(),
  },
  (t) => [
    index("ledger_contractor").on(t.contractor),
    index("ledger_wallet").on(t.wallet, t.type),
    index("ledger_outcome").on(t.outcomeId),
    index("ledger_transaction").on(t.txHash),
    // Nearly all records are outcomes, so they are counted by subtracting the others.
    index("ledger_others").on(t.type).where(sql`type <> 'outcome'`),
    index("ledger_revocation")
      .on(sql`((record->>'anchorSeq')::bigint)`)
      .where(sql`type = 'anchor-revoked'`),
  ],
);

/**
 * The evidence for and against a contractor: sums over the outcomes of one requester that decay alike.
 * Derived from the ledger, so that a new outcome costs the same however many there were before.
 */
export const evidence = pgTable(
  "evidence",
  {
    /** The contractor. */
    wallet: wallet().notNull(),
    requester: wallet().notNull(),
    category: text().notNull(),
    backing: text().$type<Backing>().notNull(),
    reported: boolean().notNull(),
    /** UTC day of the outcomes, counted from 1970-01-01. */
    day: integer().notNull(),
    /** Weights before decay, in 1e-9 of a unit. */
    good: bigint({ mode: "bigint" }).notNull(),
    bad: bigint({ mode: "bigint" }).notNull(),
    /** As in `EvidenceRow`. */
    outcomes: integer().notNull(),
    counted: integer().notNull(),
    assessed: integer().notNull().default(0),
    passed: integer().notNull().default(0),
    successes: integer().notNull(),
    disputed: integer().notNull(),
    /** As in `LimitRow`. */
    earned: bigint({ mode: "bigint" }).notNull(),
    lost: bigint({ mode: "bigint" }).notNull(),
  },
  (t) => [
    primaryKey({
      columns: [t.wallet, t.requester, t.category, t.backing, t.reported, t.day],
    }),
  ],
);

/** The current reputation of a wallet with at least one outcome as contractor. */
export const reputations = pgTable(
  "reputations",
  {
    wallet: wallet().primaryKey(),
    /** 1/10,000 points; the published score is `floor(scoreE4 / 100) / 100`. */
    scoreE4: integer().notNull(),
    tier: text().$type<Tier>().notNull(),
    totalOutcomes: integer().notNull(),
    /** Outcomes that the rates are computed over: the agent took part, and they are not void. */
    confirmedOutcomes: integer().notNull().default(0),
    /** Those of them whose verdict says anything: confidence above 0.5, or decided by a dispute. */
    assessedOutcomes: integer().notNull().default(0),
    /** Fractions in 1/10,000. */
    successRateE4: integer().notNull(),
    /** Likewise over `assessedOutcomes`; null without one. */
    assessedSuccessRateE4: integer(),
    disputeRateE4: integer().notNull(),
    /** Category to score in 1/10,000 points. */
    categoryScoresE4: jsonb().$type<Record<string, number>>().notNull(),
    breakdown: jsonb().$type<ScoreBreakdown>().notNull(),
    /** Increases with every stored change; included in `score.updated`. */
    version: integer().notNull(),
    scoreDay: date({ mode: "string" }).notNull(),
    lastUpdated: timestamptz().notNull(),
    /** Whether the agent is simulated. */
    simulated: boolean().notNull().default(false),
    /**
     * Sums of the wallet's evidence. Null, or of another `version`, if its rows of `evidence` do not
     * reflect this reputation; they are then computed from the ledger.
     */
    totals: jsonb().$type<StoredTotals>(),
  },
  // For the oldest day, which shows whether the daily refresh is complete.
  (t) => [index("reputations_score_day").on(t.scoreDay)],
);

/** The score after each event that could change it. */
export const reputationHistory = pgTable(
  "reputation_history",
  {
    wallet: wallet().notNull(),
    version: integer().notNull(),
    at: timestamptz().notNull(),
    cause: text()
      .$type<"outcome" | "dispute" | "refund" | "superseded" | "anchor" | "takeover" | "day">()
      .notNull(),
    outcomeId: uuid(),
    /** Dispute id, for a dispute's verdict. */
    disputeId: uuid(),
    /** The ledger record that caused it; null for `day`. */
    seq: bigint({ mode: "number" }),
    scoreE4: integer().notNull(),
    previousScoreE4: integer().notNull(),
    tier: text().$type<Tier>().notNull(),
    totalOutcomes: integer().notNull(),
    /** Explains the change; null for changes from before explanations were stored. */
    receipt: jsonb().$type<StoredScoreChange>(),
  },
  (t) => [
    primaryKey({ columns: [t.wallet, t.version] }),
    index("reputation_history_time").on(t.wallet, t.at.desc().nullsLast()),
    index("reputation_history_outcome").on(t.outcomeId).where(sql`outcome_id is not null`),
  ],
);

/** Anchors; each takes effect when it is recorded on chain. */
export const anchors = pgTable(
  "anchors",
  {
    id: id(),
    wallet: wallet().notNull(),
    from: timestamptz().notNull(),
    /** Null if it has no end. */
    until: timestamptz(),
    /** Public. */
    reason: text(),
    createdAt: createdAt(),
    /** Set when its record is confirmed. */
    seq: bigint({ mode: "number" }).unique(),
    txHash: hash32(),
    /** When the operator requested the revocation. */
    revokeAskedAt: timestamptz(),
    revokedSeq: bigint({ mode: "number" }).unique(),
    revokedTxHash: hash32(),
  },
  (t) => [index("anchors_wallet").on(t.wallet)],
);
