import { type Address, encodeFunctionData, type Hex, parseAbi } from "viem";

/** The part of the ERC-8004 reputation registry that the service uses. */
export const reputationAbi = parseAbi([
  "event NewFeedback(uint256 indexed agentId, address indexed clientAddress, uint64 feedbackIndex, int128 value, uint8 valueDecimals, string indexed indexedTag1, string tag1, string tag2, string endpoint, string feedbackURI, bytes32 feedbackHash)",
  "event FeedbackRevoked(uint256 indexed agentId, address indexed clientAddress, uint64 indexed feedbackIndex)",
  "function giveFeedback(uint256 agentId, int128 value, uint8 valueDecimals, string tag1, string tag2, string endpoint, string feedbackURI, bytes32 feedbackHash)",
  "function revokeFeedback(uint256 agentId, uint64 feedbackIndex)",
]);

/** Tags of all feedback about outcomes. Indexers count `job_completion` from 0 to 100. */
export const TAGS = { tag1: "job_completion", tag2: "standing" } as const;

/** Feedback about one outcome, as `giveFeedback` takes it. */
export interface Feedback {
  agentId: string;
  /** From 0 to 100, without decimals. */
  value: number;
  /** Page of the outcome. */
  endpoint: string;
  feedbackUri: string;
  feedbackHash: Hex;
}

/** Returns the call that gives feedback, for viem. */
export function buildGiveCall(address: Address, feedback: Feedback) {
  const { agentId, value, endpoint, feedbackUri, feedbackHash } = feedback;
  const { tag1, tag2 } = TAGS;
  return {
    address,
    abi: reputationAbi,
    functionName: "giveFeedback",
    args: [BigInt(agentId), BigInt(value), 0, tag1, tag2, endpoint, feedbackUri, feedbackHash],
  } as const;
}

/** Returns the call that revokes feedback of the sender, for viem. */
export function buildRevokeCall(address: Address, agentId: string, feedbackIndex: bigint) {
  return {
    address,
    abi: reputationAbi,
    functionName: "revokeFeedback",
    args: [BigInt(agentId), feedbackIndex],
  } as const;
}

/** Returns the calldata of a call. */
export const encodeCall = (call: ReturnType<typeof buildGiveCall | typeof buildRevokeCall>): Hex =>
  encodeFunctionData(call as Parameters<typeof encodeFunctionData>[0]);
