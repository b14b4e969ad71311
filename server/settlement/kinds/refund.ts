import { and, eq, inArray, isNull } from "drizzle-orm";
import { type Hex, zeroHash } from "viem";
import { claimTransfer, type UsedTransfer } from "@/server/chain/payments/payment";
import { extractTransfers } from "@/server/chain/payments/transfers";
import type { RecordOf } from "@/server/chain/registry/ledger";
import { getCanonicalReceipt } from "@/server/chain/transactions/confirm";
import type { Core, Transaction } from "@/server/lib/context";
import type { OutcomeRow } from "@/server/outcomes/public-outcome";
import { findOutcome } from "@/server/outcomes/queries";
import { refunds } from "@/server/outcomes/tables";
import { toDate } from "./rebuild";
import { applyRecord, findRecords, type RecordKind, whereUnrecorded } from "./record-kind";

/** Most refunds of which `signPending` makes records in one call. */
export const MAX_REFUNDS = 50;

/** Matches accepted refunds without a record. */
export const whereRefundUnrecorded = and(
  isNull(refunds.refundedAt),
  whereUnrecorded("refund", refunds.id),
);

const pending = { table: refunds, since: refunds.acceptedAt, where: whereRefundUnrecorded };

/** The contractor's return of a payment. Recorded once its transfer is confirmed. */
export const refundKind: RecordKind<"refund"> = {
  pending,
  find(tx, selection) {
    const where = and(pending.where, inArray(refunds.id, selection.confirmed));
    return findRecords(tx, { ...pending, where }, selection, ({ outcomeId, txHash }) => ({
      type: "refund",
      outcomeId,
      at: selection.now,
      paymentTx: txHash,
    }));
  },
  max: MAX_REFUNDS,
  async settle(core, tx, [settlement]) {
    const { subjectId, record, place } = settlement;
    const [refund] = await tx
      .update(refunds)
      .set({
        refundedAt: toDate(record.at),
        onChainTx: place.txHash,
        recordIndex: place.logIndex,
      })
      .where(and(eq(refunds.id, subjectId), isNull(refunds.refundedAt)))
      .returning({ outcomeId: refunds.outcomeId });
    if (refund) await applyRecord(core, tx, settlement, refund);
  },
  async import(core, tx, confirmed) {
    const { record, place } = confirmed;
    const outcome = await findOutcome(tx, record.outcomeId);
    if (!outcome) throw new Error(`record ${place.seq} belongs to an unknown outcome`);
    const subjectId =
      outcome.refund && outcome.refund.txHash === record.paymentTx
        ? outcome.refund.id
        : await storeRefund(core, tx, record, outcome);
    await refundKind.settle(core, tx, [{ ...confirmed, subjectId }]);
    return [subjectId];
  },
  updateTxHash: (tx, from, to) =>
    tx.update(refunds).set({ onChainTx: to }).where(inArray(refunds.onChainTx, from)),
};

/**
 * Stores the recorded refund and returns its id. Overwrites a stored refund with a different
 * transaction, because that one was abandoned after the backup was made.
 */
async function storeRefund(
  core: Pick<Core, "chain">,
  tx: Transaction,
  record: RecordOf<"refund">,
  outcome: OutcomeRow,
): Promise<string> {
  const transfer = await claimRefundTransfer(core, tx, record, outcome);
  const values = {
    transferId: transfer?.id ?? null,
    txHash: record.paymentTx ?? zeroHash,
    // Without the transfer, assumes that exactly the payment was returned.
    amountMicro: transfer?.amountMicro ?? outcome.paidMicro,
    acceptedAt: toDate(record.at),
  };
  const [stored] = await tx
    .insert(refunds)
    .values({ ...values, outcomeId: outcome.id })
    .onConflictDoUpdate({ target: refunds.outcomeId, set: values })
    .returning({ id: refunds.id });
  if (!stored) throw new Error("the refund was not stored");
  return stored.id;
}

/**
 * Claims the transfer of a refund. Its transaction may contain several transfers between the two
 * wallets, and the record doesn't say which one counted. Claims the smallest sufficient one, which
 * leaves the larger ones for refunds of other outcomes. Returns null if no unused transfer suffices.
 */
async function claimRefundTransfer(
  { chain }: Pick<Core, "chain">,
  tx: Transaction,
  { paymentTx }: RecordOf<"refund">,
  { contractor, requester, paidMicro }: OutcomeRow,
): Promise<UsedTransfer | null> {
  const receipt = paymentTx ? await getCanonicalReceipt(chain, paymentTx as Hex) : null;
  if (!receipt) return null;
  const sufficientTransfers = extractTransfers(chain, receipt)
    .filter(
      ({ from, to, amountMicro }) =>
        from === contractor && to === requester && amountMicro >= paidMicro,
    )
    .sort((a, b) => Number(a.amountMicro - b.amountMicro));
  return claimTransfer(tx, chain, sufficientTransfers, "refund");
}
