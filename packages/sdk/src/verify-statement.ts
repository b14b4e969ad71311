import { type Address, type Hex, recoverTypedDataAddress } from "viem";
import type { components } from "./openapi.js";

export type SignedStatement = components["schemas"]["SignedStatement"];
export type ScoreStatement = components["schemas"]["ScoreStatement"];

/** What a statement must match: never take these from the statement itself. */
export interface TrustedStatement {
  /** `chainId` of `GET /network`. */
  chainId: number;
  /** `statements.gateAddress` of `GET /network`. */
  gateAddress: string;
  /** `statements.signer` of `GET /network`, or `signer()` of the ScoreGate contract. */
  signer: string;
  /** The wallet that the statement must be about. */
  wallet: string;
}

/** Why a statement can't be relied on. */
export class StatementError extends Error {
  override readonly name = "StatementError";
}

const TYPES = {
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

/**
 * Returns the signed fields of a score statement (EIP-712) after checking it offline: form, signature,
 * signer, chain, contract, wallet and expiry. Throws `StatementError` otherwise, whatever the statement
 * contains. A signer that is a contract (ERC-1271) must be checked on chain instead, by the ScoreGate
 * contract.
 */
export async function verifyStatement(
  signed: SignedStatement,
  trusted: TrustedStatement,
  now = new Date(),
): Promise<ScoreStatement> {
  const chainId = signed?.domain?.chainId;
  if (chainId !== trusted.chainId) {
    throw new StatementError(`It is for chain ${chainId}, not ${trusted.chainId}.`);
  }
  const message = readMessage(signed.message);
  if (!isSame(message.wallet, trusted.wallet)) {
    throw new StatementError(`It is about ${message.wallet}, not ${trusted.wallet}.`);
  }
  const signer = await recoverTypedDataAddress({
    domain: {
      name: "Standing",
      version: "1",
      chainId: trusted.chainId,
      verifyingContract: trusted.gateAddress as Address,
    },
    types: TYPES,
    primaryType: "ScoreStatement",
    message: {
      ...message,
      wallet: message.wallet as Address,
      policy: message.policy as Hex,
      seq: BigInt(message.seq),
      head: message.head as Hex,
      issuedAt: BigInt(message.issuedAt),
      expiresAt: BigInt(message.expiresAt),
    },
    signature: signed.signature as Hex,
  }).catch(() => null);
  if (signer === null || !isSame(signer, trusted.signer)) {
    throw new StatementError(`It is not signed by ${trusted.signer} for ${trusted.gateAddress}.`);
  }
  if (now.getTime() >= message.expiresAt * 1_000) {
    throw new StatementError(`It expired at ${new Date(message.expiresAt * 1_000).toISOString()}.`);
  }
  return message;
}

const FORMS = { address: /^0x[0-9a-fA-F]{40}$/, bytes32: /^0x[0-9a-f]{64}$/ };

/**
 * Returns the signed fields alone, and throws `StatementError` if one lacks the form of its type. The
 * encoder would accept `"0x64"` or `[100]` for 100, which the reader may compare differently.
 */
function readMessage(message: ScoreStatement): ScoreStatement {
  const fields = TYPES.ScoreStatement.map(({ name, type }) => {
    const value: unknown = message?.[name];
    const isValid =
      type === "address" || type === "bytes32"
        ? typeof value === "string" && FORMS[type].test(value)
        : Number.isSafeInteger(value) && Number(value) >= 0;
    if (!isValid) throw new StatementError(`Its field ${name} is missing or malformed.`);
    return [name, value];
  });
  return Object.fromEntries(fields);
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
