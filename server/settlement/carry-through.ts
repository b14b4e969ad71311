import { and, eq, isNull } from "drizzle-orm";
import { finalizedHeight, hastenFinality } from "@/server/chain/finality";
import type { Sender } from "@/server/chain/sender";
import type { Core } from "@/server/lib/context";
import { settleTransaction } from "./settle-transaction";
import { recordings } from "./tables";

/** The chain has not confirmed a record yet; retry. */
export class NotConfirmedYet extends Error {
  override name = "NotConfirmedYet";
}

/**
 * Broadcasts a signed transaction, waits for its confirmation and settles its records. Safe to
 * repeat: it sends the same bytes and settles only unsettled records. A transaction that was
 * reverted, or lost its nonce to another user of the key, recorded nothing; once that is final,
 * its records are released to be signed again. Throws `NotConfirmedYet` after `patienceMs`.
 */
export async function carryThrough(
  core: Core,
  sender: Sender,
  transactionId: string,
  patienceMs = 20_000,
): Promise<void> {
  await sender.broadcast(transactionId);
  const result = await sender.waitForConfirmation(transactionId, { timeoutMs: patienceMs });
  if (result.state === "pending") {
    if (await sender.isSuperseded(transactionId)) {
      await giveBack(core, transactionId);
      core.log.error({ transactionId }, "its nonce is taken: who else uses the recorder's key?");
      return;
    }
    throw new NotConfirmedYet(`transaction ${transactionId} is pending`);
  }
  if (result.state === "reverted") {
    const isFinal = await isRevertedForGood(sender, transactionId);
    core.log.error({ transactionId, isFinal }, "the registry reverted a transaction of records");
    // If it is not final, the sweep retries it; no later transaction has to wait for it.
    if (isFinal) await giveBack(core, transactionId);
    return;
  }
  await settleTransaction(core, { transactionId, receipt: result.receipt, now: new Date() });
}

/** A reorg can run a reverted transaction again, and it may record then. */
async function isRevertedForGood(sender: Sender, transactionId: string): Promise<boolean> {
  await hastenFinality(sender.chain);
  // The order matters: a block that is finalized before the receipt is fetched cannot change.
  const finalized = await finalizedHeight(sender.chain);
  const result = await sender.confirmTransaction(transactionId);
  return result.state === "reverted" && finalized !== null && result.blockNumber <= finalized;
}

async function giveBack(core: Core, transactionId: string): Promise<void> {
  await core.db
    .delete(recordings)
    .where(and(eq(recordings.transactionId, transactionId), isNull(recordings.settledAt)));
}
