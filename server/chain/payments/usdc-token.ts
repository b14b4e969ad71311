import { type Address, parseAbi } from "viem";
import { returnNullForRefusal } from "@/server/chain/score-gate";
import type { ChainInfo } from "@/server/lib/context";
import { USDC_DECIMALS } from "@/server/lib/usdc";

const tokenAbi = parseAbi([
  "function name() view returns (string)",
  "function version() view returns (string)",
  "function decimals() view returns (uint8)",
]);

/** A USDC contract and its EIP-712 domain, as the contract names them. */
export interface UsdcToken {
  address: Address;
  /** Null until the node has responded, or if the contract has no `name()`. */
  name: string | null;
  /** Null until the node has responded, or if the contract has no `version()`. */
  version: string | null;
  decimals: number;
}

type Reader = Pick<ChainInfo, "client" | "usdcAddress">;

/** The token that each client read last, or is reading. A deployed token keeps its name and version. */
const tokens = new WeakMap<ChainInfo["client"], UsdcToken>();

/**
 * Returns the chain's USDC. Never waits for the node, because every page needs the network: a token
 * that could not be read yet is read in the background.
 */
export function getUsdcToken(chain: Reader): UsdcToken {
  const known = tokens.get(chain.client);
  if (known?.address === chain.usdcAddress) return known;
  const unread = {
    address: chain.usdcAddress,
    name: null,
    version: null,
    decimals: USDC_DECIMALS,
  };
  tokens.set(chain.client, unread);
  void readUsdcToken(chain);
  return unread;
}

/** Reads the token for `getUsdcToken`. An unreachable node leaves it unread. */
export async function readUsdcToken({ client, usdcAddress: address }: Reader): Promise<void> {
  const read = <T extends "name" | "version" | "decimals">(functionName: T) =>
    client.readContract({ address, abi: tokenAbi, functionName }).catch(returnNullForRefusal);
  try {
    const [name, version, decimals] = await Promise.all([
      read("name"),
      read("version"),
      read("decimals"),
    ]);
    tokens.set(client, { address, name, version, decimals: decimals ?? USDC_DECIMALS });
  } catch {
    tokens.delete(client);
  }
}
