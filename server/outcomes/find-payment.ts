import { requireNoAgreement } from "@/server/agreements/queries";
import { requirePayment } from "@/server/chain/payments/require-payment";
import { readX402Payment } from "@/server/chain/payments/x402";
import { findReceiptFaults } from "@/server/chain/payments/x402-receipt";
import type { X402Receipt } from "@/server/chain/schema";
import type { Core } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { createFieldErrors } from "@/server/lib/to-app-error";
import type { NamedPayment } from "./attach-payment";
import type { SubmitInput, Submitted } from "./schema";
import type { Submitter } from "./store-submission";

interface Resolved {
  submitted: Submitted;
  /** The signed receipt in the x402 header; not checked yet. */
  x402Receipt: X402Receipt | null;
}

/**
 * Returns the input with the transaction of its x402 header as `paymentTxHash`, so that naming the
 * payment either way is the same submission. Throws `payment-invalid` if both are given, and as
 * `readX402Payment` does.
 */
export function resolvePayment(chain: Core["chain"], input: Submitted): Resolved {
  const { payment, ...rest } = input;
  if (payment === undefined) return { submitted: rest, x402Receipt: null };
  if (rest.paymentTxHash !== undefined) {
    const detail = "names the payment a second time; send either it or `paymentTxHash`";
    const error = { pointer: "#/payment", detail, code: "conflicting-fields" };
    throw createFieldErrors([error], "payment-invalid");
  }
  const payer = rest.requesterAgentAddress;
  const header = { header: payment.x402, payer, pointer: "#/payment/x402" };
  const { transaction, receipt } = readX402Payment(chain, header);
  return { submitted: { ...rest, paymentTxHash: transaction }, x402Receipt: receipt };
}

/**
 * Returns the USDC transfers from requester to contractor in the transaction that a submission
 * names, and `receipt` if it confirms that sale; null if it names no transaction. Throws as `requirePayment` does, and `payment-invalid` if
 * the submitter may not name this payment.
 */
export async function findPayment(
  core: Pick<Core, "db" | "chain" | "log">,
  submitter: Submitter,
  { paymentTxHash, requesterAgentAddress, contractorAgentAddress }: SubmitInput,
  receipt: X402Receipt | null,
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
  const found = await requirePayment(core, {
    txHash: paymentTxHash,
    from: requesterAgentAddress,
    to: contractorAgentAddress,
    minMicro: 1n,
  });
  const transfers = await requireNoAgreement(core.db, found);
  const sale = {
    contractor: contractorAgentAddress,
    requester: requesterAgentAddress,
    paymentTxHash: transfers[0].txHash,
  };
  const x402Receipt = receipt && (await isConfirmed(core, receipt, sale)) ? receipt : null;
  return { transfers, isPayer: submitter.wallet === requesterAgentAddress, x402Receipt };
}

/** Returns whether the receipt confirms the sale. A receipt that can't be checked refuses no submission. */
async function isConfirmed(
  { chain, log }: Pick<Core, "chain" | "log">,
  ...receiptAndSale: [X402Receipt, Parameters<typeof findReceiptFaults>[2]]
): Promise<boolean> {
  try {
    return (await findReceiptFaults(chain, ...receiptAndSale)).length === 0;
  } catch (error) {
    log.warn({ err: error }, "checking an x402 receipt failed");
    return false;
  }
}
