import { eq } from "drizzle-orm";
import { type Hex, zeroHash } from "viem";
import { claimTransfer, type UsedTransfer } from "@/server/chain/payments/payment";
import { extractTransfers } from "@/server/chain/payments/transfers";
import type { RecordPlace, RefundRecord } from "@/server/chain/registry/ledger";
import { getCanonicalReceipt } from "@/server/chain/transactions/confirm";
import type { Core, Transaction } from "@/server/lib/context";
import type { OutcomeRow } from "@/server/outcomes/public-outcome";
import { findOutcome } from "@/server/outcomes/queries";
import { refunds } from "@/server/outcomes/tables";
import { settleRefund } from "@/server/settlement/settle-refund";

/**
 * Settles, in `tx`, a refund that the registry has and the database lacks, and marks the transfer
 * that returned the payment as used. Returns the refund's id. Throws if the outcome is unknown or
 * the node does not respond.
 */
export async function importRefund(
  core: Pick<Core, "chain" | "publish">,
  tx: Transaction,
  record: RefundRecord,
  place: RecordPlace,
): Promise<string> {
  const outcome = await findOutcome(tx, record.outcomeId);
  if (!outcome) throw new Error(`record ${place.seq} belongs to an unknown outcome`);
  const refundId =
    outcome.refund && outcome.refund.txHash === record.paymentTx
      ? outcome.refund.id
      : await storeRefund(core, tx, record, outcome);
  await settleRefund(core, tx, { refundId, record, place, now: new Date(record.at * 1000) });
  return refundId;
}

/**
 * Stores the recorded refund and returns its id. Overwrites a stored refund with a different
 * transaction, because that one was abandoned after the backup was made.
 */
async function storeRefund(
  core: Pick<Core, "chain">,
  tx: Transaction,
  record: RefundRecord,
  outcome: OutcomeRow,
): Promise<string> {
  const transfer = await claimRefundTransfer(core, tx, record, outcome);
  const values = {
    transferId: transfer?.id ?? null,
    txHash: record.paymentTx ?? zeroHash,
    // Without the transfer, assumes that exactly the payment was returned.
    amountMicro: transfer?.amountMicro ?? outcome.paidMicro,
    acceptedAt: new Date(record.at * 1000),
  };
  if (outcome.refund) {
    await tx.update(refunds).set(values).where(eq(refunds.id, outcome.refund.id));
    return outcome.refund.id;
  }
  const [inserted] = await tx
    .insert(refunds)
    .values({ ...values, outcomeId: outcome.id })
    .returning({ id: refunds.id });
  if (!inserted) throw new Error("the refund was not stored");
  return inserted.id;
}

/**
 * Claims the transfer of a refund. Its transaction may contain several transfers between the two
 * wallets, and the record doesn't say which one counted. Claims the smallest sufficient one, which
 * leaves the larger ones for refunds of other outcomes. Returns null if no unused transfer suffices.
 */
async function claimRefundTransfer(
  { chain }: Pick<Core, "chain">,
  tx: Transaction,
  { paymentTx }: RefundRecord,
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
