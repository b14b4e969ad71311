import { type Address, type Hex, recoverAddress } from "viem";
import type { ChainInfo } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";

interface SignedHash {
  /** EIP-55 form. */
  wallet: Address;
  hash: Hex;
  signature: Hex;
}

/** Length of a plain account's signature: 0x and 65 bytes in hexadecimal. */
const PLAIN_SIGNATURE_LENGTH = 132;

/**
 * Returns whether `wallet` signed `hash`. The wallet is a plain account (verified without the chain) or
 * a contract wallet, deployed (ERC-1271) or not yet (ERC-6492). Throws `unavailable` if the chain is
 * unreachable and the signature of a contract wallet cannot be checked.
 */
export async function isSignedBy(
  { client }: Pick<ChainInfo, "client">,
  { wallet, hash, signature }: SignedHash,
): Promise<boolean> {
  const signer = await recoverAddress({ hash, signature }).catch(() => null);
  if (signer === wallet) return true;

  // Checked first because viem reports an invalid signature when the call itself fails.
  const code = await client.getCode({ address: wallet }).catch(() => {
    throw new AppError(
      "unavailable",
      "The chain that verifies this contract wallet's signature is unavailable.",
      { headers: { "Retry-After": "10" } },
    );
  });
  if (!code && signature.length === PLAIN_SIGNATURE_LENGTH) return false;
  return client.verifyHash({ address: wallet, hash, signature });
}
