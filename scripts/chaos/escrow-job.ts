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

interface Job {
  id: bigint;
  client: Address;
  description: string;
  budget: bigint;
  status: number;
}

/**
 * Has two agents agree on a job, put its money into the escrow and deliver good or bad work. Repeats the
 * steps that a reorg undid.
 */
export async function runEscrowJob(load: Load, contractor: Agent, requester: Agent): Promise<void> {
  const { client, random, chain } = load;
  const [escrow] = chain.escrowAddresses;
  if (!escrow) throw new Error("the chain has no escrow");
  const node = createPublicClient({ transport: http(chain.rpcUrl, { timeout: 10_000 }) });
  const contract = { address: escrow, abi: agenticCommerce.abi as Abi } as const;
  const call = (agent: Agent, functionName: string, args: unknown[]) =>
    agent.wallet.call(escrow, encodeFunctionData({ abi: contract.abi, functionName, args }));
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
  const send = async (agent: Agent, path: string, body: object, idempotencyKey?: string) => {
    const { address, apiKey } = agent;
    const request = { method: "POST", path, apiKey, idempotencyKey, body };
    return (await client.retry(address, request)).body;
  };
  const proposed = await send(requester, "/agreements", {
    terms,
    signature: await signTerms(chain, requester.account, terms),
  });
  // A repeated proposal is answered with the agreement's id alone.
  const { agreementId } = proposed;
  const signature = await signTerms(chain, contractor.account, terms);
  await send(contractor, `/agreements/${agreementId}/accept`, { signature });

  const text = random.chance(0.6) ? HONEST : INCOMPLETE;
  const description = `standing:1:${hashTerms(terms)}`;
  const findJob = async (): Promise<Job | undefined> => {
    const count = (await node.readContract({ ...contract, functionName: "jobCounter" })) as bigint;
    for (let id = count; id > 0n; id--) {
      const job = (await node.readContract({
        ...contract,
        functionName: "getJob",
        args: [id],
      })) as Job;
      if (job.description === description && job.client === requester.address) return job;
    }
    return undefined;
  };
  /** Makes the next transaction that the job needs. Returns whether it needs none. */
  const advance = async (until: number): Promise<boolean> => {
    const job = await findJob();
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
      await call(contractor, "submit", [job.id, keccak256(stringToBytes(text)), "0x"]);
    }
    return job !== undefined && job.status >= until;
  };
  const reach = async (until: number, isDone: () => boolean) => {
    while (!isDone()) {
      if (await advance(until).catch(() => false)) return true;
      await pause(1_000);
    }
    return false;
  };

  if (!(await reach(FUNDED, load.isClosing))) return;
  const delivery = { agreementId, deliverableContent: text };
  const delivered = await send(contractor, "/outcome", delivery, `key-${agreementId}`);
  const { outcomeId } = delivered;
  if (!outcomeId) return;
  load.count("submitted");
  // Its record waits for the decision, so what a reorg undoes is done again until there is one.
  for (let isResolved = false; !isResolved && !load.isOver(); await pause(2_000)) {
    await reach(SUBMITTED, load.isOver);
    const read = { method: "GET", path: `/outcome/${outcomeId}` };
    const { status, body } = await client.send(contractor.address, read);
    isResolved = status === 200 && body.status === "RESOLVED";
  }
  load.count("resolved");
}
