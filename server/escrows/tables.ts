import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { bigint, index, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { zeroAddress } from "viem";
import { agreements } from "@/server/agreements/tables";
import { chainTransactions, usedTransfers } from "@/server/chain/tables";
import { createdAt, hash32, id, timestamptz, wallet } from "@/server/db/columns";
import type { EvaluatedEscrows } from "@/server/lib/context";

/**
 * A funded job of a configured ERC-8183 escrow whose client has proposed or signed an agreement here. The
 * contract is the truth about money; this row is what the service has seen and decided.
 * `unread` → `funded` → `deciding` (the decision is signed) → `completed` or `rejected`.
 * `declined`: the service will not decide it, and `reason` says why. `ended`: another transaction settled
 * it.
 */
export const escrowJobs = pgTable(
  "escrow_jobs",
  {
    id: id(),
    escrow: wallet().notNull(),
    /** Decimal; a uint256 on chain. */
    jobId: text().notNull(),
    client: wallet().notNull(),
    /** Block in which it was funded. */
    fundedBlock: bigint({ mode: "bigint" }).notNull(),
    /** The zero address until it is read. */
    provider: wallet().notNull().default(zeroAddress),
    /** The hash that its description names, whether or not there are such terms. */
    termsHash: hash32(),
    /** The agreement of those terms, once the job is funded as agreed; each has at most one such job. */
    agreementId: uuid()
      .unique()
      .references(() => agreements.id),
    /** At most 2^63 - 1, since a contract takes any number. */
    budgetMicro: bigint({ mode: "bigint" }).notNull().default(sql`0`),
    /** Null until it is read. */
    expiresAt: timestamptz(),
    status: text()
      .$type<"unread" | "funded" | "deciding" | "completed" | "rejected" | "declined" | "ended">()
      .notNull()
      .default("unread"),
    /** Why it was declined or how it ended; a sentence for both parties. */
    reason: text(),
    /** keccak256 of the deliverable, once the provider has submitted it. */
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
      .where(sql`status in ('unread', 'funded', 'deciding')`),
  ],
);

export type EscrowJob = typeof escrowJobs.$inferSelect;

/** Orders jobs by their funding. Within a block the order of their numbers decides. */
export const fundingOrder = sql`${escrowJobs.fundedBlock}, ${escrowJobs.jobId}::numeric, ${escrowJobs.escrow}`;

/** Matches jobs that are not read yet. */
export const whereUnread = ({ addresses }: EvaluatedEscrows) =>
  and(eq(escrowJobs.status, "unread"), inArray(escrowJobs.escrow, [...addresses]));

/** Matches jobs about which nothing is signed or decided. */
export const whereUndecided = and(
  inArray(escrowJobs.status, ["unread", "funded"]),
  isNull(escrowJobs.transactionId),
);
