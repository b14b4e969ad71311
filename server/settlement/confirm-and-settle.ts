import { and, eq, isNull } from "drizzle-orm";
import { getFinalizedHeight, mineLocalBlocks } from "@/server/chain/transactions/finality";
import type { Sender } from "@/server/chain/transactions/sender";
import type { Core } from "@/server/lib/context";
import { settleTransaction } from "./settle-transaction";
import { recordings } from "./tables";

/** The chain has not confirmed a record yet; retry. */
export class NotConfirmedYet extends Error {
  override name = "NotConfirmedYet";
}

const TIMEOUT_MS = 20_000;

/**
 * Broadcasts a signed transaction and settles it as `settleOnceConfirmed` does. Safe to repeat: it
 * sends the same bytes and settles only unsettled records.
 */
export async function confirmAndSettle(
  core: Core,
  sender: Sender,
  transactionId: string,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  await sender.broadcast(transactionId);
  await settleOnceConfirmed(core, sender, transactionId, timeoutMs);
}

/**
 * Waits for the confirmation of a transaction and settles its records. A transaction that was
 * reverted, or lost its nonce to another user of the key, recorded nothing; once that is final,
 * its records are released to be signed again. Throws `NotConfirmedYet` after `timeoutMs`.
 */
export async function settleOnceConfirmed(
  core: Core,
  sender: Sender,
  transactionId: string,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const result = await sender.waitForConfirmation(transactionId, { timeoutMs });
  if (result.state === "pending") {
    if (await sender.isNonceTaken(transactionId)) {
      await releaseRecords(core, transactionId);
      core.log.error(
        { transactionId },
        "another transaction used this nonce: something else signs with the recorder's key",
      );
      return;
    }
    throw new NotConfirmedYet(`transaction ${transactionId} is pending`);
  }
  if (result.state === "reverted") {
    const isFinal = await isRevertFinal(sender, transactionId);
    core.log.error({ transactionId, isFinal }, "the registry reverted a transaction");
    // If it is not final, `settle-stalled-records` retries it; no later transaction has to wait for it.
    if (isFinal) await releaseRecords(core, transactionId);
    return;
  }
  await settleTransaction(core, { transactionId, receipt: result.receipt, now: new Date() });
}

/** A reorg can run a reverted transaction again, and it may record then. */
async function isRevertFinal(sender: Sender, transactionId: string): Promise<boolean> {
  await mineLocalBlocks(sender.chain);
  // The order matters: a block that is finalized before the receipt is fetched cannot change.
  const finalized = await getFinalizedHeight(sender.chain);
  const result = await sender.confirmTransaction(transactionId);
  return result.state === "reverted" && finalized !== null && result.blockNumber <= finalized;
}

async function releaseRecords(core: Core, transactionId: string): Promise<void> {
  await core.db
    .delete(recordings)
    .where(and(eq(recordings.transactionId, transactionId), isNull(recordings.settledAt)));
}
