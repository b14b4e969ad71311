import { and, eq, inArray, sql } from "drizzle-orm";
import { usedTransfers } from "@/server/chain/tables";
import type { ChainInfo, Core, Transaction } from "@/server/lib/context";
import { refunds } from "@/server/outcomes/tables";
import { markGone, type Recheck, recheckTransfers } from "./recheck-payments";
import { isRefundUnrecorded, unrecorded } from "./waiting";

/**
 * Rechecks the transfers of up to `limit` accepted refunds without a record. Changes nothing.
 * Throws if the node is unreachable.
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
    // Random order, so that refunds that the registry refuses do not starve the others.
    .orderBy(sql`random()`)
    .limit(limit);
  return recheckTransfers(chain, accepted, now);
}

/**
 * Deletes refunds whose transfer is lost and that have no record, so that the payment can be
 * returned again. The caller must hold the signing lock.
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
  // A transfer that may be mined again has proven nothing yet, so it can be named again.
  const away = freed.filter(({ isGone }) => !isGone).map(({ transfer }) => transfer.id);
  await tx.delete(usedTransfers).where(inArray(usedTransfers.id, away));
  log.warn(
    { outcomes: forgotten.map(({ outcomeId }) => outcomeId) },
    "the chain no longer has the transfers of these refunds: the payments count as not returned",
  );
}
