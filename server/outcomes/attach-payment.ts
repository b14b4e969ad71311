import { and, desc, eq, gte, inArray, isNull, lt, lte, or } from "drizzle-orm";
import { claimTransfer, type UsedTransfer } from "@/server/chain/payments/payment";
import { createPaymentUsedError } from "@/server/chain/payments/require-payment";
import type { UsdcTransfer } from "@/server/chain/payments/transfers";
import type { X402Receipt } from "@/server/chain/schema";
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
  /** Whether the submitter is their payer; else it is the contractor. */
  isPayer: boolean;
  /** The contractor's receipt of this payment; null if none was submitted that proves it. */
  x402Receipt: X402Receipt | null;
}

/**
 * Time after the contractor's outcome resolved in which the payer can take the transfer over: not after
 * the transfer, since a contractor could name an old one.
 */
const PAYER_WINDOW_MS = 7 * DAY_MS;

type Dependencies = Pick<Core, "chain" | "env">;

/**
 * Attaches the first of the payment's transfers to the outcome that its submitter may name. A
 * transfer belongs to its payer, the requester: it may also name one that the contractor's outcome
 * has, which is then superseded. Throws `payment-used`, and for a contractor `payment-reserved`.
 */
export async function attachPayment(
  core: Dependencies,
  tx: Transaction,
  outcomeId: string,
  { transfers, isPayer, x402Receipt }: NamedPayment,
): Promise<void> {
  const set = (transfer: UsedTransfer) => setPayment(tx, outcomeId, transfer, x402Receipt);
  if (!isPayer) return set(await claimUnreserved(core, tx, transfers));
  const transfer =
    (await claimTransfer(tx, core.chain, transfers, "payment")) ??
    (await takeOver(core, tx, outcomeId, transfers));
  return set(transfer);
}

async function setPayment(
  tx: Transaction,
  outcomeId: string,
  { id: paymentTransferId, txHash: paymentTxHash, amountMicro: paidMicro }: UsedTransfer,
  x402Receipt: X402Receipt | null,
): Promise<void> {
  await tx
    .update(outcomes)
    .set({ paymentTransferId, paymentTxHash, paidMicro, x402Receipt })
    .where(eq(outcomes.id, outcomeId));
}

/**
 * Supersedes the first outcome of the contractor that has one of the transfers with the payer's new
 * one, `by`. Returns that transfer. Throws `payment-used` with the reason if there is none.
 */
async function takeOver(
  { chain }: Dependencies,
  tx: Transaction,
  by: string,
  transfers: UsdcTransfer[],
): Promise<UsedTransfer> {
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
        eq(usedTransfers.txHash, transfers[0]?.txHash ?? ""),
        inArray(usedTransfers.logIndex, logIndexes),
        eq(outcomes.submittedBy, "contractor"),
      ),
    )
    .orderBy(usedTransfers.logIndex)
    .for("no key update", { of: outcomes });
  let refusal: AppError | undefined;
  for (const { outcome, transfer } of using) {
    const obstacle = await findObstacle(tx, outcome);
    if (obstacle === null) {
      await tx.update(outcomes).set({ supersededBy: by }).where(eq(outcomes.id, outcome.id));
      return transfer;
    }
    refusal ??= new AppError("payment-used", obstacle);
  }
  throw refusal ?? createPaymentUsedError(chain);
}

/** Returns why the payer can't supersede a locked outcome of its contractor; null if it can. */
async function findObstacle(
  tx: Transaction,
  { id, supersededBy, disputeId, agreed, resolvedAt }: typeof outcomes.$inferSelect,
): Promise<string | null> {
  if (supersededBy) return `Your outcome ${supersededBy} already has this payment.`;
  const named = `The contractor's outcome ${id} has this payment`;
  if (agreed) return `${named}, under an agreement that both of you signed.`;
  if (disputeId) return `${named}, and its verdict is disputed: see dispute ${disputeId}.`;
  const refund = await findRefund(tx, id);
  if (refund) return `${named}, which was returned in transaction ${refund.txHash}.`;
  if (resolvedAt === null) return null;
  const until = new Date(resolvedAt.getTime() + PAYER_WINDOW_MS);
  if ((await readDatabaseTime(tx)) <= until) return null;
  return `${named}. You could submit your own outcome for it until ${until.toISOString()}.`;
}

/**
 * Claims the first unused transfer for a contractor that is not reserved for its payer. Throws
 * `payment-reserved` if one is, and else `payment-used`.
 */
async function claimUnreserved(
  core: Dependencies,
  tx: Transaction,
  transfers: UsdcTransfer[],
): Promise<UsedTransfer> {
  let refusal: AppError | undefined;
  for (const transfer of transfers) {
    const reservation = await findReservation(core, tx, transfer);
    const claimed = reservation ? null : await claimTransfer(tx, core.chain, [transfer], "payment");
    if (claimed) return claimed;
    refusal ??= reservation;
  }
  throw refusal ?? createPaymentUsedError(core.chain);
}

/**
 * Returns the error for a transfer that its payer may still name as a refund. Otherwise a stranger
 * could pay an agent without being asked, report a failure, and name the refund as the payment of its
 * own work.
 */
async function findReservation(
  { env }: Dependencies,
  tx: Transaction,
  { from, to, amountMicro, blockNumber }: UsdcTransfer,
): Promise<AppError | undefined> {
  const openSince = new Date((await readDatabaseTime(tx)).getTime() - env.DISPUTE_WINDOW);
  const [owed] = await tx
    .select({ id: outcomes.id, resolvedAt: outcomes.resolvedAt })
    .from(outcomes)
    .leftJoin(usedTransfers, eq(usedTransfers.id, outcomes.paymentTransferId))
    .leftJoin(refunds, eq(refunds.outcomeId, outcomes.id))
    .where(
      and(
        eq(outcomes.contractor, from),
        eq(outcomes.requester, to),
        gte(outcomes.paidMicro, 1n),
        lte(outcomes.paidMicro, amountMicro),
        // Unknown if the payment was only known to a lost database.
        or(isNull(usedTransfers.id), lt(usedTransfers.blockNumber, blockNumber)),
        or(isNull(outcomes.resolvedAt), gte(outcomes.resolvedAt, openSince)),
        isNull(outcomes.supersededBy),
        isNull(refunds.id),
      ),
    )
    // The one that can be refunded for the longest time.
    .orderBy(desc(outcomes.resolvedAt))
    .limit(1);
  if (!owed) return undefined;
  const until = owed.resolvedAt
    ? new Date(owed.resolvedAt.getTime() + env.DISPUTE_WINDOW).toISOString()
    : `${env.DISPUTE_WINDOW / DAY_MS} days after its verdict`;
  const detail = `This transfer can return the payment of outcome ${owed.id}. Until ${until}, only its payer, ${from}, can name it.`;
  return new AppError("payment-reserved", detail, { extra: { outcomeId: owed.id } });
}
