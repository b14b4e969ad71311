import { blockOfRecord } from "@/server/chain/mined-block";
import { type PaymentTerms, type UsdcTransfer, unusedOf } from "@/server/chain/payment";
import { paymentUsed, requirePayment } from "@/server/chain/require-payment";
import type { Core } from "@/server/lib/context";
import { STAKE_MICRO } from "./schema";

/**
 * Returns the payment terms of a stake on an outcome, the same for both parties. Throws
 * `unavailable` if the record's block must be looked up and the node is unreachable.
 */
export async function stakeTerms(
  core: Pick<Core, "db" | "chain" | "log">,
  { txHash, payer, onChainTx }: { txHash: string; payer: string; onChainTx: string | null },
): Promise<PaymentTerms> {
  const recordedIn = onChainTx === null ? null : await blockOfRecord(core, onChainTx);
  if (recordedIn === null) throw new Error(`nobody knows the block of record ${onChainTx}`);
  return {
    txHash,
    from: payer,
    to: core.chain.stakeAddress,
    leastMicro: STAKE_MICRO,
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
  const unused = await unusedOf(core.db, core.chain, await requirePayment(core, terms));
  if (unused.length === 0) throw paymentUsed();
  return unused;
}
