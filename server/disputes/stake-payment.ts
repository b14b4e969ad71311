import { randomUUID } from "node:crypto";
import { lockAgent } from "@/server/agents/authenticate";
import {
  claimTransfer,
  findUnusedTransfers,
  type PaymentTerms,
} from "@/server/chain/payments/payment";
import {
  createPaymentUsedError,
  findRecordBlock,
  lookUpPayment,
  requirePayment,
} from "@/server/chain/payments/require-payment";
import type { UsdcTransfer } from "@/server/chain/payments/transfers";
import type { Core, Transaction } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { fromMicro, STAKE_MICRO } from "@/server/lib/usdc";
import { payoutDue } from "./events";
import { payouts } from "./tables";

/**
 * Returns the payment terms of a stake on an outcome, the same for both parties. Throws
 * `unavailable` if the record's block must be looked up and the node is unreachable.
 */
export async function getStakeTerms(
  core: Pick<Core, "db" | "chain" | "log">,
  txHash: string,
  payer: string,
  { onChainTx }: { onChainTx: string | null },
): Promise<PaymentTerms> {
  const recordedIn = onChainTx === null ? null : await findRecordBlock(core, onChainTx);
  if (recordedIn === null) throw new Error(`the block of record ${onChainTx} is unknown`);
  return {
    txHash,
    from: payer,
    to: core.chain.stakeAddress,
    minMicro: STAKE_MICRO,
    afterBlock: recordedIn,
  };
}

/**
 * Returns the unused stakes in a transaction, at least one. Throws `payment-used` if there are
 * none, and the errors of `requirePayment`.
 */
export async function requireStake(
  core: Pick<Core, "db" | "chain" | "log">,
  terms: PaymentTerms,
): Promise<UsdcTransfer[]> {
  const unused = await findUnusedTransfers(core.db, core.chain, await requirePayment(core, terms));
  if (unused.length === 0) throw createPaymentUsedError(core.chain);
  return unused;
}

/** Why a stake cannot attach, and whether its payment is sent back to its sender. */
export interface Refusal {
  error: AppError;
  /** False if the payment may still serve, or has served for the same request. */
  returnsStake: boolean;
}

/**
 * Takes the first unused one of `transfers` to be sent back to its sender, and stores the payout
 * and its event, all in `tx`. Returns `error`, extended by a sentence about that if one was taken.
 */
export async function returnStake(
  { chain, publish }: Pick<Core, "chain" | "publish">,
  tx: Transaction,
  transfers: UsdcTransfer[],
  error: AppError,
): Promise<AppError> {
  const transfer = await claimTransfer(tx, chain, transfers, "unattached-stake");
  if (!transfer) return error;
  const { id: transferId, from: to, amountMicro } = transfer;
  const id = randomUUID();
  await tx.insert(payouts).values({ id, purpose: "unattached-stake", transferId, to, amountMicro });
  await publish(tx, [{ id: `payout-due:${id}`, name: payoutDue.name, data: { payoutId: id } }]);
  const detail = `Your payment of ${fromMicro(amountMicro)} USDC is sent back to ${to}.`;
  return appendDetail(error, detail);
}

/**
 * Refuses a request before its payment was checked, and sends the payment back as `returnStake` does.
 * Ignores a payment that is unknown, does not count or is used; one that is not deep enough yet can be
 * sent back when the request is repeated. Throws `unavailable` if the node is unreachable.
 */
export async function refuseStake(
  core: Pick<Core, "db" | "chain" | "log" | "publish">,
  agentId: string,
  terms: PaymentTerms,
  refusal: Refusal,
): Promise<AppError> {
  if (!refusal.returnsStake) return refusal.error;
  const found = await lookUpPayment(core, terms);
  switch (found.state) {
    case "found":
      return core.db.transaction(async (tx) => {
        await lockAgent(tx, { id: agentId });
        return returnStake(core, tx, found.transfers, refusal.error);
      });
    case "unknown":
      return appendDetail(
        refusal.error,
        `${core.chain.name} has no transaction with this hash, so no payment can be returned.`,
      );
    case "shallow":
      return appendDetail(
        refusal.error,
        `Your payment does not have enough confirmations on ${core.chain.name} to be sent back yet: repeat the request for that.`,
        { "Retry-After": String(found.retryAfterSeconds) },
      );
    default:
      return refusal.error;
  }
}

function appendDetail(
  { code, detail, extra }: AppError,
  more: string,
  headers: Record<string, string> = {},
): AppError {
  return new AppError(code, `${detail} ${more}`, { extra, headers });
}
