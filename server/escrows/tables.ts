import { sql } from "drizzle-orm";
import { bigint, index, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { agreements } from "@/server/agreements/tables";
import { chainTransactions, usedTransfers } from "@/server/chain/tables";
import { createdAt, hash32, id, timestamptz, wallet } from "@/server/db/columns";

/**
 * A job of a configured ERC-8183 escrow that names this service as its evaluator. The contract is the
 * truth about money; this row is what the service has seen and decided.
 * `open` → `funded` → `submitted` → `deciding` (the decision is signed) → `completed` or `rejected`.
 * `declined`: the service will not decide it, and `reason` says why. `ended`: somebody else settled it.
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
    /** The agreement that its description names; an agreement has at most one job that counts. */
    agreementId: uuid()
      .unique()
      .references(() => agreements.id),
    budgetMicro: bigint({ mode: "bigint" }).notNull(),
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
    /** Why it was declined, or how somebody else settled it; a sentence for both parties. */
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
    index("escrow_jobs_open")
      .on(t.createdAt)
      .where(sql`status in ('open', 'funded', 'submitted', 'deciding')`),
  ],
);
