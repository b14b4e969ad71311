import { inArray } from "drizzle-orm";
import { attemptsOf } from "@/server/chain/broadcast";
import { disputes } from "@/server/disputes/tables";
import type { Database } from "@/server/lib/context";
import { outcomes, refunds } from "@/server/outcomes/tables";
import { anchors, ledgerRecords } from "@/server/reputation/tables";

/**
 * Updates the transaction hash of settled records to the attempt that contains them. After a reorg
 * that may be another attempt of the same transaction; the position within it stays the same.
 */
export async function followAttempt(
  db: Database,
  transactionId: string,
  txHash: string,
): Promise<void> {
  const attempts = await attemptsOf(db, transactionId);
  const others = attempts.map(({ hash }) => hash).filter((hash) => hash !== txHash);
  if (others.length === 0) return;
  await db.transaction(async (tx) => {
    await tx.update(ledgerRecords).set({ txHash }).where(inArray(ledgerRecords.txHash, others));
    await tx.update(outcomes).set({ onChainTx: txHash }).where(inArray(outcomes.onChainTx, others));
    await tx.update(disputes).set({ onChainTx: txHash }).where(inArray(disputes.onChainTx, others));
    await tx.update(refunds).set({ onChainTx: txHash }).where(inArray(refunds.onChainTx, others));
    await tx.update(anchors).set({ txHash }).where(inArray(anchors.txHash, others));
    await tx
      .update(anchors)
      .set({ revokedTxHash: txHash })
      .where(inArray(anchors.revokedTxHash, others));
  });
}
