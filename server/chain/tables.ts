import { sql } from "drizzle-orm";
import { bigint, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { createdAt, hash32, id, timestamptz, wallet } from "@/server/db/columns";

/**
 * A transaction of the service. Its nonce is allocated and its bytes are stored before it is
 * broadcast, so that the same bytes are sent again after a crash.
 * `signed` → `confirmed` (deep enough) → `final`; `reverted` is final too, and so is `dropped`: another
 * transaction of the same key has its nonce.
 */
export const chainTransactions = pgTable(
  "chain_transactions",
  {
    id: id(),
    chainId: integer().notNull(),
    signer: text().notNull(),
    nonce: integer().notNull(),
    purpose: text().$type<"record" | "payout" | "feedback" | "escrow">().notNull(),
    to: text().notNull(),
    data: text().notNull(),
    gas: bigint({ mode: "bigint" }).notNull(),
    status: text()
      .$type<"signed" | "confirmed" | "final" | "reverted" | "dropped">()
      .notNull()
      .default("signed"),
    /** Hash of the mined attempt; null again once a reorg dropped it and it was replaced. */
    hash: hash32(),
    blockNumber: bigint({ mode: "bigint" }),
    blockHash: hash32(),
    createdAt: createdAt(),
    confirmedAt: timestamptz(),
  },
  (t) => [
    unique("chain_transactions_nonce").on(t.chainId, t.signer, t.nonce),
    index("chain_transactions_open").on(t.status),
  ],
);

/**
 * One signed attempt of a transaction; a replacement at the same nonce with higher fees is
 * another.
 */
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
 * USDC transfers to or between parties that counted for something, each at most once: a `stake`,
 * the `payment` of a task, its `refund`, or an `unattached-stake`, which is sent back. A restore
 * or rebuild finds `unclaimed` transfers on the stake account, without knowing what they counted
 * for. It also finds a `payment` that no outcome refers to: it may have proven an outcome of the
 * lost database.
 */
export const usedTransfers = pgTable(
  "used_transfers",
  {
    id: id(),
    chainId: integer().notNull(),
    /** As the receipt spells it. */
    txHash: hash32().notNull(),
    /** Position of the log within its transaction; a reorg does not change it. */
    logIndex: integer().notNull(),
    purpose: text()
      .$type<"stake" | "payment" | "refund" | "unattached-stake" | "unclaimed">()
      .notNull(),
    from: wallet().notNull(),
    to: wallet().notNull(),
    amountMicro: bigint({ mode: "bigint" }).notNull(),
    /** Block in which it was last seen. */
    blockNumber: bigint({ mode: "bigint" }).notNull(),
    blockHash: hash32().notNull(),
    usedAt: createdAt(),
    /**
     * When it was found missing after the chain had finalized past its block: a reorg removed it.
     */
    goneAt: timestamptz(),
    /** Stakes only: when it was found in a finalized block, after which it is not checked again. */
    finalAt: timestamptz(),
  },
  (t) => [
    unique("used_transfers_log").on(t.chainId, t.txHash, t.logIndex),
    index("used_transfers_watched")
      .on(t.usedAt)
      .where(sql`purpose = 'stake' and gone_at is null and final_at is null`),
  ],
);

/**
 * How far the logs of contracts of other parties have been read. Several of them may share one chain
 * and block range, such as all escrows.
 */
export const logCursors = pgTable("log_cursors", {
  /** Chain, addresses and events, such as `identities:8453:0x…`. */
  name: text().primaryKey(),
  /** First block that has not been read. */
  nextBlock: bigint({ mode: "bigint" }).notNull(),
  /** Block time up to which all payments of agreements have been found; null for other events. */
  readUntil: timestamptz(),
  updatedAt: createdAt(),
});
