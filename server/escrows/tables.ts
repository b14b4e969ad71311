import { sql } from "drizzle-orm";
import { bigint, index, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { agreements } from "@/server/agreements/tables";
import { chainTransactions, usedTransfers } from "@/server/chain/tables";
import { createdAt, hash32, id, timestamptz, wallet } from "@/server/db/columns";

/**
 * A job of a configured ERC-8183 escrow that names this service as its evaluator. The contract is the
 * truth about money; this row is what the service has seen and decided.
 * `open` → `funded` → `submitted` → `deciding` (the decision is signed) → `completed` or `rejected`.
 * `declined`: the service will not decide it, and `reason` says why. `ended`: another transaction settled
 * it, or its time ran out.
 */
export const escrowJobs = pgTable(
  "escrow_jobs",
  {
    id: id(),
    escrow: wallet().notNull(),
    /** Decimal; a uint256 on chain. */
    jobId: text().notNull(),
    client: wallet().notNull(),
    provider: wallet().notNull(),
    /** Lowest block in which its creation was seen; a reorg can move it. */
    createdBlock: bigint({ mode: "bigint" }).notNull(),
    /** The hash that its description names, whether or not there are such terms. */
    termsHash: hash32(),
    /** The agreement of those terms, once the job is funded as agreed; each has at most one such job. */
    agreementId: uuid()
      .unique()
      .references(() => agreements.id),
    /** At most 2^63 - 1, since a contract takes any number. */
    budgetMicro: bigint({ mode: "bigint" }).notNull().default(sql`0`),
    expiresAt: timestamptz().notNull(),
    status: text()
      .$type<
        | "open"
        | "funded"
        | "submitted"
        | "deciding"
        | "completed"
        | "rejected"
        | "declined"
        | "ended"
      >()
      .notNull()
      .default("open"),
    /** Why it was declined or how it ended; a sentence for both parties. */
    reason: text(),
    /** keccak256 of the deliverable, as the provider submitted it. */
    deliverableHash: hash32(),
    decision: text().$type<"complete" | "reject">(),
    transactionId: uuid().references(() => chainTransactions.id),
    /** The transfer that released the money to the provider. */
    releaseId: uuid().references(() => usedTransfers.id),
    createdAt: createdAt(),
    endedAt: timestamptz(),
  },
  (t) => [
    unique("escrow_jobs_job").on(t.escrow, t.jobId),
    index("escrow_jobs_terms").on(t.termsHash),
    index("escrow_jobs_open")
      .on(t.createdAt)
      .where(sql`status in ('open', 'funded', 'submitted', 'deciding')`),
  ],
);

export type EscrowJob = typeof escrowJobs.$inferSelect;
