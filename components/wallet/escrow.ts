import {
  type Address,
  encodeEventTopics,
  erc20Abi,
  getAddress,
  type Hex,
  keccak256,
  parseAbi,
  parseEventLogs,
  stringToBytes,
  TransactionNotFoundError,
  type TransactionReceipt,
  zeroAddress,
} from "viem";
import type { Config } from "wagmi";
import { writeContract } from "wagmi/actions";
import type { Agreement } from "@/server/agreements/schema";
import { readLogs } from "@/server/chain/registry/read-logs";
import { DESCRIPTION_PREFIX, EXPIRES_AFTER_MS } from "@/server/escrows/limits";
import type { EscrowJobView, Quote } from "@/server/escrows/schema";
import { DAY_MS, SECOND_MS } from "@/server/lib/time";
import type { Network } from "./network";
import { getClient, PaymentError, waitForReceipt } from "./pay-usdc";
import { requireAccount } from "./require-account";

/** The part of an ERC-8183 escrow that its two parties use. */
const ESCROW = parseAbi([
  "struct Job { uint256 id; address client; address provider; address evaluator; string description; uint256 budget; uint256 expiredAt; uint8 status; address hook; address paymentToken; uint256 providerAgentId; uint256 submittedAt; }",
  "function getJob(uint256 jobId) view returns (Job)",
  "function createJob(address provider, address evaluator, uint256 expiredAt, string description, address hook, uint256 providerAgentId) returns (uint256)",
  "function setBudget(uint256 jobId, address token, uint256 amount, bytes optParams)",
  "function fund(uint256 jobId, uint256 expectedBudget, bytes optParams)",
  "function submit(uint256 jobId, bytes32 deliverable, bytes optParams)",
  "event JobCreated(uint256 indexed jobId, address indexed client, address indexed provider, address evaluator, uint256 expiredAt, address hook)",
]);

const [OPEN, FUNDED, SUBMITTED, COMPLETED] = [0, 1, 2, 3];
/** From `deliverBy` to the expiry of a new job. */
const PLANNED_EXPIRY_MS = 7 * DAY_MS;
/** Seconds in which a transaction should be mined. */
const MINED_WITHIN = 30;

const toSeconds = (time: string) => Math.floor(Date.parse(time) / SECOND_MS);

/** Returns when a job that is created for the agreement expires, in Unix seconds. */
export const planExpiry = ({ terms }: Pick<Agreement, "terms">): number =>
  toSeconds(terms.deliverBy) + PLANNED_EXPIRY_MS / SECOND_MS;

type EscrowAgreement = Pick<Agreement, "agreementId" | "terms" | "termsHash" | "proposedAt">;

/**
 * Returns the job on chain that holds or can hold the value of an agreement: the funded one, else the
 * earliest; null without one. Throws if the node is unreachable.
 */
export async function findJob(
  config: Config,
  network: Network,
  { terms, termsHash, proposedAt }: EscrowAgreement,
) {
  const { escrows, usdcAddress } = network;
  if (!escrows) return null;
  const client = getClient(config, network);
  const { number: to } = await client.getBlock();
  const args = { client: terms.requester as Address, provider: terms.contractor as Address };
  const topics = encodeEventTopics({ abi: ESCROW, eventName: "JobCreated", args });
  const logs = await readLogs(client, {
    filter: { address: escrows.addresses as Address[], topics: topics as Hex[] },
    from: await findBlockBefore(client, toSeconds(proposedAt)),
    to,
  });
  const created = parseEventLogs({ abi: ESCROW, eventName: "JobCreated", logs: logs as never });
  const jobs = await Promise.all(
    created.map(async ({ address, args: { jobId } }) => {
      const escrow = getAddress(address);
      const job = await readJob(client, escrow, jobId);
      const isPriced = job.budget === BigInt(terms.valueMicro) && job.paymentToken === usdcAddress;
      return { ...job, escrow, isPriced, isFunded: job.status !== OPEN };
    }),
  );
  const deliverBy = Date.parse(terms.deliverBy);
  const fitting = jobs.filter(
    (job) =>
      job.status <= SUBMITTED &&
      (job.isPriced || !job.isFunded) &&
      job.client === terms.requester &&
      job.evaluator === escrows.evaluator &&
      job.hook === zeroAddress &&
      job.description.includes(`${DESCRIPTION_PREFIX}${termsHash}`) &&
      Number(job.expiredAt) * SECOND_MS >= deliverBy + EXPIRES_AFTER_MS.min &&
      Number(job.expiredAt) * SECOND_MS <= deliverBy + EXPIRES_AFTER_MS.max,
  );
  return fitting.find(({ isFunded }) => isFunded) ?? fitting[0] ?? null;
}

type Client = ReturnType<typeof getClient>;

const readJob = (client: Client, address: Address, jobId: bigint) =>
  client.readContract({ address, abi: ESCROW, functionName: "getJob", args: [jobId] });

/** Returns the number of a block from before `time` (Unix seconds). */
async function findBlockBefore(client: Client, time: number): Promise<bigint> {
  let { number, timestamp } = await client.getBlock();
  for (let step = 500n; number > 0n && timestamp >= time; step *= 2n) {
    const blockNumber = number > step ? number - step : 0n;
    ({ number, timestamp } = await client.getBlock({ blockNumber }));
  }
  return number;
}

interface Funding {
  /** Asks the service whether it would decide a job with this expiry (ISO 8601). */
  quote: (job: { escrow: string; expiresAt: string }) => Promise<Quote>;
  /** Called with the number of each step when it begins, from 0 to 3. */
  onStep: (step: number) => void;
}

/**
 * Puts the value of an agreement into an escrow from the client's connected wallet, by those of its four
 * transactions that the chain does not have yet: repeated, it goes on with the same job. Throws wallet
 * errors, `WalletError` and `PaymentError`.
 */
export async function fundEscrow(
  config: Config,
  network: Network,
  agreement: EscrowAgreement,
  { quote, onStep }: Funding,
): Promise<void> {
  const { terms, agreementId } = agreement;
  const [from, value] = [terms.requester as Address, BigInt(terms.valueMicro)];
  const send = await openSender(config, network, agreementId, from);
  let job = await findJob(config, network, agreement);
  if (job?.isFunded) return;
  const escrow = job?.escrow ?? (network.escrows?.addresses[0] as Address);
  const expiresAt = new Date(Number(job?.expiredAt ?? planExpiry(agreement)) * SECOND_MS);
  const quoted = await quote({ escrow, expiresAt: expiresAt.toISOString() });
  const { accepted, reason } = quoted;
  if (!accepted) throw new PaymentError(`The service would not decide this escrow. ${reason}`);
  requireTime(terms);
  const call = (functionName: string, args: unknown[]) =>
    send({ address: escrow, abi: ESCROW, functionName, args });
  if (!job) {
    onStep(0);
    const { provider, evaluator, expiredAt, description, hook } = quoted.job;
    await call("createJob", [provider, evaluator, BigInt(expiredAt), description, hook, 0n]);
    job = await findJob(config, network, agreement);
    if (!job) throw new PaymentError("The chain doesn't show your job yet. Continue in a minute.");
  }
  if (!job.isPriced) {
    onStep(1);
    await call("setBudget", [job.id, network.usdcAddress, value, "0x"]);
  }
  const usdc = { address: network.usdcAddress as Address, abi: erc20Abi };
  const allowed = await getClient(config, network).readContract({
    ...{ ...usdc, functionName: "allowance", args: [from, escrow] },
  });
  if (allowed < value) {
    onStep(2);
    await send({ ...usdc, functionName: "approve", args: [escrow, value] });
  }
  requireTime(terms);
  // Another browser may have funded a job since, and the contractor may have changed the value of this one.
  const last = await findJob(config, network, agreement);
  if (last?.isFunded) return;
  if (last?.id !== job.id || !last.isPriced) {
    throw new PaymentError("The job has changed on chain. Nothing was paid; continue from there.");
  }
  onStep(3);
  await call("fund", [job.id, value, "0x"]);
}

/** Throws if the escrow can't be funded in time any more: the service would return the money. */
function requireTime({ startBy }: EscrowAgreement["terms"]): void {
  if (Date.now() / SECOND_MS > toSeconds(startBy) - MINED_WITHIN) {
    throw new PaymentError("It is too late to fund the escrow. No money has moved.");
  }
}

/**
 * Submits the hash of the delivered text to the escrow from the contractor's connected wallet, unless the
 * chain has a submission. Throws wallet errors, `WalletError` and `PaymentError`.
 */
export async function submitToEscrow(
  config: Config,
  network: Network,
  { escrow, jobId, provider }: Pick<EscrowJobView, "escrow" | "jobId" | "provider">,
  text: string,
): Promise<void> {
  const [address, id] = [escrow as Address, BigInt(jobId)];
  const send = await openSender(config, network, `${escrow}.${jobId}`, provider);
  const { status } = await readJob(getClient(config, network), address, id);
  if (status === SUBMITTED || status === COMPLETED) return;
  if (status !== FUNDED) {
    throw new PaymentError("The escrow takes no submission: it isn't funded, or has ended.");
  }
  const args = [id, keccak256(stringToBytes(text)), "0x"];
  await send({ address, abi: ESCROW, functionName: "submit", args });
}

interface Call {
  address: Address;
  abi: unknown;
  functionName: string;
  args: readonly unknown[];
}

/**
 * Returns a function that sends a transaction of the procedure `id` and waits until it is confirmed. The
 * browser remembers the last one, and waits for it first after a reload, so that none is sent twice.
 */
async function openSender(config: Config, network: Network, id: string, from: string) {
  await requireAccount(config, network, from);
  const { chainId } = network;
  const client = getClient(config, network);
  const key = `standing.escrow.${chainId}.${id}.${from}`;
  const last = localStorage.getItem(key) as Hex | null;
  const isKnown = last !== null && (await client.getTransaction({ hash: last }).catch(toUnknown));
  // What came of it is read from the chain.
  if (isKnown) await waitForReceipt(config, network, last).catch(ignoreFailure);
  return async (call: Call): Promise<TransactionReceipt> => {
    const request = { ...call, chainId, account: from as Address } as never;
    await client.simulateContract(request);
    const hash = await writeContract(config, request);
    try {
      localStorage.setItem(key, hash);
    } catch {
      // Blocked or full. The chain still shows what is done.
    }
    return waitForReceipt(config, network, hash);
  };
}

function toUnknown(error: unknown): null {
  if (error instanceof TransactionNotFoundError) return null;
  throw error;
}

function ignoreFailure(error: unknown): void {
  if (!(error instanceof PaymentError)) throw error;
}
