import { queryChain, requirePayment } from "@/server/chain/payments/require-payment";
import { readX402Transaction } from "@/server/chain/payments/x402";
import type { Core } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import type { NamedPayment } from "./attach-payment";
import type { SubmitInput, Submitted } from "./schema";
import type { Submitter } from "./store-submission";

/**
 * Returns the input with the transaction of its x402 receipt as `paymentTxHash`, so that naming the
 * payment either way is the same submission. Throws `payment-invalid` if both are given, and as
 * `readX402Transaction` does.
 */
export function resolvePayment(chain: Core["chain"], input: Submitted): Submitted {
  const { payment, ...rest } = input;
  if (payment === undefined) return rest;
  if (rest.paymentTxHash !== undefined) {
    const detail = "names the payment a second time; send either it or `paymentTxHash`";
    throw new AppError("payment-invalid", `#/payment ${detail}.`, {
      errors: [{ pointer: "#/payment", detail, code: "conflicting-fields" }],
    });
  }
  const payer = rest.requesterAgentAddress;
  const receipt = { header: payment.x402, payer, pointer: "#/payment/x402" };
  return { ...rest, paymentTxHash: readX402Transaction(chain, receipt) };
}

/**
 * Returns the USDC transfers from requester to contractor in the transaction that a submission
 * names; null if it names no transaction. Throws as `requirePayment` does, and `payment-invalid` if
 * the submitter may not name this payment.
 */
export async function findPayment(
  core: Pick<Core, "chain" | "log">,
  submitter: Submitter,
  { paymentTxHash, requesterAgentAddress, contractorAgentAddress }: SubmitInput,
): Promise<NamedPayment | null> {
  if (paymentTxHash === undefined) return null;
  // A failure counts against a paid contractor, and payments are public. Without this check, anyone
  // could register the wallet of a past requester without proof and report failures in its name.
  if (submitter.wallet === requesterAgentAddress && !submitter.walletVerified) {
    throw new AppError(
      "payment-invalid",
      "A requester can name its USDC payment only with a verified wallet: register again with a walletProof and this key.",
    );
  }
  const transfers = await requirePayment(core, {
    txHash: paymentTxHash,
    from: requesterAgentAddress,
    to: contractorAgentAddress,
    minMicro: 1n,
  });
  if (submitter.wallet !== requesterAgentAddress) return { transfers, paidAt: null };
  const [{ blockNumber }] = transfers;
  const { timestamp } = await queryChain(core, () => core.chain.client.getBlock({ blockNumber }));
  return { transfers, paidAt: new Date(Number(timestamp) * 1000) };
}
