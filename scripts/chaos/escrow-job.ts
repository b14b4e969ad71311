import { setTimeout as pause } from "node:timers/promises";
import {
  type Abi,
  type Address,
  createPublicClient,
  encodeFunctionData,
  http,
  keccak256,
  stringToBytes,
  zeroAddress,
} from "viem";
import { privateKeyToAddress } from "viem/accounts";
import usdc from "@/contracts/TestUsdc.json";
import agenticCommerce from "@/contracts/testing/AgenticCommerce.json";
import { hashTerms } from "@/server/agreements/hash-terms";
import { DAY_MS } from "@/server/lib/time";
import { buildTerms, signTerms } from "@/server/testing/fixtures/agreement";
import { HONEST, INCOMPLETE } from "@/server/testing/model/gullible-model";
import type { Agent, Load } from "./agent";

const [OPEN, FUNDED, SUBMITTED] = [0, 1, 2];
const abi = agenticCommerce.abi as Abi;

/** A job in the escrow contract, as it is on chain. */
interface Job {
  id: bigint;
  client: Address;
  description: string;
  budget: bigint;
  status: number;
}

/** What two agents agreed on. */
interface Deal {
  load: Load;
  contractor: Agent;
  requester: Agent;
  budget: bigint;
  agreementId: string;
  /** Identifies the job in the escrow. */
  description: string;
  deliverable: string;
}

/**
 * Has two agents agree on a job, put its money into the escrow and deliver good or bad work. Repeats the
 * steps that a reorg undid.
 */
export async function runEscrowJob(load: Load, contractor: Agent, requester: Agent): Promise<void> {
  const deal = await agree(load, contractor, requester);
  if (!(await reach(deal, FUNDED, load.isClosing))) return;
  const { agreementId, deliverable } = deal;
  const delivery = { agreementId, deliverableContent: deliverable };
  const delivered = await send(load, contractor, "/outcome", delivery, `key-${agreementId}`);
  const { outcomeId } = delivered;
  if (!outcomeId) return;
  load.count("submitted");
  // Its record waits for the decision, so what a reorg undoes is done again until there is one.
  for (let isResolved = false; !isResolved && !load.isOver(); await pause(2_000)) {
    await reach(deal, SUBMITTED, load.isOver);
    const read = { method: "GET", path: `/outcome/${outcomeId}` };
    const { status, body } = await load.client.send(contractor.address, read);
    isResolved = status === 200 && body.status === "RESOLVED";
  }
  load.count("resolved");
}

async function agree(load: Load, contractor: Agent, requester: Agent): Promise<Deal> {
  const { chain } = load;
  const budget = load.createAmount(1_000_000n);
  const terms = buildTerms(
    { id: chain.chainId },
    { requester: { wallet: requester.address }, contractor: { wallet: contractor.address } },
    {
      valueMicro: String(budget),
      payment: "escrow",
      delivery: "content",
      requirements: [{ check: "contains", phrases: ["Atlantic"] }],
    },
  );
  // A repeated proposal is answered with the agreement's id alone.
  const { agreementId } = await send(load, requester, "/agreements", {
    terms,
    signature: await signTerms(chain, requester.account, terms),
  });
  const signature = await signTerms(chain, contractor.account, terms);
  await send(load, contractor, `/agreements/${agreementId}/accept`, { signature });
  const description = `standing:1:${hashTerms(terms)}`;
  const deliverable = load.random.chance(0.6) ? HONEST : INCOMPLETE;
  return { load, contractor, requester, budget, agreementId, description, deliverable };
}

/** Sends a request until its result is known. Returns the body. */
async function send(
  { client }: Load,
  { address, apiKey }: Agent,
  path: string,
  body: object,
  idempotencyKey?: string,
) {
  const request = { method: "POST", path, apiKey, idempotencyKey, body };
  return (await client.retry(address, request)).body;
}

/** Makes transactions until the job has a status. Returns false if `isDone` ends that before. */
async function reach(deal: Deal, until: number, isDone: () => boolean): Promise<boolean> {
  while (!isDone()) {
    if (await advance(deal, until).catch(() => false)) return true;
    await pause(1_000);
  }
  return false;
}

/** Makes the next transaction that the job needs. Returns whether it needs none. */
async function advance(deal: Deal, until: number): Promise<boolean> {
  const { load, contractor, requester, budget, description, deliverable } = deal;
  const { chain } = load;
  const escrow = getEscrow(load);
  const call = (agent: Agent, functionName: string, args: unknown[]) =>
    agent.wallet.call(escrow, encodeFunctionData({ abi, functionName, args }));
  const job = await findJob(deal);
  if (!job) {
    const expiredAt = BigInt(Math.floor((Date.now() + 3 * DAY_MS) / 1_000));
    const evaluator = privateKeyToAddress(chain.evaluatorKey);
    const args = [contractor.address, evaluator, expiredAt, description, zeroAddress, 0n];
    await call(requester, "createJob", args);
  } else if (job.status === OPEN && job.budget === 0n) {
    await call(requester, "setBudget", [job.id, chain.usdcAddress, budget, "0x"]);
  } else if (job.status === OPEN) {
    const approve = { abi: usdc.abi, functionName: "approve", args: [escrow, 10n ** 12n] };
    await requester.wallet.call(chain.usdcAddress, encodeFunctionData(approve));
    await call(requester, "fund", [job.id, budget, "0x"]);
  } else if (job.status === FUNDED && until === SUBMITTED) {
    await call(contractor, "submit", [job.id, keccak256(stringToBytes(deliverable)), "0x"]);
  }
  return job !== undefined && job.status >= until;
}

async function findJob({ load, requester, description }: Deal): Promise<Job | undefined> {
  const node = createPublicClient({ transport: http(load.chain.rpcUrl, { timeout: 10_000 }) });
  const contract = { address: getEscrow(load), abi };
  const count = (await node.readContract({ ...contract, functionName: "jobCounter" })) as bigint;
  for (let id = count; id > 0n; id--) {
    const args = [id];
    const job = (await node.readContract({ ...contract, functionName: "getJob", args })) as Job;
    if (job.description === description && job.client === requester.address) return job;
  }
  return undefined;
}

function getEscrow({ chain }: Load): Address {
  const [escrow] = chain.escrowAddresses;
  if (!escrow) throw new Error("the chain has no escrow");
  return escrow;
}
