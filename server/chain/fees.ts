import type { Chain } from "./client";

/** EIP-1559 fees, in wei a unit of gas. */
export interface Fees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

// Nodes ask for 10% at least; an eighth leaves room for their rounding.
const raised = (fee: bigint) => fee + fee / 8n + 1n;
const larger = (a: bigint, b: bigint) => (a > b ? a : b);
const DEAREST_TIMES_MARKET = 10n;

/** What gets into the next blocks now; bears the base fee doubling. */
export async function marketFees({ client }: Chain): Promise<Fees> {
  const [{ baseFeePerGas }, maxPriorityFeePerGas] = await Promise.all([
    client.getBlock({ blockTag: "latest" }),
    client.estimateMaxPriorityFeePerGas(),
  ]);
  return { maxFeePerGas: 2n * (baseFeePerGas ?? 0n) + maxPriorityFeePerGas, maxPriorityFeePerGas };
}

/**
 * Fees that a node takes in place of `before` at the same nonce. Null once that would be ten times
 * what the market asks: then it is not the fee that keeps the transaction waiting.
 */
export function replacementFees(before: Fees, market: Fees): Fees | null {
  if (before.maxFeePerGas > DEAREST_TIMES_MARKET * market.maxFeePerGas) return null;
  return {
    maxFeePerGas: larger(raised(before.maxFeePerGas), market.maxFeePerGas),
    maxPriorityFeePerGas: larger(raised(before.maxPriorityFeePerGas), market.maxPriorityFeePerGas),
  };
}
