import { and, eq, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable, PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { TransactionReceipt } from "viem";
import type { Database } from "@/server/lib/context";
import { acquireMutex } from "@/server/lib/process/mutex";
import { getFinalizedHeight } from "./finality";
import type { Sender } from "./sender";
import type { TransactionRequest } from "./sign";

// What the service owes on chain (a payout, feedback, the decision of an escrow) goes four ways: it is
// signed once and stored, sent as often as needed, and proved by its effect; if it can never have that,
// it is signed again.

/**
 * Signs a transaction and stores it with the row that owes it, before it is broadcast. Returns false if
 * the row does not match `where` any more, since it was signed concurrently.
 * @param set Returns the row's changes, given the id of the transaction.
 */
export async function signOnce<T extends PgTable & { id: PgColumn }>(
  { db }: { db: Database },
  sender: Sender,
  request: TransactionRequest,
  owed: {
    table: T;
    id: string;
    where: SQL | undefined;
    set: (transactionId: string) => PgUpdateSetSource<T>;
  },
): Promise<boolean> {
  const { table, id, where, set } = owed;
  const isOwed = and(eq(table.id, id), where);
  // Waiting for the nonce holds a database connection, and the pool is small.
  const release = await acquireMutex(`sign-${request.purpose}`);
  try {
    return await db.transaction(async (tx) => {
      // A concurrent call waits here for the first one and then finds it signed.
      const rows = await tx
        .select({ id: table.id })
        .from(table as PgTable)
        .where(isOwed)
        .for("update");
      if (rows.length === 0) return false;
      const { transactionId } = await sender.signTransaction(tx, request);
      await tx.update(table).set(set(transactionId)).where(eq(table.id, id));
      return true;
    });
  } finally {
    release();
  }
}

/**
 * What became of a signed transaction. `failed`: it is final without its effect. `replaced`: another
 * transaction has its nonce for good, so that it can never be mined.
 */
export type Effect =
  | { state: "done"; receipt: TransactionReceipt }
  | { state: "pending" | "failed" | "replaced" };

/**
 * Broadcasts a signed transaction, waits at most `timeoutMs` for it, and returns whether it had its
 * effect. One that reverted is `pending` until that is final, since a reorg can run it again and it
 * may succeed then. Safe to call repeatedly and concurrently. Throws if the node is unreachable.
 */
export async function sendForEffect(
  sender: Sender,
  transactionId: string,
  hasEffect: (receipt: TransactionReceipt) => boolean,
  timeoutMs: number,
): Promise<Effect> {
  await sender.broadcast(transactionId);
  const sent = await sender.waitForConfirmation(transactionId, { timeoutMs });
  if (sent.state !== "pending" && hasEffect(sent.receipt)) {
    return { state: "done", receipt: sent.receipt };
  }
  // The order matters: a block that is finalized before the receipt is fetched cannot change.
  const finalized = await getFinalizedHeight(sender.chain);
  const result = await sender.confirmTransaction(transactionId);
  if (result.state === "pending") {
    return { state: (await sender.isNonceTaken(transactionId)) ? "replaced" : "pending" };
  }
  if (finalized === null || result.blockNumber > finalized) return { state: "pending" };
  const { receipt } = result;
  return hasEffect(receipt) ? { state: "done", receipt } : { state: "failed" };
}
