import { sql } from "drizzle-orm";
import { keccak256, stringToBytes } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import testUsdc from "@/contracts/TestUsdc.json";
import agenticCommerce from "@/contracts/testing/AgenticCommerce.json";
import { agreements } from "@/server/agreements/tables";
import { chainTransactions, usedTransfers } from "@/server/chain/tables";
import { WORST_CASE_MS } from "@/server/escrows/find-problem";
import { escrowJobs } from "@/server/escrows/tables";
import { DAY_MS } from "@/server/lib/time";
import { signPending } from "@/server/settlement/sign-pending";
import { recordings } from "@/server/settlement/tables";
import { deployContract } from "@/server/testing/chain/chain";
import {
  callEscrow,
  createFundedJob,
  createJob,
  fundJob,
  readJobStatus,
  submitDeliverable,
  type TestJob,
} from "@/server/testing/chain/escrow";
import { createFundedAccount, fund } from "@/server/testing/chain/payments";
import { getUsdcBalance } from "@/server/testing/fixtures/dispute";
import {
  BUDGET_MICRO,
  createDeal,
  type Deal,
  insertDelivery,
  WORK,
} from "@/server/testing/fixtures/escrow-deal";
import {
  createSettlementFixture,
  type SettlementFixture,
} from "@/server/testing/fixtures/settlement";
import { advanceEscrows } from "./evaluate-escrows";

const [FUNDED, SUBMITTED, COMPLETED, REJECTED] = [1, 2, 3, 4];

let bench: SettlementFixture;
beforeAll(async () => {
  bench = await createSettlementFixture();
});
afterAll(() => bench.close());
beforeEach(() => bench.clear());

const local = () => ({ chain: bench.core.chain, node: bench.control });
const advance = (timeoutMs = 20_000) => advanceEscrows(bench.core, bench.sender, timeoutMs);

const agree = (row?: Parameters<typeof createDeal>[1]) => createDeal(bench, row);
const judge = (deal: Deal, fields?: Parameters<typeof insertDelivery>[2]) =>
  insertDelivery(bench, deal, fields);
const findJobs = () =>
  bench.core.db.select().from(escrowJobs).orderBy(sql`${escrowJobs.jobId}::numeric`);
const countSigned = async () => (await bench.core.db.select().from(chainTransactions)).length;
const balance = ({ address }: PrivateKeyAccount) => getUsdcBalance(bench, address);
/** Signs what can be recorded, and returns the records. */
async function record() {
  await signPending(bench.core, bench.sender, new Date());
  return (await bench.core.db.select().from(recordings)).map(({ record }) => record);
}

describe("a job of a verdict", () => {
  test("is completed before the record, which has the released payment", async () => {
    const deal = await agree();
    const jobId = await createFundedJob(local(), deal.job);
    await submitDeliverable(local(), deal.contractor.account, jobId, WORK);
    await advance();
    const { id } = await judge(deal);
    expect(await record()).toEqual([]);
    const before = await balance(deal.contractor.account);
    await advance();
    expect(await readJobStatus(local(), jobId)).toBe(COMPLETED);
    expect(await balance(deal.contractor.account)).toBe(before + BUDGET_MICRO);
    const [job] = await findJobs();
    expect(job).toMatchObject({ status: "completed", decision: "complete" });
    expect(await bench.core.db.select().from(usedTransfers)).toMatchObject([
      { id: job?.releaseId, purpose: "payment", from: job?.escrow, amountMicro: BUDGET_MICRO },
    ]);
    expect(await record()).toMatchObject([
      { type: "outcome", id, verdict: "SUCCESS", paidMicro: Number(BUDGET_MICRO), agreed: true },
    ]);
  });

  test("is paid what the platform's fee leaves", async () => {
    const deal = await agree();
    const jobId = await createFundedJob(local(), deal.job);
    await callEscrow(local(), deal.job.client, "setFees", [0n, 250n]);
    await submitDeliverable(local(), deal.contractor.account, jobId, WORK);
    await judge(deal);
    await advance();
    expect(await record()).toMatchObject([{ paidMicro: 4_875_000 }]);
  });

  test.each([
    ["submitted", true],
    ["funded", false],
  ])(
    "that failed is rejected when %s, and the client has its money back",
    async (_, isSubmitted) => {
      const deal = await agree();
      const before = await balance(deal.job.client);
      const jobId = await createFundedJob(local(), deal.job);
      if (isSubmitted) await submitDeliverable(local(), deal.contractor.account, jobId, WORK);
      await advance();
      const { id } = await judge(deal, { verdict: "FAILURE" });
      await advance();
      expect(await readJobStatus(local(), jobId)).toBe(REJECTED);
      expect(await balance(deal.job.client)).toBe(before);
      expect(await record()).toMatchObject([{ id, verdict: "FAILURE", paidMicro: 0 }]);
      expect(await bench.core.db.select().from(usedTransfers)).toEqual([]);
    },
  );

  test("is not completed before the provider submits, and the record waits", async () => {
    const deal = await agree();
    const jobId = await createFundedJob(local(), deal.job);
    await judge(deal);
    await advance();
    expect(await record()).toEqual([]);
    expect(await readJobStatus(local(), jobId)).toBe(FUNDED);
    await submitDeliverable(local(), deal.contractor.account, jobId, WORK);
    await advance();
    expect(await record()).toMatchObject([{ paidMicro: Number(BUDGET_MICRO) }]);
  });

  test("that is funded just before the verdict delays the record until it is read", async () => {
    const deal = await agree();
    await advance();
    await createFundedJob(local(), deal.job);
    await judge(deal, { judgedAt: new Date(Date.now() + 1_000) });
    expect(await record()).toEqual([]);
  });

  test("is rejected if both parties cancelled the agreement", async () => {
    const deal = await agree();
    const jobId = await createFundedJob(local(), deal.job);
    await bench.core.db.update(agreements).set({ status: "CANCELLED", endedAt: new Date() });
    await advance();
    expect(await readJobStatus(local(), jobId)).toBe(REJECTED);
  });

  test.each<[string, (deal: Deal) => Promise<unknown>]>([
    ["that failed", (deal) => judge(deal, { verdict: "FAILURE" })],
    [
      "whose agreement was cancelled",
      () => bench.core.db.update(agreements).set({ status: "CANCELLED", endedAt: new Date() }),
    ],
  ])("%s is rejected, whatever fee its evaluator has since it was created", async (_, end) => {
    const deal = await agree();
    const before = await balance(deal.job.client);
    const jobId = await createJob(local(), deal.job);
    await callEscrow(local(), deal.job.client, "setFees", [1n, 0n]);
    await advance();
    await fundJob(local(), deal.job, jobId);
    await advance();
    await end(deal);
    await advance();
    expect(await readJobStatus(local(), jobId)).toBe(REJECTED);
    expect(await balance(deal.job.client)).toBe(before);
  });

  test("is completed if a fee of its evaluator is gone by then", async () => {
    const deal = await agree();
    await callEscrow(local(), deal.job.client, "setFees", [1n, 0n]);
    const jobId = await createFundedJob(local(), deal.job);
    await submitDeliverable(local(), deal.contractor.account, jobId, WORK);
    await advance();
    await callEscrow(local(), deal.job.client, "setFees", [0n, 0n]);
    await judge(deal);
    await advance();
    expect(await record()).toMatchObject([{ paidMicro: Number(BUDGET_MICRO) }]);
  });

  test("is decided by the URL if only that was delivered", async () => {
    const deal = await agree();
    const jobId = await createFundedJob(local(), deal.job);
    const url = "https://example.com/rivers.txt";
    await submitDeliverable(local(), deal.contractor.account, jobId, url);
    await judge(deal, { deliverableContent: null, deliverableUrl: url });
    await advance();
    expect(await readJobStatus(local(), jobId)).toBe(COMPLETED);
  });
});

describe("a job is declined, and both parties hear why, if", () => {
  const declined = async (reason: string) => {
    await advance();
    const [job] = await findJobs();
    expect(job).toMatchObject({ status: "declined", reason: expect.stringContaining(reason) });
    expect(await countSigned()).toBe(0);
    return bench.core.published
      .filter(({ name }) => name === "escrow/declined")
      .map(({ data }) => data.wallet);
  };
  const early = new Date(Date.now() + DAY_MS + WORST_CASE_MS.requirements - 60_000);

  test.each<[string, (deal: Deal) => Partial<TestJob> | Promise<Partial<TestJob>>, string]>([
    ["it names no terms", () => ({ description: "Rivers, please." }), "description"],
    [
      "it names unknown terms",
      () => ({ description: `standing:1:0x${"1".repeat(64)}` }),
      "No agreement",
    ],
    ["its hash goes on", ({ job }) => ({ description: `${job.description}0` }), "description"],
    [
      "another client created it",
      async () => ({ client: await createFundedAccount(local()) }),
      "client is not the requester",
    ],
    [
      "it has another provider",
      async () => ({ provider: (await createFundedAccount(local())).address }),
      "provider is not the contractor",
    ],
    ["its budget differs", () => ({ budgetMicro: BUDGET_MICRO - 1n }), "budget"],
    ["it has a hook", () => ({ hook: bench.core.chain.registryAddress }), "hook"],
    ["it expires too early", () => ({ expiresAt: early }), "expires too early"],
    [
      "it is paid in another token",
      async ({ job }) => {
        const token = await deployContract(bench.core.chain, testUsdc, []);
        const mint = { ...local(), chain: { ...bench.core.chain, usdcAddress: token } };
        await fund(mint, job.client.address);
        return { token };
      },
      "USDC",
    ],
  ])("%s", async (_, change, reason) => {
    const deal = await agree();
    const job = { ...deal.job, ...(await change(deal)) };
    await createFundedJob(local(), job);
    expect(await declined(reason)).toEqual([job.client.address, job.provider]);
    await judge(deal);
    await advance();
    expect(await record()).toMatchObject([{ paidMicro: 0 }]);
  });

  test("the evaluator would get a fee for completing it", async () => {
    const deal = await agree();
    const jobId = await createFundedJob(local(), deal.job);
    await submitDeliverable(local(), deal.contractor.account, jobId, WORK);
    await callEscrow(local(), deal.job.client, "setFees", [1n, 0n]);
    await judge(deal);
    expect(await declined("fee")).toHaveLength(2);
    expect(await readJobStatus(local(), jobId)).toBe(SUBMITTED);
    expect(await record()).toMatchObject([{ verdict: "SUCCESS", paidMicro: 0 }]);
  });

  test("only one party signed and the agreement ended", async () => {
    const deal = await agree({ status: "DECLINED", agreedAt: null, endedAt: new Date() });
    await createFundedJob(local(), deal.job);
    expect(await declined("ended before")).toHaveLength(2);
  });

  test("the submitted hash is not that of the delivered text", async () => {
    const deal = await agree();
    const jobId = await createFundedJob(local(), deal.job);
    await submitDeliverable(local(), deal.contractor.account, jobId, `${WORK} `);
    await judge(deal);
    expect(await declined("hashes differ")).toHaveLength(2);
    expect(await readJobStatus(local(), jobId)).toBe(SUBMITTED);
    expect(await record()).toMatchObject([{ verdict: "SUCCESS", paidMicro: 0 }]);
  });

  test("the work could not be assessed", async () => {
    const deal = await agree();
    const jobId = await createFundedJob(local(), deal.job);
    await submitDeliverable(local(), deal.contractor.account, jobId, WORK);
    await judge(deal, { confidencePpm: 500_000 });
    expect(await declined("could not be assessed")).toHaveLength(2);
    expect(await readJobStatus(local(), jobId)).toBe(SUBMITTED);
  });

  test("another funded job has the agreement", async () => {
    const deal = await agree();
    const first = await createFundedJob(local(), deal.job);
    await advance();
    const second = await createFundedJob(local(), deal.job);
    for (const id of [first, second]) {
      await submitDeliverable(local(), deal.contractor.account, id, WORK);
    }
    await judge(deal);
    await advance();
    expect(await findJobs()).toMatchObject([
      { jobId: String(first), status: "completed" },
      { jobId: String(second), status: "declined", reason: expect.stringContaining("Another") },
    ]);
    expect(await readJobStatus(local(), second)).toBe(SUBMITTED);
    expect(await record()).toMatchObject([{ paidMicro: Number(BUDGET_MICRO) }]);
  });
});

test("of two jobs funded at once, one is completed and one declined", async () => {
  const deal = await agree();
  for (let count = 0; count < 2; count++) {
    const jobId = await createFundedJob(local(), deal.job);
    await submitDeliverable(local(), deal.contractor.account, jobId, WORK);
  }
  await judge(deal);
  await advance();
  await advance();
  expect((await findJobs()).map(({ status }) => status).toSorted()).toEqual([
    "completed",
    "declined",
  ]);
});

test("a job is not declined for what can still change", async () => {
  const deal = await agree({ status: "PROPOSED", agreedAt: null, contractorSignature: null });
  const jobId = await createJob(local(), { ...deal.job, budgetMicro: 1n });
  await advance();
  expect(await findJobs()).toMatchObject([{ status: "open", agreementId: null }]);
  const { budgetMicro, client } = deal.job;
  const { usdcAddress } = bench.core.chain;
  await callEscrow(local(), client, "setBudget", [jobId, usdcAddress, budgetMicro, "0x"]);
  await fundJob(local(), deal.job, jobId);
  await advance();
  expect(await findJobs()).toMatchObject([{ status: "funded", agreementId: null }]);
  const agreed = { status: "AGREED", agreedAt: new Date() } as const;
  await bench.core.db.update(agreements).set(agreed);
  await advance();
  expect(await findJobs()).toMatchObject([{ status: "funded", agreementId: deal.agreementId }]);
});

test("a budget beyond 64 bits stops nothing", async () => {
  const deal = await agree();
  const huge = { ...deal.job, budgetMicro: 2n ** 255n, expiresAt: new Date(8.64e15) };
  await createJob(local(), huge);
  await createFundedJob(local(), deal.job);
  await advance();
  expect(await findJobs()).toMatchObject([{ status: "open" }, { status: "funded" }]);
});

test("jobs of a contract that is not configured, or of another evaluator, are ignored", async () => {
  const deal = await agree();
  const foreign = await deployContract(bench.core.chain, agenticCommerce, []);
  const { evaluator } = bench.core.chain.escrows ?? {};
  const expiredAt = BigInt(Math.floor(Date.now() / 1_000)) + 300_000n;
  const zero = `0x${"0".repeat(40)}`;
  const args = [deal.job.provider, evaluator, expiredAt, deal.job.description, zero, 0n];
  const { status } = await callEscrow(local(), deal.job.client, "createJob", args, foreign);
  expect(status).toBe("success");
  await createFundedJob(local(), { ...deal.job, evaluator: deal.requester.wallet });
  await advance();
  expect(await findJobs()).toEqual([]);
});

describe("a job that another transaction settled", () => {
  const settle = (job: Deal["job"], name: string, jobId: bigint) =>
    callEscrow(local(), job.client, name, name === "reject" ? [jobId, WORK_HASH, "0x"] : [jobId]);
  const WORK_HASH = keccak256(stringToBytes(WORK));

  test("by rejecting it before it was funded has no part in the record", async () => {
    const deal = await agree();
    const jobId = await createJob(local(), deal.job);
    await advance();
    await settle(deal.job, "reject", jobId);
    await advance();
    expect(await findJobs()).toMatchObject([
      { status: "ended", reason: expect.stringContaining("rejected") },
    ]);
  });

  test("by claiming the refund is recorded without a payment", async () => {
    const deal = await agree();
    const jobId = await createFundedJob(local(), deal.job);
    await submitDeliverable(local(), deal.contractor.account, jobId, WORK);
    await advance();
    await judge(deal);
    await bench.control.increaseTime({ seconds: (4 * DAY_MS) / 1_000 });
    await settle(deal.job, "claimRefund", jobId);
    await advance();
    expect(await findJobs()).toMatchObject([
      { status: "ended", reason: expect.stringContaining("expired"), transactionId: null },
    ]);
    expect(await record()).toMatchObject([{ verdict: "SUCCESS", paidMicro: 0 }]);
  });

  test("with the evaluator's key is recorded without a payment", async () => {
    const deal = await agree();
    const jobId = await createFundedJob(local(), deal.job);
    await submitDeliverable(local(), deal.contractor.account, jobId, WORK);
    await advance();
    const { evaluator } = bench.core.chain;
    if (!evaluator) throw new Error("there is no evaluator");
    await callEscrow(local(), evaluator, "complete", [jobId, WORK_HASH, "0x"]);
    await judge(deal);
    await advance();
    expect(await findJobs()).toMatchObject([{ status: "ended", releaseId: null }]);
    expect(await record()).toMatchObject([{ verdict: "SUCCESS", paidMicro: 0 }]);
  });

  test("after its decision was signed ends once that is final", async () => {
    const deal = await agree();
    const jobId = await createFundedJob(local(), deal.job);
    await submitDeliverable(local(), deal.contractor.account, jobId, WORK);
    await judge(deal);
    bench.node.setBehavior("hang-up", ["eth_sendRawTransaction"]);
    await advance(0);
    expect(await findJobs()).toMatchObject([{ status: "deciding" }]);
    bench.node.setBehavior("answer");
    await bench.control.increaseTime({ seconds: (4 * DAY_MS) / 1_000 });
    await settle(deal.job, "claimRefund", jobId);
    await advance();
    expect(await findJobs()).toMatchObject([{ status: "deciding" }]);
    expect(await record()).toEqual([]);
    await bench.control.mine({ blocks: 3 });
    await advance();
    expect(await findJobs()).toMatchObject([
      { status: "ended", reason: expect.stringContaining("expired") },
    ]);
    expect(await record()).toMatchObject([{ paidMicro: 0 }]);
  });
});

describe("a reorganisation", () => {
  test("that removes a job lets its number go to another one", async () => {
    const deal = await agree();
    const other = await agree();
    const before = await bench.control.snapshot();
    await createFundedJob(local(), deal.job);
    await advance();
    await bench.control.revert({ id: before });
    const jobId = await createFundedJob(local(), other.job);
    await advance();
    await advance();
    expect(await findJobs()).toMatchObject([
      { jobId: String(jobId), client: other.requester.wallet, agreementId: other.agreementId },
    ]);
  });

  test("that removes the submission only delays the decision", async () => {
    const deal = await agree();
    const jobId = await createFundedJob(local(), deal.job);
    const before = await bench.control.snapshot();
    await submitDeliverable(local(), deal.contractor.account, jobId, WORK);
    await judge(deal);
    // Signed, but not sent.
    bench.node.setBehavior("hang-up", ["eth_sendRawTransaction"]);
    await advance(0);
    bench.node.setBehavior("answer");
    await bench.control.revert({ id: before });
    await submitDeliverable(local(), deal.contractor.account, jobId, WORK);
    await advance();
    expect(await readJobStatus(local(), jobId)).toBe(COMPLETED);
    expect(await record()).toMatchObject([{ paidMicro: Number(BUDGET_MICRO) }]);
    expect(await countSigned()).toBe(2);
  });

  test("that removes the release has the same transaction sent again", async () => {
    const deal = await agree();
    const jobId = await createFundedJob(local(), deal.job);
    await submitDeliverable(local(), deal.contractor.account, jobId, WORK);
    await judge(deal);
    const before = await bench.control.snapshot();
    await advance();
    await bench.control.revert({ id: before });
    expect(await record()).toEqual([]);
    await bench.sender.resendOpen();
    await advance();
    expect(await readJobStatus(local(), jobId)).toBe(COMPLETED);
    expect(await record()).toMatchObject([{ paidMicro: Number(BUDGET_MICRO) }]);
    expect(await countSigned()).toBe(2);
  });
});

test("concurrent runs decide once", async () => {
  const deal = await agree();
  const jobId = await createFundedJob(local(), deal.job);
  await submitDeliverable(local(), deal.contractor.account, jobId, WORK);
  await judge(deal);
  await Promise.allSettled([advance(), advance(), advance()]);
  await advance();
  expect(await readJobStatus(local(), jobId)).toBe(COMPLETED);
  expect(await countSigned()).toBe(1);
  expect(await bench.core.db.select().from(usedTransfers)).toHaveLength(1);
});

test("without escrows, no record waits for them", async () => {
  const deal = await agree();
  await advance();
  await judge(deal, { judgedAt: new Date(Date.now() + 1_000) });
  expect(await record()).toEqual([]);
  const chain = { ...bench.core.chain, escrows: null };
  await advanceEscrows({ ...bench.core, chain }, bench.sender);
  expect(await record()).toMatchObject([{ paidMicro: 0 }]);
});
