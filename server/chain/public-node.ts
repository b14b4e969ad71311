import { base, baseSepolia } from "viem/chains";

/** Nodes that answer browsers of any origin without a key, by chain ID. */
const PUBLIC_NODES: Record<number, string> = Object.fromEntries(
  [base, baseSepolia].map(({ id, rpcUrls }) => [id, rpcUrls.default.http[0]]),
);

/**
 * Returns the URL of a node that browsers can read the chain from: the local one, or the chain's
 * public one. Returns null if there is none. The configured node may have a key in its URL, so it
 * is never returned.
 */
export function findPublicNode({ id, rpcUrl }: { id: number; rpcUrl: string | null }) {
  return rpcUrl ?? PUBLIC_NODES[id] ?? null;
}
