import {
  type Address,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseEventLogs,
  stringToBytes,
  type TransactionReceipt,
  zeroAddress,
} from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import agenticCommerce from "@/contracts/testing/AgenticCommerce.json";
import { DAY_MS } from "@/server/lib/time";
import { sendDirectly } from "./chain";
import { encodeUsdcCall, type LocalPayments } from "./payments";

/** What a client creates; by default as agreed. */
export interface TestJob {
  client: PrivateKeyAccount;
  provider: Address;
  evaluator?: Address;
  expiresAt?: Date;
  description: string;
  hook?: Address;
  token?: Address;
  budgetMicro: bigint;
}

/** Calls the local chain's escrow from `account`, or the contract at `to`. */
export function callEscrow(
  { chain }: Pick<LocalPayments, "chain">,
  account: PrivateKeyAccount,
  functionName: string,
  args: unknown[],
  to = chain.escrows?.addresses[0],
): Promise<TransactionReceipt> {
  if (!to) throw new Error("the chain has no escrow");
  const data = encodeFunctionData({ abi: agenticCommerce.abi, functionName, args });
  return sendDirectly({ client: chain.client }, account, { to, data, gas: 600_000n });
}

/** Creates a job that is not funded. Returns its number. */
export async function createJob(
  local: LocalPayments,
  { client, provider, description, budgetMicro, ...job }: TestJob,
): Promise<bigint> {
  const { chain } = local;
  const {
    evaluator = chain.escrows?.evaluator,
    expiresAt = new Date(Date.now() + 3 * DAY_MS),
    hook = zeroAddress,
    token = chain.usdcAddress,
  } = job;
  const expiredAt = BigInt(Math.floor(expiresAt.getTime() / 1_000));
  const args = [provider, evaluator, expiredAt, description, hook, 0n];
  const { logs } = await callEscrow(local, client, "createJob", args);
  const [created] = parseEventLogs({
    abi: agenticCommerce.abi,
    eventName: "JobCreated",
    logs,
  }) as unknown as { args: { jobId: bigint } }[];
  if (!created) throw new Error("no job was created");
  const { jobId } = created.args;
  await callEscrow(local, client, "setBudget", [jobId, token, budgetMicro, "0x"]);
  return jobId;
}

/** Moves the budget of a job from its client to the escrow. */
export async function fundJob(local: LocalPayments, job: TestJob, jobId: bigint): Promise<void> {
  const { client, budgetMicro, token } = job;
  const spender = local.chain.escrows?.addresses[0];
  const approve = encodeUsdcCall(local, "approve", [spender, budgetMicro]);
  await sendDirectly(local.chain, client, { ...approve, to: token ?? approve.to });
  const { status } = await callEscrow(local, client, "fund", [jobId, budgetMicro, "0x"]);
  if (status !== "success") throw new Error("the job was not funded");
}

/** Creates a job and funds it. Returns its number. */
export async function createFundedJob(local: LocalPayments, job: TestJob): Promise<bigint> {
  const jobId = await createJob(local, job);
  await fundJob(local, job, jobId);
  return jobId;
}

/** Submits the hash of a deliverable to the escrow. */
export const submitDeliverable = (
  local: LocalPayments,
  provider: PrivateKeyAccount,
  jobId: bigint,
  text: string,
) => callEscrow(local, provider, "submit", [jobId, keccak256(stringToBytes(text)), "0x"]);

/** Returns a job's state: open, funded, submitted, completed, rejected or expired, counted from 0. */
export async function readJobStatus({ chain }: LocalPayments, jobId: bigint): Promise<number> {
  const address = chain.escrows?.addresses[0] as Hex;
  const job = (await chain.client.readContract({
    address,
    abi: agenticCommerce.abi,
    functionName: "getJob",
    args: [jobId],
  })) as { status: number };
  return job.status;
}
