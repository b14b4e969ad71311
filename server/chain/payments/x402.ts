import type { Hex } from "viem";
import { base, baseSepolia } from "viem/chains";
import { z } from "zod";
import type { X402Receipt } from "@/server/chain/schema";
import type { ChainInfo } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { toChecksumAddress } from "@/server/lib/wallet";
import { readX402Receipt } from "./x402-receipt";

/**
 * `SettleResponse` of x402 v2 (x402-specification-v2.md, 5.3), which v1 shares. Fields that are
 * not used are ignored.
 */
const settlementSchema = z.object({
  success: z.boolean(),
  /** Usually empty if the settlement failed. */
  transaction: z.string().max(128).nullish(),
  network: z.string().regex(/^[\x21-\x7e]{1,64}$/),
  payer: z.string().max(128).nullish(),
  errorReason: z.string().max(200).nullish(),
  extensions: z.unknown().optional(),
});
type Settlement = z.infer<typeof settlementSchema>;

/** Names that x402 v1 uses instead of CAIP-2 ids. */
const V1_NETWORKS: Record<string, number> = { base: base.id, "base-sepolia": baseSepolia.id };

/** What a `PAYMENT-RESPONSE` header says about a payment. */
interface X402Payment {
  transaction: Hex;
  /** The seller's signed receipt, not checked yet; null if the header has none. */
  receipt: X402Receipt | null;
}

/**
 * Returns the transaction named by the value of an x402 `PAYMENT-RESPONSE` header (v1:
 * `X-PAYMENT-RESPONSE`). The header is not signed, so it proves nothing: the caller looks the
 * transaction up on chain as if the submitter had named it.
 *
 * Throws `payment-invalid`, which points to `pointer` with a code for each fault, if the value does
 * not decode to a receipt, the payment is on another network, or the receipt names no transaction, or
 * a payer other than `payer`, if that is given. A failed settlement that names one may be a second one.
 */
export function readX402Payment(
  chain: Pick<ChainInfo, "id" | "name">,
  { header, payer, pointer }: { header: string; payer: string | undefined; pointer: string },
): X402Payment {
  const refuse = (code: string, detail: string) =>
    new AppError("payment-invalid", `${pointer}: ${detail}`, {
      errors: [{ pointer, detail, code }],
    });

  const settlement = decodeSettlement(header);
  if (typeof settlement === "string") {
    throw refuse("invalid-x402-receipt", `${settlement} ${EXPECTED}`);
  }
  const { success, network, transaction } = settlement;
  const isHash = /^0x[0-9a-f]{64}$/i.test(transaction ?? "");
  // A second settlement of a payment fails, too, but names the transaction of the first.
  if (!success && !isHash) {
    const reason = settlement.errorReason ? ` (${toPrintable(settlement.errorReason)})` : "";
    const detail = `the receipt says that the payment was not settled${reason}, and names no transaction. If it was paid, send its hash as \`paymentTxHash\`; otherwise submit the outcome without a payment.`;
    throw refuse("not-settled", detail);
  }
  const caip2 = `eip155:${chain.id}`;
  if (network !== caip2 && V1_NETWORKS[network] !== chain.id) {
    const detail = `the payment was settled on ${network}, but this service reads payments on ${chain.name} (${caip2}). Pay there, or submit the outcome without a payment.`;
    throw refuse("wrong-network", detail);
  }
  if (!transaction || !isHash) {
    const detail = "`transaction` of the receipt is not a transaction hash.";
    throw refuse("invalid-transaction", detail);
  }
  if (payer && settlement.payer && !isSameAddress(settlement.payer, payer)) {
    const detail = `the receipt says that ${toPrintable(settlement.payer)} paid, but the requester is ${payer}.`;
    throw refuse("wrong-payer", detail);
  }
  const receipt = readX402Receipt(settlement.extensions);
  return { transaction: transaction.toLowerCase() as Hex, receipt };
}

const EXPECTED =
  "Send the value of the PAYMENT-RESPONSE header unchanged: base64 of a JSON object with `success`, `transaction`, `network` and `payer`.";

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** Returns the receipt in a header, or what is wrong with the header. */
function decodeSettlement(header: string): Settlement | string {
  if (!BASE64.test(header)) return "is not base64.";
  let value: unknown;
  try {
    const bytes = Buffer.from(header, "base64");
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return "decodes to something other than JSON.";
  }
  const { data, error } = settlementSchema.safeParse(value);
  if (data) return data;
  const [field] = error.issues[0]?.path ?? [];
  if (field === undefined) return "decodes to JSON that is not an object.";
  return `decodes to a receipt whose \`${String(field)}\` is missing or not valid.`;
}

function isSameAddress(given: string, wallet: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(given) && toChecksumAddress(given) === wallet;
}

/** Replaces what could not be printed on one line of an error. */
const toPrintable = (text: string) => text.replace(/[^\x20-\x7e]/g, "?");
