import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { agents } from "@/server/agents/tables";
import { usedTransfers } from "@/server/chain/tables";
import { bytes, createdAt, hash32, id, timestamptz, wallet } from "@/server/db/columns";
import type { Verdict } from "@/server/lib/schema";
import { outcomes } from "@/server/outcomes/tables";
import type { DisputeEvidence, DisputeVerdict, Party, ReviewDetail } from "./schema";

/**
 * A dispute of an outcome's verdict. It can be answered until `reviewStartedAt`; the verdict is
 * public once its record is confirmed (`RESOLVED`).
 */
export const disputes = pgTable(
  "disputes",
  {
    id: id(),
    outcomeId: uuid()
      .notNull()
      .unique()
      .references(() => outcomes.id),
    openedBy: text().$type<Party>().notNull(),
    contractor: wallet().notNull(),
    requester: wallet().notNull(),
    recordedVerdict: text().$type<Verdict>().notNull(),
    /** Salt of the public commitments to both sides' evidence; only the parties can see it. */
    salt: bytes().notNull(),
    status: text().$type<"OPEN" | "RESOLVED">().notNull().default("OPEN"),
    openedAt: createdAt(),
    expiresAt: timestamptz().notNull(),
    /** No answer is accepted from this time on. */
    reviewStartedAt: timestamptz(),

    judgedAt: timestamptz(),
    verdict: text().$type<DisputeVerdict>(),
    /** As in its record: set with `verdict`. */
    assessed: boolean(),
    finalVerdict: text().$type<Verdict>(),
    explanation: text(),
    judgeKind: text().$type<"heuristic" | "llm" | "gate">(),
    judgeId: text(),
    evidence: jsonb().$type<DisputeEvidence>(),
    evidenceHash: hash32(),
    detail: jsonb().$type<ReviewDetail>(),

    /** The following are set together when the record is confirmed. */
    resolvedAt: timestamptz(),
    onChainTx: hash32(),
    recordIndex: integer(),
    /** Same as in its outcome. */
    simulated: boolean().notNull().default(false),
  },
  (t) => [
    index("disputes_open").on(t.expiresAt),
    index("disputes_newest").on(t.openedAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index("disputes_unresolved").on(t.openedAt).where(sql`status = 'OPEN'`),
    index("disputes_contractor").on(t.contractor, t.openedAt.desc()),
    index("disputes_requester").on(t.requester, t.openedAt.desc()),
  ],
);

/** A party's statement and stake, stored when it opens or answers the dispute. */
export const disputeSides = pgTable(
  "dispute_sides",
  {
    id: id(),
    disputeId: uuid()
      .notNull()
      .references(() => disputes.id),
    party: text().$type<Party>().notNull(),
    agentId: uuid().references(() => agents.id, { onDelete: "set null" }),
    /** Null if an answer has no statement. */
    statement: text(),
    /**
     * The contractor's deliverable, if the requester submitted the outcome. Private to the two
     * parties.
     */
    deliverableContent: text(),
    /** Public commitment to that text: SHA-256 of the dispute's salt and the SHA-256 of the text. */
    deliverableHash: hash32(),
    evidenceUrl: text(),
    /** Public commitment to the fetched document; null if there is none. */
    evidenceHash: hash32(),
    /** Why there is no document although a URL was given; plain English, public. */
    evidenceFailure: text(),
    transferId: uuid()
      .notNull()
      .references(() => usedTransfers.id),
    stakedAt: createdAt(),
  },
  (t) => [unique("dispute_sides_once").on(t.disputeId, t.party)],
);

/**
 * USDC to be sent back: to the winner of a dispute, or to the sender of a payment that could not
 * attach. `transferId` is unique, so a payment is returned at most once.
 */
export const payouts = pgTable(
  "payouts",
  {
    id: id(),
    purpose: text().$type<"stake-return" | "unattached-stake">().notNull(),
    disputeId: uuid().references(() => disputes.id),
    party: text().$type<Party>(),
    transferId: uuid()
      .notNull()
      .unique()
      .references(() => usedTransfers.id),
    to: wallet().notNull(),
    amountMicro: bigint({ mode: "bigint" }).notNull(),
    /**
     * `waiting`: until the payment is final. `signed`: bytes stored, possibly sent. `paid`:
     * confirmed. `void`: a reorg removed the payment, so nothing is owed.
     */
    status: text().$type<"waiting" | "signed" | "paid" | "void">().notNull().default("waiting"),
    transactionId: uuid(),
    /** Hash of the mined attempt. */
    txHash: hash32(),
    createdAt: createdAt(),
    settledAt: timestamptz(),
  },
  (t) => [
    unique("payouts_party").on(t.disputeId, t.party),
    index("payouts_unsettled").on(t.status, t.createdAt),
  ],
);
export type Payout = typeof payouts.$inferSelect;
