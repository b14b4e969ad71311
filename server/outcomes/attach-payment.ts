import { and, desc, eq, gte, inArray, isNull, lt, lte, or } from "drizzle-orm";
import {
  claimTransfer,
  type UsdcTransfer,
  type UsedTransfer,
} from "@/server/chain/payments/payment";
import { createPaymentUsedError } from "@/server/chain/payments/require-payment";
import { usedTransfers } from "@/server/chain/tables";
import type { Core, Transaction } from "@/server/lib/context";
import { readDatabaseTime } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import { DAY_MS } from "@/server/lib/time";
import { findRefund } from "./queries";
import { outcomes, refunds } from "./tables";

/** The transfers of one transaction that can prove a payment. One of them is attached. */
export interface NamedPayment {
  transfers: UsdcTransfer[];
  /**
   * Until when the submitter, as their payer, can take them over from the contractor's outcomes; null
   * if it is the contractor.
   */
  payerUntil: Date | null;
}

/**
 * Attaches the first of the payment's transfers to the outcome that its submitter may name. A
 * transfer belongs to its payer, the requester: it may also name one that the contractor's outcome
 * has, which is then superseded. Throws `payment-used`, and for a contractor `payment-reserved`.
 */
export async function attachPayment(
  core: Pick<Core, "chain" | "env">,
  tx: Transaction,
  outcomeId: string,
  { transfers, payerUntil }: NamedPayment,
): Promise<void> {
  const now = await readDatabaseTime(tx);
  const transfer = payerUntil
    ? ((await claimTransfer(tx, core.chain, transfers, "payment")) ??
      (await takeOver(core, tx, { outcomeId, transfers, until: payerUntil, now })))
    : await claimUnreserved(core, tx, transfers, now);
  const { id: paymentTransferId, txHash: paymentTxHash, amountMicro: paidMicro } = transfer;
  await tx
    .update(outcomes)
    .set({ paymentTransferId, paymentTxHash, paidMicro })
    .where(eq(outcomes.id, outcomeId));
}

interface TakeOver {
  /** The payer's new outcome. */
  outcomeId: string;
  transfers: UsdcTransfer[];
  until: Date;
  now: Date;
}

/**
 * Supersedes the first outcome of the contractor that has one of the payment's transfers with the
 * payer's new one. Returns that transfer. Throws `payment-used` with the reason if there is none.
 */
async function takeOver(
  { chain }: Pick<Core, "chain">,
  tx: Transaction,
  { outcomeId, transfers, until, now }: TakeOver,
): Promise<UsedTransfer> {
  const [{ txHash } = { txHash: "" }] = transfers;
  const logIndexes = transfers.map(({ logIndex }) => logIndex);
  // Locked, so that a dispute, a refund or another submission of the payer is decided before or
  // after. Superseded ones too: a concurrent submission may have changed them while this one waited.
  const using = await tx
    .select({ outcome: outcomes, transfer: usedTransfers })
    .from(usedTransfers)
    .innerJoin(outcomes, eq(outcomes.paymentTransferId, usedTransfers.id))
    .where(
      and(
        eq(usedTransfers.chainId, chain.id),
        eq(usedTransfers.txHash, txHash),
        inArray(usedTransfers.logIndex, logIndexes),
        eq(outcomes.submittedBy, "contractor"),
      ),
    )
    .orderBy(usedTransfers.logIndex)
    .for("no key update", { of: outcomes });
  let refusal: AppError | undefined;
  for (const { outcome, transfer } of using) {
    const obstacle = await findObstacle(tx, outcome, until, now);
    if (obstacle === null) {
      const isIt = eq(outcomes.id, outcome.id);
      await tx.update(outcomes).set({ supersededBy: outcomeId }).where(isIt);
      return transfer;
    }
    refusal ??= new AppError("payment-used", obstacle);
  }
  throw refusal ?? createPaymentUsedError(chain);
}

/** Returns why the payer can't supersede a locked outcome of its contractor; null if it can. */
async function findObstacle(
  tx: Transaction,
  { id, supersededBy, disputeId }: typeof outcomes.$inferSelect,
  until: Date,
  now: Date,
): Promise<string | null> {
  if (supersededBy) return `Your outcome ${supersededBy} already has this payment.`;
  const named = `The contractor's outcome ${id} has this payment`;
  if (disputeId) return `${named}, and its verdict is disputed: see dispute ${disputeId}.`;
  const refund = await findRefund(tx, id);
  if (refund) return `${named}, which was returned in transaction ${refund.txHash}.`;
  if (now <= until) return null;
  return `${named}. You could submit your own outcome for it until ${until.toISOString()}.`;
}

/**
 * Claims the first unused transfer for a contractor that can't be a refund owed to it. Otherwise a
 * stranger could pay an agent without being asked, report a failure, and name the refund as the
 * payment of its own work. Throws `payment-reserved` if every unused one can be, and `payment-used`.
 */
async function claimUnreserved(
  core: Pick<Core, "chain" | "env">,
  tx: Transaction,
  transfers: UsdcTransfer[],
  now: Date,
): Promise<UsedTransfer> {
  let refusal: AppError | undefined;
  for (const transfer of transfers) {
    const owed = await findRefundable(core, tx, transfer, now);
    if (owed) refusal ??= createReservedError(core, transfer, owed);
    const claimed = owed ? null : await claimTransfer(tx, core.chain, [transfer], "payment");
    if (claimed) return claimed;
  }
  throw refusal ?? createPaymentUsedError(core.chain);
}

interface Refundable {
  id: string;
  /** Null while it is being judged. */
  resolvedAt: Date | null;
}

/** Returns the outcome whose payment `transfer` could return for the longest time, if there is any. */
async function findRefundable(
  { env }: Pick<Core, "env">,
  tx: Transaction,
  transfer: UsdcTransfer,
  now: Date,
): Promise<Refundable | undefined> {
  const [refundable] = await tx
    .select({ id: outcomes.id, resolvedAt: outcomes.resolvedAt })
    .from(outcomes)
    .leftJoin(usedTransfers, eq(usedTransfers.id, outcomes.paymentTransferId))
    .leftJoin(refunds, eq(refunds.outcomeId, outcomes.id))
    .where(
      and(
        eq(outcomes.contractor, transfer.from),
        eq(outcomes.requester, transfer.to),
        gte(outcomes.paidMicro, 1n),
        lte(outcomes.paidMicro, transfer.amountMicro),
        // Unknown if the payment was only known to a lost database.
        or(isNull(usedTransfers.id), lt(usedTransfers.blockNumber, transfer.blockNumber)),
        or(
          isNull(outcomes.resolvedAt),
          gte(outcomes.resolvedAt, new Date(now.getTime() - env.DISPUTE_WINDOW)),
        ),
        isNull(outcomes.supersededBy),
        isNull(refunds.id),
      ),
    )
    .orderBy(desc(outcomes.resolvedAt))
    .limit(1);
  return refundable;
}

function createReservedError(
  { env }: Pick<Core, "env">,
  { from }: UsdcTransfer,
  { id, resolvedAt }: Refundable,
): AppError {
  const until = resolvedAt && new Date(resolvedAt.getTime() + env.DISPUTE_WINDOW).toISOString();
  const end = until ?? `${env.DISPUTE_WINDOW / DAY_MS} days after its verdict`;
  return new AppError(
    "payment-reserved",
    `This transfer can return the payment of outcome ${id}. Until ${end}, only its payer, ${from}, can name it.`,
    { extra: { outcomeId: id, ...(until ? { until } : {}) } },
  );
}
