import { type Address, type Hex, hashTypedData, type TypedDataDefinition } from "viem";
import { checkSignature } from "@/server/chain/signature";
import type { ChainInfo } from "@/server/lib/context";
import { createFieldErrors } from "@/server/lib/to-app-error";

interface Signed {
  /** EIP-55 form. */
  wallet: string;
  /** In the form of `typed-data.ts`. */
  typedData: object;
  signature: string;
}

/**
 * Returns the block at which a contract wallet confirmed its signature of the typed data; null for a
 * plain account. Throws `signature-invalid` if it did not sign, and the error of `checkSignature`.
 */
export async function requireSignature(
  chain: Pick<ChainInfo, "client" | "id">,
  { wallet, typedData, signature }: Signed,
): Promise<number | null> {
  const signed = {
    wallet: wallet as Address,
    hash: hashTypedData(typedData as TypedDataDefinition),
    signature: signature as Hex,
  };
  const { problem: detail, block } = await checkSignature(chain, signed, "typed data");
  if (detail === null) return block;
  const code = "signature-invalid";
  throw createFieldErrors([{ pointer: "#/signature", detail, code }], code);
}
