import { and, eq, inArray, sql } from "drizzle-orm";
import { usedTransfers } from "@/server/chain/tables";
import type { ChainInfo, Core, Transaction } from "@/server/lib/context";
import { refunds } from "@/server/outcomes/tables";
import { markGone, type Recheck, recheckTransfers } from "./recheck-payments";
import { isRefundUnrecorded, unrecorded } from "./waiting";

/**
 * Looks again at the transfers of `limit` accepted refunds without a record. Changes nothing. Throws
 * if the node is silent.
 */
export async function recheckRefunds(
  { db }: Pick<Core, "db">,
  chain: ChainInfo,
  { limit, now }: { limit: number; now: Date },
): Promise<Recheck> {
  const accepted = await db
    .select({ subjectId: refunds.id, transfer: usedTransfers })
    .from(refunds)
    .innerJoin(usedTransfers, eq(usedTransfers.id, refunds.transferId))
    .where(isRefundUnrecorded(db))
    // Not the oldest first: some that the registry refuses would keep all others out.
    .orderBy(sql`random()`)
    .limit(limit);
  return recheckTransfers(chain, accepted, now);
}

/**
 * Deletes refunds whose transfer is lost and that have no record, so that the payment can be returned
 * once more. The caller holds the lock under which records are made.
 */
export async function forgetLostRefunds(
  { log }: Pick<Core, "log">,
  tx: Transaction,
  lost: Recheck["lost"],
): Promise<void> {
  if (lost.length === 0) return;
  const ids = lost.map(({ subjectId }) => subjectId);
  const forgotten = await tx
    .delete(refunds)
    .where(and(inArray(refunds.id, ids), unrecorded(tx, "refund", refunds.id)))
    .returning({ id: refunds.id, outcomeId: refunds.outcomeId, transferId: refunds.transferId });
  if (forgotten.length === 0) return;
  const freed = lost.filter(({ subjectId }) => forgotten.some(({ id }) => id === subjectId));
  await markGone(tx, freed);
  // One that may come back has proven nothing yet: then it can be named once more.
  const away = freed.filter(({ isGone }) => !isGone).map(({ transfer }) => transfer.id);
  await tx.delete(usedTransfers).where(inArray(usedTransfers.id, away));
  log.warn(
    { outcomes: forgotten.map(({ outcomeId }) => outcomeId) },
    "the chain no longer has the transfers of these refunds: the payments count as not returned",
  );
}
