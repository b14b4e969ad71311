import type { TransactionReceipt } from "viem";
import { getFinalizedHeight } from "./finality";
import type { Sender } from "./sender";

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
