import { type Address, type Hex, hashTypedData, type TypedDataDefinition } from "viem";
import { findSignatureError } from "@/server/chain/signature";
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
 * error of `findSignatureError`.
 */
export async function requireSignature(
  chain: Pick<ChainInfo, "client" | "id">,
  { wallet, typedData, signature }: Signed,
): Promise<void> {
  const signed = {
    wallet: wallet as Address,
    hash: hashTypedData(typedData as TypedDataDefinition),
    signature: signature as Hex,
  };
  const detail = await findSignatureError(chain, signed, "typed data");
  if (detail === null) return;
  throw new AppError("signature-invalid", `#/signature ${detail}.`, {
    errors: [{ pointer: "#/signature", detail, code: "signature-invalid" }],
  });
}
