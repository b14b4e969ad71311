import { type Address, isAddressEqual, parseAbi } from "viem";
import { base } from "viem/chains";
import { returnNullForRefusal } from "@/server/chain/score-gate";
import type { ChainInfo, Erc8004Registries } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import type { LinkedIdentity } from "./schema";

/** The part of the ABI of ERC-8004's identity registry that the service uses. */
export const identityAbi = parseAbi([
  "function ownerOf(uint256 tokenId) view returns (address)",
  "function tokenURI(uint256 tokenId) view returns (string)",
  "function getAgentWallet(uint256 agentId) view returns (address)",
  "function isAuthorizedOrOwner(address spender, uint256 agentId) view returns (bool)",
  "event Registered(uint256 indexed agentId, string agentURI, address indexed owner)",
  "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
  "event MetadataSet(uint256 indexed agentId, string indexed indexedMetadataKey, string metadataKey, bytes metadataValue)",
  "event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy)",
]);

type Chain = Pick<ChainInfo, "id" | "erc8004" | "explorerUrl">;

/** Returns the configured registries. Throws `identities-unavailable` if there are none. */
export function requireRegistries({ erc8004 }: Pick<ChainInfo, "erc8004">): Erc8004Registries {
  if (erc8004) return erc8004;
  throw new AppError("identities-unavailable", "This service knows no ERC-8004 registries.");
}

/** Names the registry as ERC-8004's files do. */
export const formatRegistry = (chain: Pick<ChainInfo, "id">, registries: Erc8004Registries) =>
  `eip155:${chain.id}:${registries.identityAddress}`;

/** Returns the page of an identity in an explorer, or null on a chain without one. */
export function getIdentityUrl(
  { id, explorerUrl }: Chain,
  { identityAddress }: Erc8004Registries,
  agentId: string,
): string | null {
  if (id === base.id) return `https://www.8004scan.io/agents/base/${agentId}`;
  return explorerUrl && `${explorerUrl}/nft/${identityAddress}/${agentId}`;
}

/** What the registry says about a wallet and an identity. */
export interface Holding {
  /** Latest block, at which it was asked. */
  block: bigint;
  /** What makes it the identity of the wallet; null: nothing does. */
  proof: LinkedIdentity["proof"] | null;
  /** Null if there is no such identity. */
  owner: Address | null;
}

/**
 * Asks the registry, at the latest block, what a wallet is to an identity. Throws `unavailable` if the
 * node is unreachable.
 */
export async function readHolding(
  chain: Pick<ChainInfo, "client" | "erc8004">,
  wallet: Address,
  agentId: string,
): Promise<Holding> {
  const address = requireRegistries(chain).identityAddress;
  const id = BigInt(agentId);
  try {
    const block = await chain.client.getBlockNumber({ cacheTime: 0 });
    const at = { address, abi: identityAbi, blockNumber: block } as const;
    const { client } = chain;
    const [owner, agentWallet, isAuthorized] = await Promise.all([
      client
        .readContract({ ...at, functionName: "ownerOf", args: [id] })
        .catch(returnNullForRefusal),
      client
        .readContract({ ...at, functionName: "getAgentWallet", args: [id] })
        .catch(returnNullForRefusal),
      client
        .readContract({ ...at, functionName: "isAuthorizedOrOwner", args: [wallet, id] })
        .catch(returnNullForRefusal),
    ]);
    return { block, owner, proof: findProof(wallet, { owner, agentWallet, isAuthorized }) };
  } catch {
    throw new AppError("unavailable", "The chain that has the ERC-8004 registry is unavailable.", {
      headers: { "Retry-After": "10" },
    });
  }
}

function findProof(
  wallet: Address,
  says: { owner: Address | null; agentWallet: Address | null; isAuthorized: boolean | null },
): Holding["proof"] {
  const isWallet = (address: Address | null) => address !== null && isAddressEqual(address, wallet);
  // A wallet acts for an identity only while it has an owner.
  if (says.owner === null) return null;
  if (isWallet(says.owner)) return "owner";
  if (isWallet(says.agentWallet)) return "agent-wallet";
  return says.isAuthorized ? "operator" : null;
}

/** Says why a link ended, in a sentence for the owner. */
export const explainLoss = (agentId: string, { block, owner }: Holding) =>
  owner === null
    ? `At block ${block} the registry had no identity ${agentId}.`
    : `At block ${block} identity ${agentId} belonged to ${owner}, and your wallet was neither its agent wallet nor its operator.`;
