import { and, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import { getTransferStatus, type UsedTransfer } from "@/server/chain/payments/payment";
import { usedTransfers } from "@/server/chain/tables";
import type { ChainInfo, Core, Sql, Transaction } from "@/server/lib/context";
import { HOUR_MS } from "@/server/lib/time";
import { outcomes, refunds } from "@/server/outcomes/tables";
import { whereOutcomeUnrecorded } from "./kinds/outcome";
import { whereUnrecorded } from "./kinds/record-kind";
import { whereRefundUnrecorded } from "./kinds/refund";

const CONCURRENT_RECHECKS = 10;
/** Three times what Base takes to finalize; a transfer that is missing for longer counts as lost. */
const LOST_AFTER_MS = HOUR_MS;

/** A subject whose record is pending, and the transfer that proves it. */
interface ProvenSubject {
  /** Outcome or refund id. */
  subjectId: string;
  transfer: UsedTransfer;
}

interface LostTransfer extends ProvenSubject {
  /** False if the transfer may still be mined again. */
  isDropped: boolean;
}

/** State of the transfers behind pending records; a subject in neither list stays pending. */
interface Recheck {
  /** Subjects whose transfer is deep enough in the chain. */
  confirmed: string[];
  /** Transfers that a reorg removed, or that did not return after it. */
  lost: LostTransfer[];
}

/**
 * Maps a transfer id to the time since which this process has found it missing at every check.
 * Cleared if the node does not respond, since nothing is known about the time between. Bounded,
 * because transfers whose outcome or refund no longer needs a record are not checked again.
 */
const reorgedSince = new LRUCache<string, number>({ max: 10_000 });

/** Finds the payments of up to `limit` judged outcomes without a record. */
export function findPendingPayments(db: Sql, limit: number) {
  return (
    db
      .select({ subjectId: outcomes.id, transfer: usedTransfers })
      .from(outcomes)
      .innerJoin(usedTransfers, eq(usedTransfers.id, outcomes.paymentTransferId))
      .where(and(whereOutcomeUnrecorded, gt(outcomes.paidMicro, 0n)))
      // Random order, so that outcomes that the registry refuses do not starve the others.
      .orderBy(sql`random()`)
      .limit(limit)
      .prepare("pending_payments")
  );
}

/** Finds the transfers of up to `limit` accepted refunds without a record. */
export function findPendingReturns(db: Sql, limit: number) {
  return db
    .select({ subjectId: refunds.id, transfer: usedTransfers })
    .from(refunds)
    .innerJoin(usedTransfers, eq(usedTransfers.id, refunds.transferId))
    .where(whereRefundUnrecorded)
    .orderBy(sql`random()`)
    .limit(limit)
    .prepare("pending_returns");
}

/**
 * Rechecks transfers behind pending records. Changes nothing. Throws if the node is unreachable.
 */
export async function recheckTransfers(
  chain: ChainInfo,
  subjects: ProvenSubject[],
  now: Date,
): Promise<Recheck> {
  const found: Recheck = { confirmed: [], lost: [] };
  const recheck = pLimit(CONCURRENT_RECHECKS);
  const statuses = await recheck
    .map(subjects, ({ transfer }) => getTransferStatus(chain, transfer))
    .catch((error) => {
      reorgedSince.clear();
      recheck.clearQueue();
      throw error;
    });
  for (const [index, subject] of subjects.entries()) {
    const status = statuses[index];
    const { id } = subject.transfer;
    if (status !== "reorged") reorgedSince.delete(id);
    if (status === "confirmed" || status === "final") found.confirmed.push(subject.subjectId);
    if (status === "dropped") found.lost.push({ ...subject, isDropped: true });
    if (status !== "reorged") continue;
    const since = reorgedSince.get(id) ?? now.getTime();
    reorgedSince.set(id, since);
    if (now.getTime() - since > LOST_AFTER_MS) found.lost.push({ ...subject, isDropped: false });
  }
  return found;
}

/**
 * Sets lost payments of outcomes without a record to zero. The caller must hold the signing lock.
 */
export async function clearLostPayments(
  { log }: Pick<Core, "log">,
  tx: Transaction,
  lost: LostTransfer[],
): Promise<void> {
  if (lost.length === 0) return;
  const ids = lost.map(({ subjectId }) => subjectId);
  const cleared = await tx
    .update(outcomes)
    .set({ paidMicro: 0n })
    .where(and(inArray(outcomes.id, ids), whereUnrecorded("outcome", outcomes.id)))
    .returning({ id: outcomes.id });
  await markDropped(tx, lost);
  log.warn(
    { outcomes: cleared.map(({ id }) => id) },
    "the chain no longer has these outcomes' payments: they count as unpaid",
  );
}

/**
 * Deletes refunds whose transfer is lost and that have no record, so that the payment can be
 * returned again. The caller must hold the signing lock.
 */
export async function deleteLostRefunds(
  { log }: Pick<Core, "log">,
  tx: Transaction,
  lost: LostTransfer[],
): Promise<void> {
  if (lost.length === 0) return;
  const ids = lost.map(({ subjectId }) => subjectId);
  const deleted = await tx
    .delete(refunds)
    .where(and(inArray(refunds.id, ids), whereUnrecorded("refund", refunds.id)))
    .returning({ id: refunds.id, outcomeId: refunds.outcomeId });
  if (deleted.length === 0) return;
  const freed = lost.filter(({ subjectId }) => deleted.some(({ id }) => id === subjectId));
  await markDropped(tx, freed);
  // A transfer that may be mined again has proven nothing yet, so it can be named again.
  const reorged = freed.filter(({ isDropped }) => !isDropped).map(({ transfer }) => transfer.id);
  await tx.delete(usedTransfers).where(inArray(usedTransfers.id, reorged));
  log.warn(
    { outcomes: deleted.map(({ outcomeId }) => outcomeId) },
    "the chain no longer has the transfers of these refunds: the payments count as not returned",
  );
}

/** Marks the lost transfers that can no longer be mined as gone. */
async function markDropped(tx: Transaction, lost: LostTransfer[]): Promise<void> {
  const ids = lost.filter(({ isDropped }) => isDropped).map(({ transfer }) => transfer.id);
  await tx
    .update(usedTransfers)
    .set({ goneAt: new Date() })
    .where(and(inArray(usedTransfers.id, ids), isNull(usedTransfers.goneAt)));
}
