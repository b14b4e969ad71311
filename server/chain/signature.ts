import { type Address, type Hex, isErc6492Signature, recoverAddress } from "viem";
import type { ChainInfo } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";

interface SignedHash {
  /** EIP-55 form. */
  wallet: Address;
  hash: Hex;
  signature: Hex;
}

/**
 * Returns what is wrong with the signature of `text`, to be read after its name; null if `wallet` signed
 * `hash`. The wallet is a plain account (verified without the chain) or a contract wallet, deployed
 * (ERC-1271) or not yet (ERC-6492). Throws `unavailable` if the chain is unreachable and the signature
 * of a contract wallet cannot be checked.
 */
export async function findSignatureError(
  { client, id }: Pick<ChainInfo, "client" | "id">,
  { wallet, hash, signature }: SignedHash,
  text: string,
): Promise<string | null> {
  const signer = await recoverAddress({ hash, signature }).catch(() => null);
  if (signer === wallet) return null;

  // Checked first because viem reports an invalid signature when the call itself fails.
  const code = await client.getCode({ address: wallet }).catch(() => {
    throw new AppError(
      "unavailable",
      "The chain that verifies this contract wallet's signature is unavailable.",
      { headers: { "Retry-After": "10" } },
    );
  });
  if (!code && !isErc6492Signature(signature)) {
    return `is not that of the plain account ${wallet}, and this address has no code on chain ${id}: a contract wallet has to be deployed there first, or to send an ERC-6492 signature`;
  }
  if (await client.verifyHash({ address: wallet, hash, signature })) return null;
  return `is not ${wallet}'s signature of this ${text}`;
}

/** Returns whether `wallet` signed `hash`. Throws as `findSignatureError` does. */
export const isSignedBy = async (
  chain: Pick<ChainInfo, "client" | "id">,
  signed: SignedHash,
): Promise<boolean> => (await findSignatureError(chain, signed, "hash")) === null;
