import canonicalize from "canonicalize";
import { type Address, type Hex, keccak256, stringToBytes } from "viem";
import { TAGS } from "./reputation-registry";

/** What a feedback file says. */
export interface FeedbackFacts {
  chainId: number;
  identityAddress: Address;
  /** Decimal. */
  agentId: string;
  /** The account that gives the feedback. */
  client: string;
  /** From 0 to 100. */
  value: number;
  createdAt: Date;
  outcomeId: string;
  /** Public URL of the service, without a trailing slash. */
  publicUrl: string;
  /** The USDC transfer that paid for the task. */
  payment: { from: string; to: string; txHash: string } | null;
}

/**
 * Returns the feedback file (ERC-8004) as canonical JSON (RFC 8785), and its keccak256. Equal facts
 * give equal bytes, so that feedback is recognised in the registry by its hash.
 */
export function buildFeedbackFile(facts: FeedbackFacts): { file: string; hash: Hex } {
  const { chainId, agentId, outcomeId, publicUrl, payment } = facts;
  const number = Number(agentId);
  const file = canonicalize({
    agentRegistry: `eip155:${chainId}:${facts.identityAddress}`,
    // A number in the specification; ids of a uint256 may exceed what JSON can hold as one.
    agentId: Number.isSafeInteger(number) ? number : agentId,
    clientAddress: `eip155:${chainId}:${facts.client}`,
    createdAt: facts.createdAt.toISOString(),
    value: facts.value,
    valueDecimals: 0,
    ...TAGS,
    endpoint: getOutcomeUrl(publicUrl, outcomeId),
    outcome: `${publicUrl}/api/v1/outcome/${outcomeId}`,
    ...(payment
      ? {
          proofOfPayment: {
            fromAddress: payment.from,
            toAddress: payment.to,
            chainId: String(chainId),
            txHash: payment.txHash,
          },
        }
      : {}),
  });
  if (file === undefined) throw new Error("The feedback cannot be serialised");
  return { file, hash: keccak256(stringToBytes(file)) };
}

/** Returns the URL of an outcome's page, which feedback names as its endpoint. */
const getOutcomeUrl = (publicUrl: string, outcomeId: string) =>
  `${publicUrl}/outcomes/${outcomeId}`;

/** Returns endpoint and address of a stored file; the service's own URL may have changed since. */
export function locateFile(file: string, hash: string): { endpoint: string; feedbackUri: string } {
  const { endpoint } = JSON.parse(file) as { endpoint: string };
  return { endpoint, feedbackUri: `${endpoint}/feedback/${hash}.json` };
}
