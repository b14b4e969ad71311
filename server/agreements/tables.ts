import { sql } from "drizzle-orm";
import { bigint, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { usedTransfers } from "@/server/chain/tables";
import { createdAt, hash32, id, timestamptz, wallet } from "@/server/db/columns";
import type { RequirementResult } from "@/server/judging/requirements/schema";
import type { AgreementStatus, Terms } from "./schema";

/** A check that the contractor's deliverable has passed: delivered within a day, it has passed. */
export interface PassedCheck {
  /** Of `documents`: what was fetched. */
  subjectId: string;
  /** As `identifyDeliverable` returns it. */
  deliverable: string | null;
  /** ISO 8601. */
  checkedAt: string;
  results: RequirementResult[];
}

/** Terms of a job that one party has signed, or both. */
export const agreements = pgTable(
  "agreements",
  {
    id: id(),
    /** The signed document. */
    terms: jsonb().$type<Terms>().notNull(),
    /** SHA-256 of its canonical JSON. Contains the chain, so the registry's other chains differ. */
    termsHash: hash32().notNull().unique(),
    /** What both sign; the nonce of payment and refund. */
    digest: hash32().notNull().unique(),
    /** Copies of fields of the terms, to find and sort by. */
    requester: wallet().notNull(),
    contractor: wallet().notNull(),
    /** Millionths of a USDC. */
    valueMicro: bigint({ mode: "bigint" }).notNull(),
    startBy: timestamptz().notNull(),
    deliverBy: timestamptz().notNull(),
    proposedBy: text().$type<"contractor" | "requester">().notNull(),
    status: text().$type<AgreementStatus>().notNull().default("PROPOSED"),
    contractorSignature: text(),
    /** Null until it signs, and if it signed by paying. */
    requesterSignature: text(),
    /** Block at which a contract wallet's signature was checked; null for plain accounts. */
    contractorBlock: bigint({ mode: "number" }),
    requesterBlock: bigint({ mode: "number" }),
    /** The payment, which also stands for the requester's signature. */
    paymentTransferId: uuid().references(() => usedTransfers.id),
    /** Block time of the payment. */
    paidAt: timestamptz(),
    refundTransferId: uuid().references(() => usedTransfers.id),
    /** The party that signed the cancellation first. */
    cancellationRequestedBy: text().$type<"contractor" | "requester">(),
    /** In whole seconds, as block times are. */
    proposedAt: createdAt(),
    agreedAt: timestamptz(),
    endedAt: timestamptz(),
    /** When the contractor confirmed that it was paid for delivered work. */
    settledAt: timestamptz(),
    /**
     * The transfer that paid for delivered work, found on chain: its position within the transaction. It is
     * not in `used_transfers`, since it proves no outcome.
     */
    deliveryPaymentTxHash: hash32(),
    deliveryPaymentLogIndex: integer(),
    /** When such a transfer was last searched for; null if that is not due, or the node did not respond. */
    deliveryPaymentSearchedAt: timestamptz(),
    /** URLs that the terms name and that did not respond. */
    unresponsiveUrls: jsonb().$type<string[]>().notNull().default([]),
    /** When a deliverable last passed the requirements in a check of either party. */
    checkPassedAt: timestamptz(),
    /** The contractor's newest. */
    passedCheck: jsonb().$type<PassedCheck>(),
    /** The outcome that ended it; without a reference, because outcomes refer to agreements. */
    outcomeId: uuid(),
  },
  (t) => [
    index("agreements_requester").on(t.requester, t.proposedAt.desc(), t.id.desc()),
    index("agreements_contractor").on(t.contractor, t.proposedAt.desc(), t.id.desc()),
    index("agreements_reserving").on(t.contractor, t.status, t.startBy),
    index("agreements_open").on(t.startBy).where(sql`status = 'PROPOSED'`),
    unique("agreements_delivery_payment").on(t.deliveryPaymentTxHash, t.deliveryPaymentLogIndex),
    index("agreements_unpaid")
      .on(t.deliveryPaymentSearchedAt)
      .where(sql`status = 'DELIVERED' and paid_at is null and delivery_payment_tx_hash is null`),
    index("agreements_unreported").on(t.deliverBy).where(sql`status = 'AGREED'`),
    index("agreements_upfront")
      .on(t.status, t.startBy)
      .where(sql`terms ->> 'payment' = 'upfront' and value_micro > 0 and outcome_id is null`),
  ],
);
