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
import { agreements } from "@/server/agreements/tables";
import type { X402Receipt } from "@/server/chain/schema";
import { usedTransfers } from "@/server/chain/tables";
import { bytes, createdAt, hash32, id, timestamptz, wallet } from "@/server/db/columns";
import type { Evidence } from "@/server/judging/evidence";
import type { Category, Verdict } from "@/server/lib/schema";

export const outcomes = pgTable(
  "outcomes",
  {
    id: id(),
    contractor: wallet().notNull(),
    requester: wallet().notNull(),
    taskDescription: text().notNull(),
    /** What the submitter calls the job in public; null by default. */
    title: text(),
    taskCategory: text().$type<Category>().notNull(),
    deliverableContent: text(),
    deliverableUrl: text(),
    /** Millionths of a USDC. */
    valueMicro: bigint({ mode: "bigint" }).notNull(),
    /** Amount proven by a USDC transfer requester → contractor; 0 if there is none. */
    paidMicro: bigint({ mode: "bigint" }).notNull().default(sql`0`),
    paymentTxHash: hash32(),
    /** The transfer that proves the payment; verified again before the record is signed. */
    paymentTransferId: uuid().references(() => usedTransfers.id),
    /** The contractor's signed receipt of the payment, for the evidence; checked at submission. */
    x402Receipt: jsonb().$type<X402Receipt>(),
    submittedBy: text().$type<"contractor" | "requester">().notNull(),
    /** The agreement that it ends; one outcome each. Null without one, or if a database was lost. */
    agreementId: uuid()
      .unique()
      .references(() => agreements.id),
    /** Whether both parties had signed the terms before, as in its record. */
    agreed: boolean().notNull().default(false),
    /** Null once a takeover removed that registration. */
    submitterAgentId: uuid().references(() => agents.id, { onDelete: "set null" }),
    /**
     * Key of the address it was submitted from (`hashClientKey`, in hexadecimal), so that a flood
     * from one address delays no other. Null once it is judged.
     */
    submitterClient: text(),
    /** Salt of the public hashes; shown only to the parties. */
    salt: bytes().notNull(),
    /** SHA-256 of salt and text, public. */
    taskHash: hash32().notNull(),
    deliverableHash: hash32().notNull(),
    submittedAt: createdAt(),

    idempotencyKey: text(),
    /** SHA-256 of the canonical JSON (RFC 8785) of the validated input. */
    inputHash: hash32().notNull(),
    /** The response to the submission, as sent. */
    storedAnswer: text().notNull(),

    status: text().$type<"EVALUATING" | "RESOLVED">().notNull().default("EVALUATING"),
    /** When the judge left it to the slow queue; null again if that gave up. */
    unansweredAt: timestamptz(),
    /** Since when a fault of the service prevents its judgement; null again once it is judged. */
    faultedAt: timestamptz(),
    /** First line of the latest such error; may quote private text. */
    fault: text(),
    judgedAt: timestamptz(),
    verdict: text().$type<Verdict>(),
    confidencePpm: integer(),
    reasoning: text(),
    /** `kind` and id of the judge that decided, e.g. `builtin-checks/v3` or a model id. */
    judgeKind: text().$type<"heuristic" | "llm" | "gate">(),
    judgeId: text(),
    /** Preimage of `evidenceHash`. */
    evidence: jsonb().$type<Evidence>(),
    evidenceHash: hash32(),

    /**
     * Whether the submitter's wallet was proven, as of submission, then as of the signed record.
     */
    proven: boolean().notNull(),
    /** The columns from here on are set together with the score, when the record is confirmed. */
    resolvedAt: timestamptz(),
    onChainTx: hash32(),
    recordIndex: integer(),
    disputeId: uuid(),
    /** The payer's own outcome for the payment that the contractor named in this one. */
    supersededBy: uuid(),
    /** Set together when the record of that is confirmed. */
    supersededTx: hash32(),
    supersededIndex: integer(),
    finalVerdict: text().$type<Verdict>(),
    /** Whether the verdict says anything: a confidence above 0.5, or decided by a dispute. */
    assessed: boolean(),
    /** Simulated, like its agents; its `evidence` says so too. */
    simulated: boolean().notNull().default(false),
    /** Rebuilt from the chain: data that only the lost database had is missing. */
    rebuilt: boolean().notNull().default(false),
  },
  (t) => [
    unique("outcomes_idempotency").on(t.submitterAgentId, t.idempotencyKey),
    index("outcomes_contractor").on(t.contractor, t.submittedAt.desc()),
    index("outcomes_failed").on(t.contractor, t.resolvedAt).where(sql`final_verdict = 'FAILURE'`),
    index("outcomes_requester").on(t.requester, t.submittedAt.desc()),
    index("outcomes_newest").on(t.submittedAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index("outcomes_category_newest").on(
      t.taskCategory,
      t.submittedAt.desc().nullsFirst(),
      t.id.desc().nullsFirst(),
    ),
    index("outcomes_unresolved").on(t.submittedAt).where(sql`status = 'EVALUATING'`),
    index("outcomes_faulted").on(t.faultedAt).where(sql`faulted_at is not null`),
    // Queried for each recorded transaction, however many outcomes are pending judgement.
    index("outcomes_unrecorded")
      .on(t.judgedAt)
      .where(sql`status = 'EVALUATING' and judged_at is not null`),
    index("outcomes_on_chain_tx").on(t.onChainTx),
    index("outcomes_superseded").on(t.supersededBy).where(sql`superseded_by is not null`),
    // To find the outcome whose payment its payer claims.
    index("outcomes_payment").on(t.paymentTransferId).where(sql`payment_transfer_id is not null`),
  ],
);

/**
 * Pending wake-ups, at most one per recorder: verdicts may be stored that the recorder has not
 * looked for yet. See `wake-recorder.ts`.
 */
export const recorderWakeUps = pgTable("recorder_wake_ups", {
  id: id(),
  /** Address that signs the records. */
  recorder: wallet().notNull().unique(),
  createdAt: createdAt(),
});

/**
 * The refund of an outcome's payment by its contractor; at most one per outcome. Accepted when it
 * is inserted, final once its record is confirmed on chain.
 */
export const refunds = pgTable(
  "refunds",
  {
    id: id(),
    outcomeId: uuid()
      .notNull()
      .unique()
      .references(() => outcomes.id),
    /** Null for a record rebuilt from a chain that doesn't have the transfer, or has it as used. */
    transferId: uuid()
      .unique()
      .references(() => usedTransfers.id),
    /** As spelt in the receipt. */
    txHash: hash32().notNull(),
    amountMicro: bigint({ mode: "bigint" }).notNull(),
    acceptedAt: createdAt(),
    /** Set together when the record is confirmed; `refundedAt` is the time in the record. */
    refundedAt: timestamptz(),
    onChainTx: hash32(),
    recordIndex: integer(),
  },
  (t) => [index("refunds_unrecorded").on(t.acceptedAt).where(sql`refunded_at is null`)],
);
