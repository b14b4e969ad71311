import {
  type Address,
  domainSeparator,
  encodeAbiParameters,
  type Hex,
  isAddressEqual,
  keccak256,
  parseAbiParameters,
  stringToBytes,
} from "viem";
import { z } from "zod";
import { type X402Receipt, x402ReceiptSchema } from "@/server/chain/schema";
import { isSignedBy } from "@/server/chain/signature";
import type { ChainInfo } from "@/server/lib/context";

/** Where x402's extension "offer and receipt" puts the seller's receipt. */
const extensionsSchema = z.object({
  "offer-receipt": z.object({
    info: z.object({
      receipt: z.object({
        format: z.literal("eip712"),
        payload: z.object({ version: z.literal(1), resourceUrl: z.string() }).loose(),
        signature: z.string(),
      }),
    }),
  }),
});

/**
 * Returns the seller's EIP-712 receipt in the `extensions` of an x402 settlement; null if there is none
 * that names a transaction of an EVM chain. Its signature is not checked.
 */
export function readX402Receipt(extensions: unknown): X402Receipt | null {
  const found = extensionsSchema.safeParse(extensions).data?.["offer-receipt"].info.receipt;
  if (!found) return null;
  const { version: _, resourceUrl, ...payload } = found.payload;
  const { signature } = found;
  const resourceUrlHash = keccak256(stringToBytes(resourceUrl));
  return (
    x402ReceiptSchema.strip().safeParse({ ...payload, resourceUrlHash, signature }).data ?? null
  );
}

/** The sale that a receipt must be about. */
interface Sale {
  contractor: string;
  requester: string;
  paymentTxHash: string | undefined;
}

interface ReceiptFault {
  field: string;
  shown: unknown;
  expected: unknown;
}

/**
 * Returns why a receipt does not prove that the contractor confirmed the sale; empty if it does. Asks the
 * chain only if the contractor's wallet may be a contract. Throws as `isSignedBy` does.
 */
export async function findReceiptFaults(
  chain: Pick<ChainInfo, "id" | "client">,
  receipt: X402Receipt,
  { contractor, requester, paymentTxHash }: Sale,
): Promise<ReceiptFault[]> {
  const { network, payer, transaction, signature } = receipt;
  const faults: ReceiptFault[] = [];
  const check = (field: string, isRight: boolean, shown: unknown, expected: unknown) => {
    if (!isRight) faults.push({ field, shown, expected });
  };
  const caip2 = `eip155:${chain.id}`;
  check("network", network === caip2, network, caip2);
  check("payer", isAddressEqual(payer as Address, requester as Address), payer, requester);
  const isPayment = transaction.toLowerCase() === paymentTxHash;
  check("transaction", isPayment, transaction, paymentTxHash);
  const signed = { wallet: contractor as Address, signature: signature as Hex };
  const isSigned = await isSignedBy(chain, { ...signed, hash: hashReceipt(receipt) });
  check("signature", isSigned, "of another signer", contractor);
  return faults;
}

const DOMAIN = domainSeparator({ domain: { name: "x402 receipt", version: "1", chainId: 1 } });
const TYPE =
  "Receipt(uint256 version,string network,string resourceUrl,string payer,uint256 issuedAt,string transaction)";
const STRUCT = parseAbiParameters("bytes32, uint256, bytes32, bytes32, bytes32, uint256, bytes32");

/** Returns the EIP-712 hash that the seller signed. EIP-712 hashes texts, so the URL's hash suffices. */
function hashReceipt(receipt: X402Receipt): Hex {
  const { network, resourceUrlHash, payer, issuedAt, transaction } = receipt;
  const hash = (text: string) => keccak256(stringToBytes(text));
  const struct = encodeAbiParameters(STRUCT, [
    hash(TYPE),
    1n,
    hash(network),
    resourceUrlHash as Hex,
    hash(payer),
    BigInt(issuedAt),
    hash(transaction),
  ]);
  return keccak256(`0x1901${DOMAIN.slice(2)}${keccak256(struct).slice(2)}`);
}
