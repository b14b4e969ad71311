import {
  type Address,
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  parseAbi,
  parseEventLogs,
  type TransactionReceipt,
  zeroAddress,
} from "viem";
import { extractTransfers, type UsdcTransfer } from "@/server/chain/payments/transfers";
import type { RawLog } from "@/server/chain/registry/read-logs";
import { returnNullForRefusal } from "@/server/chain/score-gate";
import type { ChainInfo } from "@/server/lib/context";
import { toChecksumAddress } from "@/server/lib/wallet";

/** The part of an ERC-8183 escrow that the service uses. */
const escrowAbi = parseAbi([
  "struct Job { uint256 id; address client; address provider; address evaluator; string description; uint256 budget; uint256 expiredAt; uint8 status; address hook; address paymentToken; uint256 providerAgentId; uint256 submittedAt; }",
  "function getJob(uint256 jobId) view returns (Job)",
  "function evaluatorFeeBP() view returns (uint256)",
  "function complete(uint256 jobId, bytes32 reason, bytes optParams)",
  "function reject(uint256 jobId, bytes32 reason, bytes optParams)",
  "event JobFunded(uint256 indexed jobId, address indexed client, uint256 amount)",
  "event JobSubmitted(uint256 indexed jobId, address indexed provider, bytes32 deliverable)",
  "event JobCompleted(uint256 indexed jobId, address indexed evaluator, bytes32 reason)",
  "event JobRejected(uint256 indexed jobId, address indexed rejector, bytes32 reason)",
  "event JobExpired(uint256 indexed jobId)",
  "event PaymentReleased(uint256 indexed jobId, address indexed provider, uint256 amount)",
]);

const FOLLOWED_EVENTS = ["JobFunded", "JobSubmitted", "JobExpired"] as const;
const FOLLOWED_TOPICS = FOLLOWED_EVENTS.map(
  (eventName) => encodeEventTopics({ abi: escrowAbi, eventName })[0],
);

const STATUSES = ["open", "funded", "submitted", "completed", "rejected", "expired"] as const;

/** A job as the escrow has it. */
export interface Job {
  /** Addresses in EIP-55 form. */
  client: Address;
  /** The zero address until the client names one. */
  provider: Address;
  evaluator: Address;
  /** Untrusted, of any length. */
  description: string;
  /** In the smallest unit of `paymentToken`; 0 until it is set. */
  budget: bigint;
  paymentToken: Address;
  hook: Address;
  expiresAt: Date;
  status: (typeof STATUSES)[number];
}

type Client = Pick<ChainInfo, "client">;

/** Identifies a job; `jobId` in decimal. */
export interface JobKey {
  escrow: string;
  jobId: string;
}

/** Reads a job as of a block. Returns null if there is none. Throws if the node is unreachable. */
export async function readJob(
  { client }: Client,
  { escrow, jobId }: JobKey,
  blockNumber: bigint,
): Promise<Job | null> {
  const job = await client
    .readContract({
      address: escrow as Address,
      abi: escrowAbi,
      functionName: "getJob",
      args: [BigInt(jobId)],
      blockNumber,
    })
    .catch(returnNullForRefusal);
  const status = STATUSES[job?.status ?? -1];
  if (!job || !status || job.client === zeroAddress) return null;
  const { client: owner, provider, evaluator, description, budget, paymentToken, hook } = job;
  return {
    client: toChecksumAddress(owner),
    provider: toChecksumAddress(provider),
    evaluator: toChecksumAddress(evaluator),
    description,
    budget,
    paymentToken: toChecksumAddress(paymentToken),
    hook: toChecksumAddress(hook),
    expiresAt: toDate(job.expiredAt),
    status,
  };
}

/** Returns the evaluator's share of each payment, in hundredths of a percent; null if it has none. */
export const readEvaluatorFee = ({ client }: Client, escrow: string): Promise<bigint | null> =>
  client
    .readContract({ address: escrow as Address, abi: escrowAbi, functionName: "evaluatorFeeBP" })
    .catch(returnNullForRefusal);

/** Last second of the year 9999: a contract takes any number. */
const LAST_SECOND = 253_402_300_799n;
const toDate = (seconds: bigint) =>
  new Date(Number(seconds < LAST_SECOND ? seconds : LAST_SECOND) * 1_000);

/** Selects the logs of jobs that were funded, submitted or returned to their clients after expiry. */
export const followedFilter = (addresses: readonly Address[]) => ({
  address: addresses,
  topics: [FOLLOWED_TOPICS],
});

/** Returns what the logs of `followedFilter` say, in order. */
export const decodeFollowed = (logs: RawLog[]) =>
  parseEventLogs({ abi: escrowAbi, eventName: [...FOLLOWED_EVENTS], logs: logs as never }).map(
    ({ address, blockNumber, ...event }) => ({
      ...event,
      escrow: toChecksumAddress(address),
      jobId: String(event.args.jobId),
      block: BigInt(blockNumber),
    }),
  );

/** Above what the reference and a proxy need. */
const DECISION_GAS = 500_000n;

/** Returns the calldata of a decision, with its gas limit. */
export const encodeDecision = (decision: "complete" | "reject", jobId: string, reason: Hex) => ({
  data: encodeFunctionData({
    abi: escrowAbi,
    functionName: decision,
    args: [BigInt(jobId), reason, "0x"],
  }),
  gas: DECISION_GAS,
});

/** Returns whether the receipt has the escrow's log of this decision. */
export const hasDecided = (
  receipt: TransactionReceipt,
  key: JobKey,
  decision: "complete" | "reject",
): boolean => {
  const eventName = decision === "complete" ? "JobCompleted" : "JobRejected";
  const logs = listOwnLogs(receipt, key);
  return (
    receipt.status === "success" &&
    parseEventLogs({ abi: escrowAbi, eventName, logs }).some(
      ({ args }) => args.jobId === BigInt(key.jobId),
    )
  );
};

/**
 * Returns the USDC transfer by which the escrow released the payment of the job to its provider, as
 * `PaymentReleased` says; null if the transaction released nothing.
 */
export function findRelease(
  chain: Pick<ChainInfo, "usdcAddress">,
  receipt: TransactionReceipt,
  key: JobKey & { provider: string },
): UsdcTransfer | null {
  const released = parseEventLogs({
    abi: escrowAbi,
    eventName: "PaymentReleased",
    logs: listOwnLogs(receipt, key),
  }).find(({ args }) => args.jobId === BigInt(key.jobId));
  if (!released || toChecksumAddress(released.args.provider) !== key.provider) return null;
  const { amount } = released.args;
  return (
    extractTransfers(chain, receipt).find(
      ({ from, to, amountMicro }) =>
        from === key.escrow && to === key.provider && amountMicro === amount && amount > 0n,
    ) ?? null
  );
}

const listOwnLogs = ({ logs }: TransactionReceipt, { escrow }: JobKey) =>
  logs.filter(({ address }) => isAddressEqual(address, escrow as Address));
