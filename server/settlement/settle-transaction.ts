import { and, asc, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import type { TransactionReceipt } from "viem";
import { decodeRecords, type PlacedRecord } from "@/server/chain/registry/decode-records";
import { chainAttempts } from "@/server/chain/tables";
import { getFinalizedHeight, mineLocalBlocks } from "@/server/chain/transactions/finality";
import type { Sender } from "@/server/chain/transactions/sender";
import { pipeline } from "@/server/db/pipeline";
import type { Core, Sql, Transaction } from "@/server/lib/context";
import { wakeRecorder } from "@/server/outcomes/wake-recorder";
import { ledgerRecords } from "@/server/reputation/tables";
import type { Settlement } from "./kinds/record-kind";
import { RECORD_KINDS } from "./record-kinds";
import { recordings } from "./tables";

/** The chain has not confirmed a record yet; retry. */
export class NotConfirmedYet extends Error {
  override name = "NotConfirmedYet";
}

const TIMEOUT_MS = 20_000;

/**
 * A confirmation takes seconds, so after a minute its own run has most likely died with the
 * process. Processing a transaction twice concurrently does no harm.
 */
export const UNSETTLED_STALLED_MS = 60_000;

/** Matches records that are signed, possibly on chain, and not settled. */
export const whereUnsettled = isNull(recordings.settledAt);

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
    // If it is not final, the sweep of `records` retries it; no later transaction has to wait for it.
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
    .where(and(eq(recordings.transactionId, transactionId), whereUnsettled));
}

interface ConfirmedTransaction {
  transactionId: string;
  receipt: TransactionReceipt;
  now: Date;
}

/** A signed record that the chain has. */
interface FoundRecord extends Settlement {
  recordingId: string;
}

/**
 * Settles all records of a confirmed transaction. Records settled before only get their current
 * position, so it is safe to repeat or to run concurrently. Throws if the chain contains something
 * other than what was signed.
 */
export async function settleTransaction(
  core: Core,
  { transactionId, receipt, now }: ConfirmedTransaction,
): Promise<void> {
  const placed = decodeRecords(receipt.logs, core.chain.registryAddress);
  await settleRecords(core, async (tx) => {
    const [unsettled, others] = await pipeline(tx, [
      () => lockUnsettled(tx, transactionId),
      () => findOtherHashes(tx, transactionId, receipt.transactionHash),
    ]);
    const otherHashes = others.map(({ hash }) => hash);
    if (otherHashes.length > 0) await updateTxHash(tx, otherHashes, receipt.transactionHash);
    return unsettled.map((recording) => ({ ...findRecord(placed, recording), now }));
  });
}

/**
 * Settles the records that `find` returns, all of one transaction, in one SQL transaction; an anchor,
 * which can change any number of scores, in resumable batches after it.
 */
export async function settleRecords(
  core: Core,
  find: (tx: Transaction) => Promise<FoundRecord[]>,
): Promise<void> {
  const found = await core.db.transaction(async (tx) => {
    const [first, ...others] = await find(tx);
    if (!first) return [];
    const kind = RECORD_KINDS[first.record.type];
    const isAwaited = await kind.settle(core, tx, [first, ...others]);
    if (!kind.finish) await markSettled(tx, [first, ...others]);
    if (isAwaited) await wakeRecorder(core, tx);
    return kind.finish ? [first, ...others] : [];
  });
  for (const record of found) {
    await RECORD_KINDS[record.record.type].finish?.(core, record);
    await markSettled(core.db, [record]);
  }
}

type Recording = typeof recordings.$inferSelect;

/** A concurrent settlement waits here for the first one, and then finds the records settled. */
function lockUnsettled(tx: Transaction, transactionId: string) {
  return tx
    .select()
    .from(recordings)
    .where(and(eq(recordings.transactionId, transactionId), whereUnsettled))
    .orderBy(asc(recordings.position))
    .for("update")
    .prepare("lock_unsettled");
}

function findRecord(
  placed: PlacedRecord[],
  { id, kind, subjectId, position, transactionId }: Recording,
): Omit<FoundRecord, "now"> {
  const found = placed[position];
  const isSameOutcome = found?.record.type !== "outcome" || found.record.id === subjectId;
  if (found?.record.type !== kind || !isSameOutcome) {
    throw new Error(`transaction ${transactionId} has no ${kind} ${subjectId} at ${position}`);
  }
  return { ...found, recordingId: id, subjectId };
}

async function markSettled(db: Sql, found: FoundRecord[]): Promise<void> {
  const ids = found.map(({ recordingId }) => recordingId);
  // One text for any number of records, so that it stays prepared.
  await db
    .update(recordings)
    .set({ settledAt: found[0]?.now })
    .where(and(sql`${recordings.id} = any(${sql.param(ids)}::uuid[])`, whereUnsettled))
    .prepare("mark_settled")
    .execute();
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
  for (const kind of Object.values(RECORD_KINDS)) await kind.updateTxHash?.(tx, others, txHash);
}
