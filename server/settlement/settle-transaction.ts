import { and, asc, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import type { TransactionReceipt } from "viem";
import { decodeRecords, type PlacedRecord } from "@/server/chain/registry/decode-records";
import { chainAttempts } from "@/server/chain/tables";
import { getFinalizedHeight, mineLocalBlocks } from "@/server/chain/transactions/finality";
import type { Sender } from "@/server/chain/transactions/sender";
import { pipeline } from "@/server/db/pipeline";
import { disputes } from "@/server/disputes/tables";
import type { Core, Transaction } from "@/server/lib/context";
import { outcomes, refunds } from "@/server/outcomes/tables";
import { wakeRecorder } from "@/server/outcomes/wake-recorder";
import { anchors, ledgerRecords } from "@/server/reputation/tables";
import { settleAnchor } from "./settle-anchor";
import { settleDispute } from "./settle-dispute";
import { settleOutcomes } from "./settle-outcomes";
import { settleRefund } from "./settle-refund";
import { settleSuperseded } from "./settle-superseded";
import { settleTakeover } from "./settle-takeover";
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

interface ConfirmedTransaction {
  transactionId: string;
  receipt: TransactionReceipt;
  now: Date;
}

/** A signed record and what the chain has at its position. */
interface Found extends PlacedRecord {
  recordingId: string;
  subjectId: string;
}

/**
 * Settles all records of a confirmed transaction in one SQL transaction; an anchor, which can change
 * any number of scores, in resumable batches. Records settled before only get their current
 * position, so it is safe to repeat or to run concurrently. Throws if the chain contains something
 * other than what was signed.
 */
export async function settleTransaction(
  core: Core,
  { transactionId, receipt, now }: ConfirmedTransaction,
): Promise<void> {
  const placed = decodeRecords(receipt.logs, core.chain.registryAddress);
  const found = await core.db.transaction(async (tx) => {
    const [unsettled, others] = await pipeline(tx, [
      () => lockUnsettled(tx, transactionId),
      () => findOtherHashes(tx, transactionId, receipt.transactionHash),
    ]);
    const otherHashes = others.map(({ hash }) => hash);
    if (otherHashes.length > 0) await updateTxHash(tx, otherHashes, receipt.transactionHash);
    const found = unsettled.map((recording) => findRecord(placed, recording));
    await settleRecords(core, tx, found, now);
    return found;
  });
  for (const { record, place, recordingId, subjectId: anchorId } of found) {
    if (record.type !== "anchor" && record.type !== "anchor-revoked") continue;
    await settleAnchor(core, { recordingId, anchorId, record, place, now });
  }
}

type Recording = typeof recordings.$inferSelect;

/** A concurrent settlement waits here for the first one, and then finds the records settled. */
function lockUnsettled(tx: Transaction, transactionId: string) {
  return tx
    .select()
    .from(recordings)
    .where(and(eq(recordings.transactionId, transactionId), isNull(recordings.settledAt)))
    .orderBy(asc(recordings.position))
    .for("update")
    .prepare("lock_unsettled");
}

function findRecord(
  placed: PlacedRecord[],
  { id, kind, subjectId, position, transactionId }: Recording,
): Found {
  const found = placed[position];
  const isSameOutcome = found?.record.type !== "outcome" || found.record.id === subjectId;
  if (found?.record.type !== kind || !isSameOutcome) {
    throw new Error(`transaction ${transactionId} has no ${kind} ${subjectId} at ${position}`);
  }
  return { ...found, recordingId: id, subjectId };
}

/**
 * Settles records in `tx`, except anchors. A transaction holds either outcomes or one other record
 * (`encodeRecords`), so the order between them does not matter.
 */
async function settleRecords(
  core: Core,
  tx: Transaction,
  found: Found[],
  now: Date,
): Promise<void> {
  const confirmed = found.flatMap(({ record, place }) =>
    record.type === "outcome" ? [{ record, place }] : [],
  );
  const isAwaited = await settleOutcomes(core, tx, confirmed, now);
  const settled = found.filter(({ record }) => !record.type.startsWith("anchor"));
  for (const { record, place, subjectId } of settled) {
    if (record.type === "dispute") {
      await settleDispute(core, tx, { disputeId: subjectId, record, place, now });
    }
    if (record.type === "refund") {
      await settleRefund(core, tx, { refundId: subjectId, record, place, now });
    }
    if (record.type === "superseded") await settleSuperseded(core, tx, { record, place, now });
    if (record.type === "takeover") await settleTakeover(core, tx, { record, place, now });
  }
  if (settled.length > 0) {
    const ids = settled.map(({ recordingId }) => recordingId);
    // One text for any number of records, so that it stays prepared.
    await tx
      .update(recordings)
      .set({ settledAt: now })
      .where(sql`${recordings.id} = any(${sql.param(ids)}::uuid[])`)
      .prepare("mark_settled")
      .execute();
  }
  if (isAwaited) await wakeRecorder(core, tx);
}

/** Finds the hashes of the transaction's attempts other than the mined one. */
function findOtherHashes(tx: Transaction, transactionId: string, minedHash: string) {
  const { hash } = chainAttempts;
  return tx
    .select({ hash })
    .from(chainAttempts)
    .where(and(eq(chainAttempts.transactionId, transactionId), ne(hash, minedHash)))
    .prepare("other_hashes");
}

/**
 * Updates the transaction hash of settled records to the attempt that contains them. After a reorg
 * that may be another attempt of the same transaction; the position within it stays the same.
 */
async function updateTxHash(tx: Transaction, others: string[], txHash: string): Promise<void> {
  await tx.update(ledgerRecords).set({ txHash }).where(inArray(ledgerRecords.txHash, others));
  await tx.update(outcomes).set({ onChainTx: txHash }).where(inArray(outcomes.onChainTx, others));
  await tx
    .update(outcomes)
    .set({ supersededTx: txHash })
    .where(inArray(outcomes.supersededTx, others));
  await tx.update(disputes).set({ onChainTx: txHash }).where(inArray(disputes.onChainTx, others));
  await tx.update(refunds).set({ onChainTx: txHash }).where(inArray(refunds.onChainTx, others));
  await tx.update(anchors).set({ txHash }).where(inArray(anchors.txHash, others));
  await tx
    .update(anchors)
    .set({ revokedTxHash: txHash })
    .where(inArray(anchors.revokedTxHash, others));
}
