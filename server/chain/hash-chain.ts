import { keccak256 } from "js-sha3";
import { type Hex, type Log, zeroHash } from "viem";

/**
 * Folds record logs into the registry's hash chain, starting from `head`. Every log must be a
 * record, in order of `seq`; the result equals the contract's `head` only if no log is missing,
 * changed or moved. `head(n) = keccak256(head(n-1) . topics . data)`, `head(0) = 0`
 * (`contracts/VerdictRegistry.sol`).
 */
export function foldLogs(logs: readonly Pick<Log, "topics" | "data">[], head: Hex = zeroHash): Hex {
  return logs.reduce((tip, { topics, data }): Hex => {
    const words = [tip, ...topics, data].map((hex) => hex.slice(2)).join("");
    return `0x${keccak256(Buffer.from(words, "hex"))}`;
  }, head);
}
