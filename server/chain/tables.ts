import { sql } from "drizzle-orm";
import { bigint, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { createdAt, hash32, id, moment, wallet } from "@/server/db/columns";

/**
 * A transaction of the service: its nonce is taken and its bytes are stored before anybody sees
 * it, so that after any crash the same bytes are sent again.
 * `signed` → `confirmed` (deep enough) → `final`; `reverted` is final too.
 */
export const chainTransactions = pgTable(
  "chain_transactions",
  {
    id: id(),
    chainId: integer().notNull(),
    signer: text().notNull(),
    nonce: integer().notNull(),
    purpose: text().$type<"record" | "payout">().notNull(),
    to: text().notNull(),
    data: text().notNull(),
    gas: bigint({ mode: "bigint" }).notNull(),
    status: text()
      .$type<"signed" | "confirmed" | "final" | "reverted">()
      .notNull()
      .default("signed"),
    /** The attempt that was mined; null again once it was thrown out and replaced. */
    hash: hash32(),
    blockNumber: bigint({ mode: "bigint" }),
    blockHash: hash32(),
    createdAt: createdAt(),
    confirmedAt: moment(),
  },
  (t) => [
    unique("chain_transactions_nonce").on(t.chainId, t.signer, t.nonce),
    index("chain_transactions_open").on(t.status),
  ],
);

/** One signed form of a transaction; a replacement at the same nonce with higher fees is another. */
export const chainAttempts = pgTable(
  "chain_attempts",
  {
    hash: hash32().primaryKey(),
    transactionId: uuid()
      .notNull()
      .references(() => chainTransactions.id),
    raw: text().notNull(),
    maxFeePerGas: bigint({ mode: "bigint" }).notNull(),
    maxPriorityFeePerGas: bigint({ mode: "bigint" }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [index().on(t.transactionId)],
);

/**
 * USDC transfers to or between parties that counted for something, each at most once: a `stake`, the
 * `payment` of a task, the `refund` of one, or an `unattached-stake`, which goes back. `unclaimed`: found on the stake
 * account by a restore or a rebuild; what it once counted for, if anything, was lost. A `payment` that
 * no outcome refers to was found by one as well: it may have proven an outcome of an earlier database.
 */
export const usedTransfers = pgTable(
  "used_transfers",
  {
    id: id(),
    chainId: integer().notNull(),
    /** As the receipt spells it. */
    txHash: hash32().notNull(),
    /** Place of the log within its transaction, which a reorganisation does not change. */
    logIndex: integer().notNull(),
    purpose: text()
      .$type<"stake" | "payment" | "refund" | "unattached-stake" | "unclaimed">()
      .notNull(),
    from: wallet().notNull(),
    to: wallet().notNull(),
    amountMicro: bigint({ mode: "bigint" }).notNull(),
    /** Where it was seen last. */
    blockNumber: bigint({ mode: "bigint" }).notNull(),
    blockHash: hash32().notNull(),
    usedAt: createdAt(),
    /** A reorganisation removed it: found gone once the chain had finalized past its block. */
    goneAt: moment(),
    /** A stake's only: found in a finalized block, so it needs no more looking at. */
    finalAt: moment(),
  },
  (t) => [
    unique("used_transfers_log").on(t.chainId, t.txHash, t.logIndex),
    index("used_transfers_watched")
      .on(t.usedAt)
      .where(sql`purpose = 'stake' and gone_at is null and final_at is null`),
  ],
);
