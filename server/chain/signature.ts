import { type Address, type Hex, isErc6492Signature, recoverAddress } from "viem";
import type { ChainInfo } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";

interface SignedHash {
  /** EIP-55 form. */
  wallet: Address;
  hash: Hex;
  signature: Hex;
  /** At which a contract wallet is asked; the latest block by default. */
  block?: number | null | undefined;
}

interface CheckedSignature {
  /** What is wrong with it, to be read after its name; null if the wallet signed. */
  problem: string | null;
  /** Block at which a contract wallet was asked; null for a plain account. */
  block: number | null;
}

/**
 * Checks the signature of `text`. The wallet is a plain account (verified without the chain) or a contract wallet, deployed
 * (ERC-1271) or not yet (ERC-6492). Throws `unavailable` if the chain is unreachable and the signature
 * of a contract wallet cannot be checked.
 */
export async function checkSignature(
  { client, id }: Pick<ChainInfo, "client" | "id">,
  { wallet, hash, signature, block: askedBlock }: SignedHash,
  text: string,
): Promise<CheckedSignature> {
  const signer = await recoverAddress({ hash, signature }).catch(() => null);
  if (signer === wallet) return { problem: null, block: null };

  const refuse = () => {
    throw new AppError(
      "unavailable",
      "The chain that verifies this contract wallet's signature is unavailable.",
      { headers: { "Retry-After": "10" } },
    );
  };
  const block = askedBlock ?? Number(await client.getBlockNumber({ cacheTime: 0 }).catch(refuse));
  const blockNumber = BigInt(block);
  // Checked first because viem reports an invalid signature when the call itself fails.
  const code = await client.getCode({ address: wallet, blockNumber }).catch(refuse);
  if (!code && !isErc6492Signature(signature)) {
    const problem = `is not that of the plain account ${wallet}, and this address has no code on chain ${id}: a contract wallet has to be deployed there first, or to send an ERC-6492 signature`;
    return { problem, block };
  }
  const isSigned = await client.verifyHash({ address: wallet, hash, signature, blockNumber });
  return { problem: isSigned ? null : `is not ${wallet}'s signature of this ${text}`, block };
}

/** Returns whether `wallet` signed `hash`. Throws as `checkSignature` does. */
export const isSignedBy = async (
  chain: Pick<ChainInfo, "client" | "id">,
  signed: SignedHash,
): Promise<boolean> => (await checkSignature(chain, signed, "hash")).problem === null;
