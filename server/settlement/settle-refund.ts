import { and, eq, isNull } from "drizzle-orm";
import type { RefundRecord } from "@/server/chain/registry/ledger";
import type { Core, Transaction } from "@/server/lib/context";
import { outcomes, refunds } from "@/server/outcomes/tables";
import { updateReputation } from "@/server/reputation/update";
import { insertLedgerRecords, type Settlement } from "./insert-ledger-records";

/**
 * Settles a confirmed refund inside the caller's transaction: makes the refund final, inserts its
 * record into the ledger, updates the contractor's score and history and publishes the score's
 * event. Repeating it changes nothing. Throws if the record belongs to another outcome.
 */
export async function settleRefund(
  core: Pick<Core, "publish">,
  tx: Transaction,
  { refundId, record, place, now }: Settlement<RefundRecord> & { refundId: string },
): Promise<void> {
  const [refund] = await tx
    .update(refunds)
    .set({
      refundedAt: new Date(record.at * 1000),
      onChainTx: place.txHash,
      recordIndex: place.logIndex,
    })
    .where(and(eq(refunds.id, refundId), isNull(refunds.refundedAt)))
    .returning({ outcomeId: refunds.outcomeId });
  if (!refund) return;
  const { outcomeId } = refund;
  if (record.outcomeId !== outcomeId) {
    throw new Error(`record ${place.seq} belongs to outcome ${record.outcomeId}`);
  }
  const [outcome] = await tx
    .select({ contractor: outcomes.contractor })
    .from(outcomes)
    .where(eq(outcomes.id, outcomeId));
  if (!outcome) throw new Error(`outcome ${outcomeId} of refund ${refundId} does not exist`);
  await insertLedgerRecords(tx, [{ record, place }]);
  const { event } = await updateReputation(tx, {
    wallet: outcome.contractor,
    cause: "refund",
    outcomeId,
    seq: place.seq,
    now,
  });
  if (event) await core.publish(tx, [event]);
}
