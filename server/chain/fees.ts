import type { Chain } from "./client";

/** EIP-1559 fees, in wei per unit of gas. */
export interface Fees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

// Nodes require a raise of at least 10%; an eighth leaves room for their rounding.
const raised = (fee: bigint) => fee + fee / 8n + 1n;
const larger = (a: bigint, b: bigint) => (a > b ? a : b);
const DEAREST_TIMES_MARKET = 10n;

/** Returns fees that get a transaction into the next blocks, even if the base fee doubles. */
export async function marketFees({ client }: Chain): Promise<Fees> {
  const [{ baseFeePerGas }, maxPriorityFeePerGas] = await Promise.all([
    client.getBlock({ blockTag: "latest" }),
    client.estimateMaxPriorityFeePerGas(),
  ]);
  return { maxFeePerGas: 2n * (baseFeePerGas ?? 0n) + maxPriorityFeePerGas, maxPriorityFeePerGas };
}

/**
 * Returns fees that a node accepts for replacing `before` at the same nonce. Returns null if
 * `before` is already more than ten times the market fee: then the fee is not what delays the
 * transaction.
 */
export function replacementFees(before: Fees, market: Fees): Fees | null {
  if (before.maxFeePerGas > DEAREST_TIMES_MARKET * market.maxFeePerGas) return null;
  return {
    maxFeePerGas: larger(raised(before.maxFeePerGas), market.maxFeePerGas),
    maxPriorityFeePerGas: larger(raised(before.maxPriorityFeePerGas), market.maxPriorityFeePerGas),
  };
}
