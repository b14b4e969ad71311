import { sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { disputes } from "@/server/disputes/tables";
import { explorerRouter } from "@/server/explorer/router";
import { DAY_MS } from "@/server/lib/time";
import { createCallerFactory } from "@/server/lib/trpc";
import { outcomes, refunds } from "@/server/outcomes/tables";
import { formatUtcDay } from "@/server/reputation/score/public-reputation";
import { anchors, reputationHistory, reputations } from "@/server/reputation/tables";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { buildRecordedRow, insertRecordedOutcome } from "@/server/testing/fixtures/outcome";
import { createWallet } from "@/server/testing/fixtures/sample-ledger";

const database = await createTestDatabase();
const { db } = database;
afterAll(database.close);

const api = createCallerFactory(explorerRouter)(
  createTestContext(createTestCore(database)).context,
);
const HASH = `0x${"ab".repeat(32)}`;
const AGENT = createWallet(1);
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

beforeEach(async () => {
  for (const table of [
    disputes,
    refunds,
    outcomes,
    anchors,
    agents,
    reputationHistory,
    reputations,
  ])
    await db.delete(table);
  await db.insert(agents).values({ wallet: AGENT, name: "Ada", walletVerifiedAt: daysAgo(9) });
});

async function insertOutcome(row: Partial<typeof outcomes.$inferInsert> = {}): Promise<string> {
  const id = await insertRecordedOutcome(db, {
    ...{ contractor: AGENT, requester: createWallet(100), paidMicro: 5_000_000n },
    ...{ submittedAt: daysAgo(2), resolvedAt: daysAgo(2) },
    ...row,
  });
  // Done by the score that is written with an outcome.
  await db.execute(sql`update explorer_ranks
    set requesters = explorer_requesters(wallet) from agents where agents.id = agent_id`);
  return id;
}

async function insertScore(scoreE4: number, history: { days: number; scoreE4: number }[]) {
  await db.insert(reputations).values({
    wallet: AGENT,
    scoreE4,
    tier: "TRUSTED",
    totalOutcomes: 3,
    confirmedOutcomes: 3,
    successRateE4: 10_000,
    disputeRateE4: 0,
    categoryScoresE4: {},
    breakdown: {
      quality: 1,
      confidence: 0.8,
      good: 12,
      tenureCapacity: 20,
      claimed: [0, 0],
      paid: [12, 0],
      anchored: [0, 0],
    },
    version: history.length,
    scoreDay: formatUtcDay(new Date()),
    lastUpdated: new Date(),
  });
  await db.insert(reputationHistory).values(
    history.map(({ days, scoreE4: past }, index) => ({
      wallet: AGENT,
      version: index + 1,
      at: daysAgo(days),
      cause: "outcome" as const,
      scoreE4: past,
      previousScoreE4: 0,
      tier: "TRUSTED" as const,
      totalOutcomes: 3,
    })),
  );
}

/** Gives the agent three paid jobs for clients 1,001 to 1,003, after which it has no flag. */
async function insertGoodWork(resolvedAt = daysAgo(2)) {
  for (const client of [1_001, 1_002, 1_003])
    await insertOutcome({ requester: createWallet(client), resolvedAt });
}

async function readRisks(wallet = AGENT) {
  const { risk } = await api.profile({ walletAddress: wallet });
  return risk.flags.map((flag) => flag.risk);
}

test("agreed jobs without a delivery are a danger, and the profile counts them", async () => {
  await insertScore(800_000, [{ days: 3, scoreE4: 800_000 }]);
  await insertGoodWork();
  const missing = { agreed: true, submittedBy: "requester", verdict: "FAILURE" } as const;
  for (const client of [2_001, 2_002]) {
    await insertOutcome({ ...missing, requester: createWallet(client), paidMicro: 0n });
  }
  expect(await readRisks()).toEqual([]);
  const paid = { paidMicro: 10_000_000n, valueMicro: 10_000_000n };
  for (const client of [2_003, 2_004]) {
    await insertOutcome({ ...missing, ...paid, requester: createWallet(client) });
  }
  await insertOutcome({ agreed: true });
  expect(await readRisks()).toContain("agreements-not-delivered");
  const { agreements, recommendation } = await api.profile({ walletAddress: AGENT });
  expect(agreements).toEqual({ outcomes: 8, agreed: 5, delivered: 1 });
  expect(recommendation.summary).toBe("Do not hire: took 3 agreed jobs, delivered 1.");
  const checked = await api.check({ walletAddress: AGENT });
  expect(checked).toMatchObject({ agreements, recommendation: { action: "do-not-hire" } });
});

test("good work for three paying clients has no flag", async () => {
  await insertScore(800_000, [{ days: 3, scoreE4: 800_000 }]);
  await insertGoodWork();
  expect(await api.profile({ walletAddress: AGENT })).toMatchObject({
    risk: { level: "none", flags: [] },
    recommendation: {
      reasons: [
        "No warning signs in 3 counted jobs",
        "No known client paid it for work that succeeded",
      ],
    },
    evidence: "strong",
    rank: 1,
  });
});

test("the highest score of 30 days counts, also if it is older than its window", async () => {
  await insertGoodWork();
  await insertScore(600_000, [
    { days: 200, scoreE4: 100_000 },
    { days: 100, scoreE4: 720_000 },
    { days: 5, scoreE4: 600_000 },
  ]);
  const { risk } = await api.profile({ walletAddress: AGENT });
  expect(risk.flags).toMatchObject([
    {
      risk: "recent-collapse",
      title: expect.stringMatching(/^Lost 12\.00 points since \w{3} \d+$/),
    },
  ]);
});

test("a higher score before that window does not count", async () => {
  await insertGoodWork();
  await insertScore(600_000, [
    { days: 100, scoreE4: 720_000 },
    { days: 40, scoreE4: 605_000 },
    { days: 5, scoreE4: 600_000 },
  ]);
  expect(await readRisks()).toEqual([]);
});

test("money that comes back directly or in a circle makes a ring", async () => {
  const [bob, eve] = [createWallet(2), createWallet(3)];
  for (let job = 0; job < 3; job += 1) {
    await insertOutcome({ requester: bob });
    await insertOutcome({ requester: eve, contractor: bob });
  }
  expect(await readRisks()).not.toContain("ring-payments");
  for (let job = 0; job < 3; job += 1) await insertOutcome({ contractor: eve, requester: AGENT });
  expect((await api.profile({ walletAddress: AGENT })).risk.flags[0]).toMatchObject({
    title: "Trades within a closed group of 3 wallets",
    wallets: expect.arrayContaining([bob, eve]),
  });
  for (let job = 0; job < 2; job += 1) await insertOutcome({ contractor: bob, requester: AGENT });
  // Bob and Eve also trade with others now, so the group is no longer closed.
  for (const contractor of [bob, eve]) {
    for (let job = 0; job < 4; job += 1) {
      await insertOutcome({ contractor, requester: createWallet(1_000 + job) });
    }
  }
  expect((await api.profile({ walletAddress: AGENT })).risk.flags[0]).toMatchObject({
    title: "Pays 67% of its income back to clients",
    wallets: [bob],
  });
});

test("a payment counts once, although both parties' payments are read", async () => {
  const [bob, eve] = [createWallet(2), createWallet(3)];
  for (let job = 0; job < 3; job += 1) {
    await insertOutcome({ requester: bob });
    await insertOutcome({ requester: eve, contractor: bob });
    await insertOutcome({ requester: AGENT, contractor: eve });
    await insertOutcome({ requester: createWallet(1_000 + job), contractor: bob });
  }
  // Three of twelve jobs are outside: too many for a closed group.
  expect(await readRisks()).not.toContain("ring-payments");
});

test("a job that is only claimed is no payment", async () => {
  const bob = createWallet(2);
  await insertGoodWork();
  for (let job = 0; job < 3; job += 1) await insertOutcome({ requester: bob });
  const claimed = { contractor: bob, requester: AGENT, paidMicro: 0n };
  for (let job = 0; job < 3; job += 1) await insertOutcome(claimed);
  expect(await readRisks()).toEqual([]);
});

test("failures that the agent had no part in, refunded or pending ones do not count", async () => {
  await insertGoodWork();
  const failure = { verdict: "FAILURE", resolvedAt: daysAgo(1) } as const;
  for (let n = 0; n < 3; n += 1) {
    await insertOutcome({ ...failure, submittedBy: "requester", paidMicro: 0n });
    await insertOutcome({ ...failure, status: "EVALUATING", verdict: null, finalVerdict: null });
    const outcomeId = await insertOutcome(failure);
    const refundedAt = daysAgo(0);
    await db.insert(refunds).values({ outcomeId, txHash: HASH, amountMicro: 1n, refundedAt });
  }
  expect(await readRisks()).toEqual([]);
  for (let n = 0; n < 3; n += 1) await insertOutcome(failure);
  expect(await readRisks()).toEqual(["failures-in-a-row"]);
});

test("reports raise flags from 20 USDC on, as a danger only if the client is an anchor", async () => {
  for (let n = 0; n < 3; n += 1) await insertGoodWork(daysAgo(9));
  const client = createWallet(55);
  const report = {
    verdict: "FAILURE",
    submittedBy: "requester",
    requester: client,
    resolvedAt: daysAgo(4),
    valueMicro: 7_000_000n,
    paidMicro: 7_000_000n,
  } as const;
  const readSeverity = async () => (await api.profile({ walletAddress: AGENT })).risk.level;
  for (let n = 0; n < 2; n += 1) await insertOutcome({ ...report, resolvedAt: daysAgo(1) });
  expect(await readRisks()).toEqual([]);
  await insertOutcome({ ...report, resolvedAt: daysAgo(1) });
  expect(await readRisks()).toEqual(["reported-failures"]);
  for (let n = 0; n < 3; n += 1) await insertOutcome(report);
  expect(await readSeverity()).toBe("caution");
  await db.insert(anchors).values({ wallet: client, from: daysAgo(50), seq: 1, txHash: HASH });
  expect(await readSeverity()).toBe("danger");
});

test("failures of 90 days raise flags, however many unpaid outcomes came since", async () => {
  await insertGoodWork(daysAgo(80));
  const failure = {
    verdict: "FAILURE",
    resolvedAt: daysAgo(70),
    submittedAt: daysAgo(70),
  } as const;
  for (let n = 0; n < 5; n += 1) await insertOutcome(failure);
  const free = buildRecordedRow({
    contractor: AGENT,
    requester: createWallet(100),
    confidencePpm: 900_000,
    resolvedAt: daysAgo(1),
    submittedAt: daysAgo(1),
    onChainTx: HASH,
    recordIndex: 0,
  });
  await db.insert(outcomes).values(Array.from({ length: 250 }, () => free));
  expect(await readRisks()).toEqual(["fails-often", "failures-in-a-row"]);
  // Payments below 0.50 USDC hide nothing either, and paid successes do.
  const small = { ...free, paidMicro: 400_000n };
  await db.insert(outcomes).values(Array.from({ length: 20 }, () => small));
  expect(await readRisks()).toContain("fails-often");
  for (let n = 0; n < 9; n += 1) await insertOutcome({ requester: createWallet(1_100 + n) });
  expect(await readRisks()).toEqual([]);
});

test("an unregistered wallet has a record for pages, but no profile in the API", async () => {
  const stranger = createWallet(9);
  await expect(api.wallet({ walletAddress: stranger })).rejects.toMatchObject({
    cause: { code: "not-found" },
  });
  await insertOutcome({ contractor: stranger });
  expect(await api.wallet({ walletAddress: stranger })).toMatchObject({
    agent: null,
    rank: null,
    risk: { flags: [{ risk: "few-confirmed-clients" }, { risk: "unverified-wallet" }] },
  });
  await expect(api.profile({ walletAddress: stranger })).rejects.toMatchObject({
    cause: { code: "not-found" },
  });
});
