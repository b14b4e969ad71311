import {
  type Address,
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  http,
  keccak256,
  publicActions,
  stringToBytes,
  walletActions,
  zeroAddress,
} from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { foundry } from "viem/chains";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Config } from "wagmi";
import agenticCommerce from "@/contracts/testing/AgenticCommerce.json";
import { type LocalChain, startAnvil } from "@/server/local/anvil";
import { findJob, fundEscrow, planExpiry, submitToEscrow } from "./escrow";
import type { Network } from "./network";
import { fundTestWallet } from "./pay-usdc";
import { connectMockWallet } from "./testing/connect-mock-wallet";

const VALUE = 2_500_000n;
const { abi } = agenticCommerce;
const [evaluator, other] = [
  privateKeyToAddress(generatePrivateKey()),
  privateKeyToAddress(generatePrivateKey()),
];

let anvil: LocalChain;
let network: Network;
let escrow: Address;
beforeAll(async () => {
  anvil = await startAnvil();
  escrow = anvil.escrowAddresses[0] as Address;
  const { chainId, usdcAddress, rpcUrl } = anvil;
  network = {
    ...{ chainId, chainName: "Local chain", explorerUrl: null, usdcAddress, rpcUrl },
    ...{ confirmations: 1, escrows: { evaluator, addresses: [escrow] } },
  } as unknown as Network;
});
afterAll(() => anvil.stop());

const node = () =>
  createTestClient({ chain: foundry, mode: "anvil", transport: http(anvil.rpcUrl) })
    .extend(publicActions)
    .extend(walletActions);

let stored: Map<string, string>;
let parties: Record<"client" | "contractor", { address: Address; config: Config }>;
let agreement: Parameters<typeof findJob>[2];
beforeEach(async () => {
  stored = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  const [client, contractor] = [await createParty(), await createParty()];
  parties = { client, contractor };
  const now = Date.now();
  agreement = {
    agreementId: crypto.randomUUID(),
    termsHash: keccak256(stringToBytes(crypto.randomUUID())),
    proposedAt: new Date(now - 60_000).toISOString(),
    terms: {
      requester: client.address,
      contractor: contractor.address,
      valueMicro: String(VALUE),
      startBy: new Date(now + 3_600_000).toISOString(),
      deliverBy: new Date(now + 7_200_000).toISOString(),
    },
  } as typeof agreement;
});

/** Creates a wallet with money whose transactions the node signs. */
async function createParty() {
  const address = privateKeyToAddress(generatePrivateKey());
  const config = await connectMockWallet(network, address);
  await fundTestWallet(network, address);
  await node().impersonateAccount({ address });
  return { address, config };
}

/**
 * Funds as the page does; `stopAt` is a step at which the owner gives up, and `afterRead` runs once the job was
 * read. Returns the steps.
 */
async function fund(stopAt = 4, afterRead?: () => Promise<unknown>): Promise<number[]> {
  const steps: number[] = [];
  await fundEscrow(parties.client.config, network, agreement, {
    quote: async ({ expiresAt }) => {
      await afterRead?.();
      return {
        ...{ accepted: true, reason: null, models: 0 },
        job: {
          ...{ escrow, evaluator, hook: zeroAddress, paymentToken: network.usdcAddress },
          provider: agreement.terms.contractor,
          expiredAt: Date.parse(expiresAt) / 1_000,
          description: `standing:1:${agreement.termsHash}`,
          budgetMicro: String(VALUE),
        },
      };
    },
    onStep: (step) => {
      if (step === stopAt) throw new Error("stopped");
      steps.push(step);
    },
  }).catch((error: Error) => {
    if (error.message !== "stopped") throw error;
  });
  return steps;
}

const find = () => findJob(parties.client.config, network, agreement);

const countJobs = () => node().readContract({ address: escrow, abi, functionName: "jobCounter" });

const getHeld = () =>
  node().readContract({
    address: network.usdcAddress as Address,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [escrow],
  });

async function call(account: Address, functionName: string, args: unknown[]): Promise<void> {
  const data = encodeFunctionData({ abi, functionName, args });
  await node().sendTransaction({ account, to: escrow, data });
}

test("a job that stops at any step is continued, and is paid once", async () => {
  const [jobs, held] = [Number(await countJobs()), await getHeld()];
  expect(await find()).toBeNull();
  expect(await fund(1)).toEqual([0]);
  expect(await find()).toMatchObject({ isFunded: false, isPriced: false });
  // In another browser, too.
  stored.clear();
  expect(await fund(2)).toEqual([1]);
  expect(await fund(3)).toEqual([2]);
  expect(await fund()).toEqual([3]);
  expect(await fund()).toEqual([]);
  expect(await find()).toMatchObject({
    client: agreement.terms.requester,
    provider: agreement.terms.contractor,
    evaluator,
    hook: zeroAddress,
    budget: VALUE,
    paymentToken: network.usdcAddress,
    description: `standing:1:${agreement.termsHash}`,
    expiredAt: BigInt(planExpiry(agreement)),
    isFunded: true,
  });
  expect(Number(await countJobs())).toBe(jobs + 1);
  expect((await getHeld()) - held).toBe(VALUE);
});

test("jobs that the service would not decide are left alone", async () => {
  const { requester, contractor } = agreement.terms;
  const description = `standing:1:${agreement.termsHash}`;
  const expiry = BigInt(planExpiry(agreement));
  const create = (by: string, ...[from, at, text]: [string, bigint, string]) =>
    call(by as Address, "createJob", [contractor, from, at, text, zeroAddress, 0n]);
  await create(requester, other, expiry, description);
  await create(requester, evaluator, expiry - 7n * 86_400n, description);
  await create(requester, evaluator, expiry, "standing:1:0x12");
  expect(await find()).toBeNull();
  expect(await fund()).toEqual([0, 1, 2, 3]);
  expect((await find())?.isFunded).toBe(true);
});

test("a value that the contractor changed is set again", async () => {
  await fund(2);
  const id = (await find())?.id;
  await call(parties.contractor.address, "setBudget", [id, other, VALUE, "0x"]);
  expect(await fund()).toEqual([1, 2, 3]);
  expect((await find())?.paymentToken).toBe(network.usdcAddress);
});

test("a job whose value the contractor changes in the last moment is not paid", async () => {
  const held = await getHeld();
  await fund(2);
  const id = (await find())?.id;
  const change = () => call(parties.contractor.address, "setBudget", [id, other, VALUE, "0x"]);
  await expect(fund(4, change)).rejects.toThrow("has changed");
  expect(await getHeld()).toBe(held);
});

test("a job that another browser funds at the same time is paid once", async () => {
  const held = await getHeld();
  await fund(2);
  expect(await fund(4, () => fund())).toEqual([2]);
  expect((await getHeld()) - held).toBe(VALUE);
});

test("nothing is sent after the deadline, or if the service declines", async () => {
  const jobs = await countJobs();
  agreement.terms.startBy = new Date(Date.now() + 10_000).toISOString();
  await expect(fund()).rejects.toThrow("too late");
  const reason = "The agreement is EXPIRED.";
  const quote = async () => ({ accepted: false, reason }) as never;
  await expect(
    fundEscrow(parties.client.config, network, agreement, { quote, onStep: () => {} }),
  ).rejects.toThrow(reason);
  expect(await countJobs()).toBe(jobs);
});

test("the contractor submits the hash of its text once", async () => {
  await fund();
  const { address: provider, config } = parties.contractor;
  const job = { escrow, jobId: String((await find())?.id), provider };
  await submitToEscrow(config, network, job, "3 m² ✓");
  await submitToEscrow(config, network, job, "Something else");
  const [event] = await node().getContractEvents({
    ...{ address: escrow, abi, eventName: "JobSubmitted", fromBlock: 0n },
    args: { jobId: BigInt(job.jobId) },
  });
  expect(event).toMatchObject({ args: { deliverable: keccak256(stringToBytes("3 m² ✓")) } });
  expect((await find())?.isFunded).toBe(true);
});

test("nothing is submitted to a job that isn't funded", async () => {
  await fund(2);
  const { address: provider, config } = parties.contractor;
  const job = { escrow, jobId: String((await find())?.id), provider };
  await expect(submitToEscrow(config, network, job, "3 m² ✓")).rejects.toThrow("isn't funded");
});
