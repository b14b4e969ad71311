import type { Hex } from "viem";
import type { NewRecord } from "./ledger";
import { encodeBatch, getEncoding } from "./record-encodings";

/** Maximum outcomes per transaction: about 1.6 million gas, far below Base's cap of 2^24. */
export const MAX_BATCH = 50;

// Limits, not costs: `contracts/gas.test.ts` measures half of them. The first record of a registry
// costs 34,000 more, since its count and head start at zero.
const BASE_GAS = 120_000n;
const GAS_PER_OUTCOME = 50_000n;

/**
 * Returns the registry calldata that records `records`, and its gas limit. Accepts 1 to
 * `MAX_BATCH` outcomes, or one record of another kind. Throws on any other combination.
 */
export function encodeRecords(records: readonly NewRecord[]): { data: Hex; gas: bigint } {
  const gas = BASE_GAS + GAS_PER_OUTCOME * BigInt(records.length);
  const [first, second] = records;
  if (!first) throw new Error("Nothing to record");
  if (!second) return { data: getEncoding(first).encode(first), gas };
  const outcomes = records.filter((record) => record.type === "outcome");
  if (outcomes.length !== records.length || outcomes.length > MAX_BATCH) {
    throw new Error(`A batch holds outcomes only, at most ${MAX_BATCH}`);
  }
  return { data: encodeBatch(outcomes), gas };
}
