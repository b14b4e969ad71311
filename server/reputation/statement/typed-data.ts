import canonicalize from "canonicalize";
import { type Address, type Hex, keccak256, stringToBytes } from "viem";
import { POLICY } from "@/server/reputation/policy";
import type { ScoreStatement } from "./schema";

/**
 * EIP-712 type of a statement, in the order of its fields. `contracts/ScoreGate.sol` has the same
 * struct and documents each field.
 */
export const TYPES = {
  ScoreStatement: [
    { name: "wallet", type: "address" },
    { name: "scoreCenti", type: "uint32" },
    { name: "tier", type: "uint8" },
    { name: "outcomes", type: "uint32" },
    { name: "policy", type: "bytes32" },
    { name: "seq", type: "uint64" },
    { name: "head", type: "bytes32" },
    { name: "issuedAt", type: "uint64" },
    { name: "expiresAt", type: "uint64" },
  ],
} as const;

/** Hash of the score policy: Keccak-256 of every number of `POLICY` as canonical JSON (RFC 8785). */
export const POLICY_HASH: Hex = keccak256(stringToBytes(canonicalize(POLICY) ?? ""));

export interface StatementDomain {
  name: "Standing";
  version: "1";
  chainId: number;
  /** The ScoreGate contract. */
  verifyingContract: string;
}

/**
 * Returns the EIP-712 domain of statements. The gate belongs to one registry on one chain, so a
 * signature is worth nothing for another registry, another chain, or another kind of message.
 */
export function buildDomain(chainId: number, gateAddress: Address): StatementDomain {
  return { name: "Standing", version: "1", chainId, verifyingContract: gateAddress };
}

/** Returns a statement as the typed data that viem signs and verifies. */
export function toTypedData(domain: StatementDomain, statement: ScoreStatement) {
  return {
    domain: { ...domain, verifyingContract: domain.verifyingContract as Address },
    types: TYPES,
    primaryType: "ScoreStatement",
    message: {
      ...statement,
      wallet: statement.wallet as Address,
      policy: statement.policy as Hex,
      seq: BigInt(statement.seq),
      head: statement.head as Hex,
      issuedAt: BigInt(statement.issuedAt),
      expiresAt: BigInt(statement.expiresAt),
    },
  } as const;
}
