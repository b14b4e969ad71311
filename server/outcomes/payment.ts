import { eq } from "drizzle-orm";
import { takeTransfer, type UsdcTransfer } from "@/server/chain/payment";
import { paymentUsed, requirePayment } from "@/server/chain/require-payment";
import type { Core, Transaction } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import type { SubmitInput } from "./schema";
import { outcomes } from "./tables";

/** The submitter who names a payment. */
interface Naming {
  role: "contractor" | "requester";
  walletVerified: boolean;
}

/**
 * Returns the USDC transfers from requester to contractor in the transaction that a submission
 * names; none if it names no transaction. Throws as `requirePayment` does, and `payment-invalid` if
 * the submitter may not name this payment.
 */
export async function findPayment(
  core: Pick<Core, "chain" | "log">,
  submitter: Naming,
  { paymentTxHash, requesterAgentAddress, contractorAgentAddress }: SubmitInput,
): Promise<UsdcTransfer[]> {
  if (paymentTxHash === undefined) return [];
  // A failure counts against a paid contractor, and payments are public. Without this check, anyone
  // could register the wallet of a past requester without proof and report failures in its name.
  if (submitter.role === "requester" && !submitter.walletVerified) {
    throw new AppError(
      "payment-invalid",
      "A requester names its USDC payment once it has proven its wallet: register again with a walletProof and this key.",
    );
  }
  return requirePayment(core, {
    txHash: paymentTxHash,
    from: requesterAgentAddress,
    to: contractorAgentAddress,
    leastMicro: 1n,
  });
}

/**
 * Assigns the first unused of `transfers` to the outcome. Throws `payment-used` if there is none.
 */
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
