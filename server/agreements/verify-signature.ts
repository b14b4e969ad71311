import { type Address, type Hex, hashTypedData, type TypedDataDefinition } from "viem";
import { isSignedBy } from "@/server/chain/signature";
import type { ChainInfo } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";

interface Signed {
  /** EIP-55 form. */
  wallet: string;
  /** In the form of `typed-data.ts`. */
  typedData: object;
  signature: string;
}

/**
 * Throws `signature-invalid` unless `signature` is the wallet's signature of the typed data, and the
 * error of `isSignedBy`.
 */
export async function requireSignature(
  chain: Pick<ChainInfo, "client">,
  { wallet, typedData, signature }: Signed,
): Promise<void> {
  const isValid = await isSignedBy(chain, {
    wallet: wallet as Address,
    hash: hashTypedData(typedData as TypedDataDefinition),
    signature: signature as Hex,
  });
  if (isValid) return;
  const detail = `is not ${wallet}'s signature of this typed data`;
  throw new AppError("signature-invalid", `#/signature ${detail}.`, {
    errors: [{ pointer: "#/signature", detail, code: "signature-invalid" }],
  });
}
