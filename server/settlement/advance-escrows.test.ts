import { eq, inArray, sql } from "drizzle-orm";
import { keccak256, stringToBytes } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import testUsdc from "@/contracts/TestUsdc.json";
import agenticCommerce from "@/contracts/testing/AgenticCommerce.json";
import { agreements } from "@/server/agreements/tables";
import { chainTransactions, usedTransfers } from "@/server/chain/tables";
import { listJobsOfAgreement } from "@/server/escrows/queries";
import { readJobLogs } from "@/server/escrows/read-job-logs";
import { reviewJob } from "@/server/escrows/review-job";
import { escrowJobs } from "@/server/escrows/tables";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/server/lib/time";
import { outcomes } from "@/server/outcomes/tables";
import { signPending } from "@/server/settlement/sign-pending";
import { recordings } from "@/server/settlement/tables";
import { deployContract, sendDirectly } from "@/server/testing/chain/chain";
import {
  callEscrow,
  createFundedJob,
  createJob,
  fundJob,
  readJobStatus,
  submitDeliverable,
  type TestJob,
} from "@/server/testing/chain/escrow";
import { createFundedAccount, encodeUsdcCall, fund } from "@/server/testing/chain/payments";
import { getUsdcBalance } from "@/server/testing/fixtures/dispute";
import {
  BUDGET_MICRO,
  createDeal,
  type Deal,
  insertDelivery,
  WORK,
} from "@/server/testing/fixtures/escrow-deal";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { advanceEscrows } from "./advance-escrows";

const [FUNDED, SUBMITTED, COMPLETED, REJECTED] = [1, 2, 3, 4];

const bench = await shareSettlementFixture();

const local = () => ({ chain: bench.core.chain, node: bench.control });
const advance = (timeoutMs = 20_000) => advanceEscrows(bench.core, bench.sender, timeoutMs);

const agree = (row?: Parameters<typeof createDeal>[1]) => createDeal(bench, row);
const judge = (deal: Deal, fields?: Parameters<typeof insertDelivery>[2]) =>
  insertDelivery(bench, deal, fields);
/** Agrees on a job, which the client funds and the provider submits. */
async function submitted() {
  const deal = await agree();
  const jobId = await createFundedJob(local(), deal.job);
  await submitDeliverable(local(), deal.contractor.account, jobId, WORK);
  return { deal, jobId };
}
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
    const { deal, jobId } = await submitted();
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

  test.each(["CANCELLED", "EXPIRED", "LAPSED"] as const)(
    "is rejected if the agreement is %s",
    async (status) => {
      const deal = await agree();
      const jobId = await createFundedJob(local(), deal.job);
      await bench.core.db.update(agreements).set({ status, endedAt: new Date() });
      await advance();
      expect(await readJobStatus(local(), jobId)).toBe(REJECTED);
    },
  );

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

  test("is rejected if the work could not be assessed", async () => {
    const deal = await agree();
    const before = await balance(deal.job.client);
    const jobId = await createFundedJob(local(), deal.job);
    await submitDeliverable(local(), deal.contractor.account, jobId, WORK);
    await judge(deal, { confidencePpm: 500_000 });
    await advance();
    expect(await readJobStatus(local(), jobId)).toBe(REJECTED);
    expect(await balance(deal.job.client)).toBe(before);
    expect(await record()).toMatchObject([{ verdict: "SUCCESS", paidMicro: 0 }]);
  });

  test("is completed, but recorded as unpaid, if it is submitted an hour after the verdict", async () => {
    const deal = await agree();
    const jobId = await createFundedJob(local(), deal.job);
    await advance();
    await judge(deal, { judgedAt: new Date(Date.now() - HOUR_MS - 1_000) });
    expect(await record()).toMatchObject([{ verdict: "SUCCESS", paidMicro: 0 }]);
    await submitDeliverable(local(), deal.contractor.account, jobId, WORK);
    await advance();
    expect(await readJobStatus(local(), jobId)).toBe(COMPLETED);
    expect(await findJobs()).toMatchObject([
      { status: "completed", releaseId: expect.any(String) },
    ]);
    const [outcome] = await bench.core.db.select().from(outcomes);
    expect(outcome?.paidMicro).toBe(0n);
  });

  test("is waited for after that hour if it is submitted, but never beyond its end", async () => {
    const { deal } = await submitted();
    await callEscrow(local(), deal.job.client, "setFees", [1n, 0n]);
    await advance();
    await judge(deal, { judgedAt: new Date(Date.now() - HOUR_MS - 1_000) });
    expect(await record()).toEqual([]);
    const expiresAt = new Date(Date.now() - DAY_MS - 1_000);
    await bench.core.db.update(escrowJobs).set({ expiresAt });
    expect(await record()).toMatchObject([{ paidMicro: 0 }]);
  });

  test.each([
    ["a success", "SUCCESS", HOUR_MS],
    ["a failure", "FAILURE", MINUTE_MS],
  ] as const)("that is not funded delays %s no longer than needed", async (_, verdict, waitsMs) => {
    const { id } = await judge(await agree(), { verdict });
    const { db } = bench.core;
    for (const [ageMs, records] of [
      [waitsMs - 5_000, 0],
      [waitsMs + 1_000, 1],
    ] as const) {
      const judgedAt = new Date(Date.now() - ageMs);
      await db.update(outcomes).set({ judgedAt }).where(eq(outcomes.id, id));
      expect(await record()).toHaveLength(records);
    }
  });
});

describe("funding", () => {
  const paid = () => bench.core.published.filter(({ name }) => name === "agreement/paid");
  const read = async ({ agreementId }: Deal) =>
    (await bench.core.db.select().from(agreements).where(eq(agreements.id, agreementId)))[0];

  test("pays the agreement, at the time of its block", async () => {
    const deal = await agree();
    await createFundedJob(local(), deal.job);
    const { timestamp } = await bench.core.chain.client.getBlock();
    await advance();
    await advance();
    const paidAt = new Date(Number(timestamp) * 1_000);
    expect(await read(deal)).toMatchObject({ status: "AGREED", paidAt });
    expect(paid()).toHaveLength(1);
  });

  test("may come before the second signature", async () => {
    const deal = await agree({ status: "PROPOSED", agreedAt: null, contractorSignature: null });
    await createFundedJob(local(), deal.job);
    await advance();
    expect(await read(deal)).toMatchObject({ status: "PROPOSED", paidAt: expect.any(Date) });
    expect(await findJobs()).toMatchObject([{ status: "funded", agreementId: deal.agreementId }]);
  });

  test("after startBy comes too late: the agreement expires, and its job is rejected", async () => {
    const [late, never, other] = [await agree(), await agree(), await agree()];
    const before = await balance(late.job.client);
    await createFundedJob(local(), late.job);
    const { timestamp } = await bench.core.chain.client.getBlock();
    const startBy = new Date((Number(timestamp) - 1) * 1_000);
    const isLate = inArray(agreements.id, [late.agreementId, never.agreementId]);
    await bench.core.db.update(agreements).set({ startBy }).where(isLate);
    await advance();
    await advance();
    expect(await read(late)).toMatchObject({ status: "EXPIRED", endedAt: startBy, paidAt: null });
    expect(await read(never)).toMatchObject({ status: "EXPIRED", endedAt: startBy });
    expect(await read(other)).toMatchObject({ status: "AGREED" });
    expect(await findJobs()).toMatchObject([{ status: "rejected" }]);
    expect(await balance(late.job.client)).toBe(before);
    expect(paid()).toEqual([]);
  });

  test("by startBy is in time, however late it is read", async () => {
    const deal = await agree();
    await createFundedJob(local(), deal.job);
    const { timestamp } = await bench.core.chain.client.getBlock();
    const startBy = new Date(Number(timestamp) * 1_000);
    await bench.core.db.update(agreements).set({ startBy });
    await bench.control.increaseTime({ seconds: 3_600 });
    await bench.control.mine({ blocks: 3 });
    await advance();
    expect(await read(deal)).toMatchObject({ status: "AGREED", paidAt: startBy });
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
  const deadline = Date.now() + DAY_MS;

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
      async () => ({ client: (await agree()).requester.account }),
      "client is not the requester",
    ],
    [
      "it has another provider",
      async () => ({ provider: (await createFundedAccount(local())).address }),
      "provider is not the contractor",
    ],
    ["its budget differs", () => ({ budgetMicro: BUDGET_MICRO - 1n }), "budget"],
    ["it has a hook", () => ({ hook: bench.core.chain.registryAddress }), "hook"],
    [
      "it expires less than two hours after the deadline",
      () => ({ expiresAt: new Date(deadline + 2 * HOUR_MS - 60_000) }),
      "expires too early",
    ],
    [
      "it expires more than 90 days after the deadline",
      () => ({ expiresAt: new Date("2125-01-01T00:00:00Z") }),
      "expires too late",
    ],
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
    await judge(deal, { judgedAt: new Date(Date.now() - HOUR_MS - 1_000) });
    await advance();
    expect(await record()).toMatchObject([{ paidMicro: 0 }]);
  });

  test("its terms are paid otherwise", async () => {
    const deal = await agree();
    await bench.core.db
      .update(agreements)
      .set({ terms: sql`jsonb_set(${agreements.terms}, '{payment}', '"on-delivery"')` });
    await createFundedJob(local(), deal.job);
    expect(await declined("on-delivery")).toHaveLength(2);
    await judge(deal);
    expect(await record()).toMatchObject([{ verdict: "SUCCESS", paidMicro: 0 }]);
  });

  test("the evaluator would get a fee for completing it", async () => {
    const { deal, jobId } = await submitted();
    await callEscrow(local(), deal.job.client, "setFees", [1n, 0n]);
    await judge(deal);
    expect(await declined("fee")).toHaveLength(2);
    expect(await readJobStatus(local(), jobId)).toBe(SUBMITTED);
    expect(await record()).toMatchObject([{ verdict: "SUCCESS", paidMicro: 0 }]);
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

test("the job that has the agreement leads its list, however many the client funds later", async () => {
  const { deal, jobId } = await submitted();
  await advance();
  const [row] = await findJobs();
  const declined = { ...row, id: undefined, agreementId: null, status: "declined" as const };
  await bench.core.db.insert(escrowJobs).values(
    Array.from({ length: 21 }, (_, index) => ({
      ...declined,
      jobId: String(100 + index),
      createdAt: new Date(Date.now() + index * MINUTE_MS),
    })) as (typeof escrowJobs.$inferInsert)[],
  );
  const caller = { name: "An agent", keyId: null, sessionId: null, walletVerified: true };
  const reader = { ...deal.contractor, ...caller };
  const { jobs } = await listJobsOfAgreement(bench.core, reader, deal.agreementId);
  expect(jobs).toHaveLength(20);
  expect(jobs.slice(0, 3)).toMatchObject([
    { jobId: String(jobId), status: "submitted" },
    { jobId: "120", status: "declined" },
    { jobId: "119", status: "declined" },
  ]);
});

describe("of two jobs for one agreement, the one that is funded first has it", () => {
  /** Stores the jobs that are funded. */
  async function readLogs() {
    const { escrows } = bench.core.chain;
    const confirmed = escrows && (await readJobLogs(bench.core, escrows));
    if (!escrows || !confirmed) throw new Error("no log was read");
    return { escrows, confirmed };
  }
  /** Reviews one job, as another process would. */
  async function reviewAlone(jobId: bigint) {
    const reading = await readLogs();
    const row = (await findJobs()).find((job) => job.jobId === String(jobId));
    if (!row) throw new Error("the job was not read");
    await reviewJob(bench.core, row, reading);
  }
  const states = async () => (await findJobs()).map(({ status }) => status);

  test("and the client gets the work for its price", async () => {
    const deal = await agree();
    const before = await balance(deal.contractor.account);
    const later = await createJob(local(), deal.job);
    const first = await createFundedJob(local(), deal.job);
    await fundJob(local(), deal.job, later);
    await submitDeliverable(local(), deal.contractor.account, first, WORK);
    await reviewAlone(later);
    expect(await states()).toEqual(["unread", "unread"]);
    await Promise.all([advance(), reviewAlone(later).catch(() => undefined)]);
    await judge(deal);
    await advance();
    expect(await findJobs()).toMatchObject([
      { jobId: String(later), status: "declined", reason: expect.stringContaining("Another") },
      { jobId: String(first), status: "completed" },
    ]);
    expect(await balance(deal.contractor.account)).toBe(before + BUDGET_MICRO);
    expect(await record()).toMatchObject([{ paidMicro: Number(BUDGET_MICRO) }]);
  });

  test("or in one block the one with the lower number", async () => {
    const deal = await agree();
    for (let count = 1; count < 9; count++) await createJob(local(), deal.job);
    const [ninth, tenth] = [await createJob(local(), deal.job), await createJob(local(), deal.job)];
    await fundJob(local(), deal.job, tenth);
    await fundJob(local(), deal.job, ninth);
    await readLogs();
    await bench.core.db.update(escrowJobs).set({ fundedBlock: 0n });
    await reviewAlone(tenth);
    await advance();
    expect(await findJobs()).toMatchObject([
      { jobId: "9", status: "funded" },
      { jobId: "10", status: "declined" },
    ]);
  });

  test("and a process whose node lags leaves both to others", async () => {
    const deal = await agree();
    await createFundedJob(local(), deal.job);
    await readLogs();
    const { chain } = bench.core;
    const lagging = { ...chain, confirmations: chain.confirmations + 1 };
    await advanceEscrows({ ...bench.core, chain: lagging }, bench.sender);
    expect(await states()).toEqual(["unread"]);
  });

  test("also if two processes read it at once", async () => {
    const deal = await agree();
    const jobId = await createFundedJob(local(), deal.job);
    const reading = await readLogs();
    const [row] = await findJobs();
    if (!row) throw new Error("the job was not read");
    await reviewJob(bench.core, row, reading);
    await reviewJob(bench.core, row, reading);
    expect(await findJobs()).toMatchObject([{ jobId: String(jobId), status: "funded" }]);
    expect(bench.core.published.map(({ name }) => name)).toEqual(["agreement/paid"]);
  });

  test("unless it can't be decided as agreed", async () => {
    const deal = await agree();
    await createFundedJob(local(), { ...deal.job, budgetMicro: BUDGET_MICRO - 1n });
    await createFundedJob(local(), deal.job);
    await advance();
    expect(await states()).toEqual(["declined", "funded"]);
  });
});

test("a budget beyond 64 bits stops nothing", async () => {
  const deal = await agree();
  const token = await deployContract(bench.core.chain, testUsdc, []);
  const rich = { ...local(), chain: { ...bench.core.chain, usdcAddress: token } };
  const budgetMicro = 2n ** 255n;
  const { client } = deal.job;
  await sendDirectly(
    bench.core.chain,
    client,
    encodeUsdcCall(rich, "mint", [client.address, budgetMicro]),
  );
  await createFundedJob(local(), { ...deal.job, token, budgetMicro, expiresAt: new Date(8.64e15) });
  await createFundedJob(local(), deal.job);
  await advance();
  expect(await findJobs()).toMatchObject([{ status: "declined" }, { status: "funded" }]);
});

test("jobs of a contract that is not configured, of strangers, or of another evaluator, are ignored", async () => {
  const deal = await agree();
  const foreign = await deployContract(bench.core.chain, agenticCommerce, []);
  const { evaluator } = bench.core.chain.escrows ?? {};
  const expiredAt = BigInt(Math.floor(Date.now() / 1_000)) + 300_000n;
  const zero = `0x${"0".repeat(40)}`;
  const args = [deal.job.provider, evaluator, expiredAt, deal.job.description, zero, 0n];
  const { status } = await callEscrow(local(), deal.job.client, "createJob", args, foreign);
  expect(status).toBe("success");
  await createFundedJob(local(), { ...deal.job, evaluator: deal.requester.wallet });
  await createFundedJob(local(), { ...deal.job, client: await createFundedAccount(local()) });
  await advance();
  expect(await findJobs()).toMatchObject([
    { status: "ended", reason: expect.stringContaining("another evaluator") },
  ]);
});

describe("a job that another transaction settled", () => {
  const settle = (job: Deal["job"], name: string, jobId: bigint) =>
    callEscrow(local(), job.client, name, name === "reject" ? [jobId, WORK_HASH, "0x"] : [jobId]);
  const WORK_HASH = keccak256(stringToBytes(WORK));

  test("by claiming the refund is recorded without a payment", async () => {
    const { deal, jobId } = await submitted();
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
    const { deal, jobId } = await submitted();
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
    const { deal, jobId } = await submitted();
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

  test("that gives a job another number lets it hold its agreement's payment again", async () => {
    const [deal, other] = [await agree(), await agree()];
    const before = await bench.control.snapshot();
    await createFundedJob(local(), deal.job);
    await advance();
    await bench.control.revert({ id: before });
    await createJob(local(), other.job);
    const jobId = await createFundedJob(local(), deal.job);
    await submitDeliverable(local(), deal.contractor.account, jobId, WORK);
    await judge(deal);
    await advance();
    expect(await readJobStatus(local(), jobId)).toBe(COMPLETED);
    expect(await findJobs()).toMatchObject([{ jobId: String(jobId), status: "completed" }]);
    expect(await record()).toMatchObject([{ paidMicro: Number(BUDGET_MICRO) }]);
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
    const { deal, jobId } = await submitted();
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
  const { deal, jobId } = await submitted();
  await judge(deal);
  await Promise.allSettled([advance(), advance(), advance()]);
  await advance();
  expect(await readJobStatus(local(), jobId)).toBe(COMPLETED);
  expect(await countSigned()).toBe(1);
  expect(await bench.core.db.select().from(usedTransfers)).toHaveLength(1);
});

test("jobs that are only open are not read", async () => {
  const deal = await agree();
  for (let count = 0; count < 50; count++) await createJob(local(), deal.job);
  bench.node.requestedMethods.length = 0;
  await advance();
  expect(bench.node.requestedMethods).not.toContain("eth_call");
  expect(await findJobs()).toEqual([]);
});

test("many funded jobs of one client hold up no other client's", async () => {
  const [flood, deal] = [await agree(), await agree()];
  const many = Array.from({ length: 300 }, (_, index) => ({
    escrow: bench.core.chain.escrows?.addresses[0] ?? "",
    jobId: String(1_000 + index),
    client: flood.requester.wallet,
    fundedBlock: 0n,
  }));
  await bench.core.db.insert(escrowJobs).values(many);
  await createFundedJob(local(), deal.job);
  await advance();
  const jobs = await findJobs();
  expect(jobs.filter(({ client }) => client === deal.requester.wallet)).toMatchObject([
    { status: "funded" },
  ]);
  expect(jobs.some(({ status }) => status === "unread")).toBe(true);
});
