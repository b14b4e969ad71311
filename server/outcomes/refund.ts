import { eq } from "drizzle-orm";
import { type Caller, lockAgent } from "@/server/agents/authenticate";
import { getDigest, requireNoAgreement } from "@/server/agreements/queries";
import {
  findRecordBlock,
  requirePayment,
  requireUnusedTransfer,
} from "@/server/chain/payments/require-payment";
import { usedTransfers } from "@/server/chain/tables";
import type { Core } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { outcomeRefunded } from "./events";
import { type OutcomeRow, type RefundRow, toRefund } from "./public-outcome";
import {
  createNotResolvedError,
  createSupersededError,
  findOutcome,
  lockOutcome,
  requireOutcome,
} from "./queries";
import type { OutcomeRefund, RefundInput } from "./schema";
import { refunds } from "./tables";

interface Refunder extends Caller {
  wallet: string;
  walletVerified: boolean;
}

/**
 * Accepts the refund of an outcome's payment: writes the refund, its transfer and the event that
 * requests its record in one transaction. Repeating it with the same payment transaction returns
 * the same refund. `now`: time of the request by the database's clock.
 *
 * The transfer must come from the contractor's wallet, so a refund costs the wallet's owner the
 * whole amount. But transfers are public, and a stranger may have registered that wallet without
 * proof. Such an agent may only refund a failure, which never lowers the owner's score. For a
 * success, it could name any later transfer from the owner to the same requester and remove the
 * success for good.
 *
 * The refund of an agreed outcome is the transfer that the agreement's digest authorizes as its nonce.
 *
 * Throws `not-found`, `forbidden` (the key's agent is not the contractor), `outcome-not-resolved`,
 * `already-refunded`, `superseded`, `refund-closed`, `payment-invalid` (also if nothing was paid),
 * `payment-used`, `payment-not-ready`, `unavailable` and `unauthenticated` (a takeover ended the
 * agent).
 */
export async function refundOutcome(
  core: Core,
  agent: Refunder,
  { outcomeId, refundTxHash }: RefundInput,
  now: Date,
): Promise<OutcomeRefund> {
  const outcome = await requireOutcome(core.db, outcomeId);
  if (agent.wallet !== outcome.contractor) {
    throw new AppError("forbidden", "Only the contractor of an outcome can return its payment.");
  }
  if (outcome.refund) return requireSameRefund(outcome.refund, refundTxHash);
  if (outcome.supersededBy) throw createSupersededError(outcome.supersededBy);
  requireRefundable(core, outcome, agent, now);
  const digest = outcome.agreementId && (await getDigest(core.db, outcome.agreementId));
  const found = await requirePayment(core, {
    txHash: refundTxHash,
    from: outcome.contractor,
    to: outcome.requester,
    minMicro: outcome.paidMicro,
    afterBlock: await findPaymentBlock(core, outcome),
    ...(digest && { authorizationNonce: digest }),
  });
  const transfers = digest ? found : await requireNoAgreement(core.db, found);

  const refund = await core.db.transaction(async (tx) => {
    await lockAgent(tx, agent);
    // A concurrent request for the same outcome waits here, then finds the first one's refund. So
    // does the payer, if it supersedes the outcome, or the refund waits for it.
    await lockOutcome(tx, outcomeId);
    const locked = await findOutcome(tx, outcomeId);
    if (locked?.refund) return locked.refund;
    if (locked?.supersededBy) throw createSupersededError(locked.supersededBy);
    const transfer = await requireUnusedTransfer(tx, core.chain, transfers, "refund");
    const { id: transferId, txHash, amountMicro } = transfer;
    const [inserted] = await tx
      .insert(refunds)
      .values({ outcomeId, transferId, txHash, amountMicro })
      .returning();
    if (!inserted) throw new Error("the refund was not stored");
    const id = `outcome-refunded:${inserted.id}`;
    await core.publish(tx, [{ id, name: outcomeRefunded.name, data: { outcomeId } }]);
    return inserted;
  });
  return requireSameRefund(refund, refundTxHash);
}

/**
 * Returns `refund` if it was made by the transaction `txHash`. Throws `already-refunded` otherwise.
 */
function requireSameRefund(refund: RefundRow, txHash: string): OutcomeRefund {
  if (refund.txHash.toLowerCase() !== txHash.toLowerCase()) {
    const detail = `The payment of this outcome was returned in transaction ${refund.txHash}.`;
    throw new AppError("already-refunded", detail);
  }
  return { outcomeId: refund.outcomeId, ...toRefund(refund) };
}

function requireRefundable(
  { env }: Pick<Core, "env">,
  { status, resolvedAt, paidMicro, verdict, finalVerdict }: OutcomeRow,
  { walletVerified }: Refunder,
  now: Date,
): void {
  if (status !== "RESOLVED" || !resolvedAt) {
    throw createNotResolvedError();
  }
  if (paidMicro === 0n) {
    const detail = "There is nothing to return: no payment of this outcome is proven.";
    throw new AppError("payment-invalid", detail);
  }
  const closedAt = resolvedAt.getTime() + env.DISPUTE_WINDOW;
  if (now.getTime() > closedAt) {
    const detail = `The payment could be returned until ${new Date(closedAt).toISOString()}.`;
    throw new AppError("refund-closed", detail);
  }
  if (!walletVerified && (finalVerdict ?? verdict) === "SUCCESS") {
    throw new AppError(
      "payment-invalid",
      "Returning the payment of a success needs a verified wallet: register again with a walletProof and this key.",
    );
  }
}

/**
 * Returns the block of the payment. If the payment was only known to a lost database, returns the
 * block of the outcome's record instead: the payment is older than the record.
 */
async function findPaymentBlock(
  core: Pick<Core, "db" | "chain" | "log">,
  { id, paymentTransferId, onChainTx }: OutcomeRow,
): Promise<bigint> {
  if (paymentTransferId !== null) {
    const isPayment = eq(usedTransfers.id, paymentTransferId);
    const [payment] = await core.db.select().from(usedTransfers).where(isPayment);
    if (payment) return payment.blockNumber;
  }
  const block = onChainTx && (await findRecordBlock(core, onChainTx));
  if (!block) throw new Error(`the chain has no block with the payment or record of outcome ${id}`);
  return block;
}
