import { eq } from "drizzle-orm";
import { takeTransfer, type UsdcTransfer } from "@/server/chain/payment";
import { paymentUsed, requirePayment } from "@/server/chain/require-payment";
import type { Core, Transaction } from "@/server/lib/context";
import type { SubmitInput } from "./schema";
import { outcomes } from "./tables";

/**
 * The USDC transfers from requester to contractor in the transaction that a submission names; none
 * where it names no transaction. Throws as `requirePayment`.
 */
export async function findPayment(
  core: Pick<Core, "chain" | "log">,
  { paymentTxHash, requesterAgentAddress, contractorAgentAddress }: SubmitInput,
): Promise<UsdcTransfer[]> {
  if (paymentTxHash === undefined) return [];
  return requirePayment(core, {
    txHash: paymentTxHash,
    from: requesterAgentAddress,
    to: contractorAgentAddress,
    leastMicro: 1n,
  });
}

/** Takes the first unused of `transfers` for the outcome. Throws `payment-used` where there is none. */
export async function attachPayment(
  { chain }: Pick<Core, "chain">,
  tx: Transaction,
  outcomeId: string,
  transfers: UsdcTransfer[],
): Promise<void> {
  if (transfers.length === 0) return;
  const taken = await takeTransfer(tx, chain, transfers, "payment");
  if (!taken) throw paymentUsed();
  const { id: paymentTransferId, txHash: paymentTxHash, amountMicro: paidMicro } = taken;
  await tx
    .update(outcomes)
    .set({ paymentTransferId, paymentTxHash, paidMicro })
    .where(eq(outcomes.id, outcomeId));
}
