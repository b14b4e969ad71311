import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { runCommand } from "@/scripts/testing/command";
import { agents } from "@/server/agents/tables";
import { usedTransfers } from "@/server/chain/tables";
import { disputes } from "@/server/disputes/tables";
import { RECORDER_KEY, STAKE_KEY } from "@/server/local/contracts";
import { refundOutcome } from "@/server/outcomes/refund";
import { outcomes, refunds } from "@/server/outcomes/tables";
import { addAnchor, revokeAnchors } from "@/server/reputation/anchors";
import { refreshBatch } from "@/server/reputation/refresh";
import { ledgerRecords, reputationHistory, reputations } from "@/server/reputation/tables";
import { recordDirectly } from "@/server/testing/chain/chain";
import { payUsdc } from "@/server/testing/chain/payments";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { createJudgedDispute, recordAll } from "@/server/testing/fixtures/dispute";
import { insertJudgedOutcome } from "@/server/testing/fixtures/outcome";
import {
  createRefundableOutcome,
  getFixtureChain,
} from "@/server/testing/fixtures/resolved-outcomes";
import {
  createSettlementFixture,
  type SettlementFixture,
} from "@/server/testing/fixtures/settlement";
import { startTestService, type TestService } from "@/server/testing/service";
import { rebuild } from "./rebuild";

// It verifies in a separate process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

let bench: SettlementFixture;
let empty: TestDatabase;
let contractor: TestAgent;
beforeAll(async () => {
  [bench, empty] = [await createSettlementFixture(), await createTestDatabase()];
  await createHistory();
});
afterAll(async () => {
  await bench.close();
  await empty.close();
});

/** Creates records of every kind: outcomes either way, both disputes, and anchors, one revoked. */
async function createHistory() {
  const { core } = bench;
  contractor = await createTestAgent(core);
  const requester = await createTestAgent(core);
  const proven = { walletVerifiedAt: new Date() };
  await core.db.update(agents).set(proven);
  await addAnchor(core, {
    wallet: requester.wallet,
    until: null,
    reason: "Known",
    now: new Date(),
  });
  const other = await createTestAgent(core);
  await core.db.update(agents).set(proven);
  await addAnchor(core, { wallet: other.wallet, until: null, reason: null, now: new Date() });
  await recordAll(bench);
  for (const verdict of ["SUCCESS", "SUCCESS", "FAILURE"] as const) {
    await insertJudgedOutcome(core, contractor, { requester: requester.wallet, verdict });
    await insertJudgedOutcome(core, contractor, { requester: other.wallet, verdict, proven: true });
    await recordAll(bench);
  }
  await insertJudgedOutcome(core, requester, {
    submittedBy: "requester",
    contractor: contractor.wallet,
  });
  await insertJudgedOutcome(core, requester, {
    submittedBy: "requester",
    contractor: contractor.wallet,
    verdict: "FAILURE",
    agreed: true,
  });
  await createJudgedDispute(bench, "REQUESTER_WINS");
  const { dispute } = await createJudgedDispute(bench, "CONTRACTOR_WINS", { recorded: "FAILURE" });
  await core.db.update(disputes).set({ assessed: false }).where(eq(disputes.id, dispute.id));
  await recordAll(bench);
  await revokeAnchors(core, { wallet: other.wallet, now: new Date() });
  await recordAll(bench);
  await createRefundedOutcome();
}

/** Creates an outcome whose payment was refunded. */
async function createRefundedOutcome() {
  const here = await createRefundableOutcome(bench);
  const { contractor, requester, outcome } = here;
  const { transactionHash: refundTxHash } = await payUsdc(
    getFixtureChain(bench),
    contractor.account,
    requester.wallet,
    outcome.paidMicro,
  );
  const by = { ...contractor, walletVerified: false };
  await refundOutcome(bench.core, by, { outcomeId: outcome.id, refundTxHash }, new Date());
  await recordAll(bench);
}

const rebuildInto = ({ db }: TestDatabase, now = new Date()) => rebuild({ ...bench.core, db }, now);

const scoresOf = (db: TestDatabase["db"]) =>
  db
    .select({
      wallet: reputations.wallet,
      scoreE4: reputations.scoreE4,
      tier: reputations.tier,
      totalOutcomes: reputations.totalOutcomes,
      successRateE4: reputations.successRateE4,
      disputeRateE4: reputations.disputeRateE4,
      categoryScoresE4: reputations.categoryScoresE4,
      breakdown: reputations.breakdown,
    })
    .from(reputations)
    .orderBy(asc(reputations.wallet));

describe("an empty database, rebuilt from the chain", () => {
  test("has the ledger, all scores and as many history entries as before", async () => {
    const now = new Date();
    await refreshBatch(bench.core, { now, after: "", size: 1_000 });
    const before = await scoresOf(bench.core.db);
    const all = await bench.core.db.$count(ledgerRecords);
    expect(before.length).toBeGreaterThan(2);
    const done = await rebuildInto(empty, now);
    expect(done).toMatchObject({ records: all, imported: all, unclaimed: { count: 2 }, paid: 0 });
    expect(await scoresOf(empty.db)).toEqual(before);
    const ledger = (db: TestDatabase["db"]) =>
      db
        .select({
          seq: ledgerRecords.seq,
          record: ledgerRecords.record,
          hash: ledgerRecords.txHash,
        })
        .from(ledgerRecords)
        .orderBy(asc(ledgerRecords.seq));
    expect(await ledger(empty.db)).toEqual(await ledger(bench.core.db));
    const lines = (db: TestDatabase["db"]) =>
      db
        .select({
          wallet: reputationHistory.wallet,
          seq: reputationHistory.seq,
          score: reputationHistory.scoreE4,
        })
        .from(reputationHistory)
        .orderBy(asc(reputationHistory.wallet), asc(reputationHistory.version));
    expect(await lines(empty.db)).toEqual(await lines(bench.core.db));
  });

  test("has unverified placeholder agents and marks the lost parts of outcomes", async () => {
    const kept = await empty.db.select().from(agents);
    expect(kept.map(({ wallet }) => wallet)).toContain(contractor.wallet);
    for (const agent of kept)
      expect(agent).toMatchObject({ rebuilt: true, walletVerifiedAt: null });
    for (const outcome of await empty.db.select().from(outcomes)) {
      expect(outcome).toMatchObject({ rebuilt: true, status: "RESOLVED", evidence: null });
      expect(outcome.reasoning).toMatch(/^Imported from the chain/);
    }
  });

  test("knows which outcomes were agreed, but not the terms", async () => {
    const agreed = await empty.db.select().from(outcomes).where(eq(outcomes.agreed, true));
    expect(agreed).toMatchObject([{ contractor: contractor.wallet, agreementId: null }]);
  });

  test("accepts no payment that an earlier database may have counted", async () => {
    const { chain, db } = bench.core;
    const stakes = await db.select().from(usedTransfers);
    expect(stakes.length).toBeGreaterThan(0);
    const marked = await empty.db.select().from(usedTransfers);
    const placeOf = ({ txHash, logIndex }: (typeof stakes)[number]) => `${txHash} ${logIndex}`;
    expect(marked.map(placeOf).sort()).toEqual(stakes.map(placeOf).sort());
    for (const one of marked) {
      const purposes = ["payment", "refund"];
      if (one.to === chain.stake.address) expect(one.purpose).toBe("unclaimed");
      else expect(purposes).toContain(one.purpose);
    }
  });

  test("shows the refund as before", async () => {
    const [before] = await bench.core.db.select().from(refunds);
    const [after] = await empty.db.select().from(refunds);
    const { id, transferId, acceptedAt, ...shown } = before ?? expect.fail();
    expect(after).toMatchObject(shown);
    const [transfer] = await empty.db
      .select()
      .from(usedTransfers)
      .where(eq(usedTransfers.id, after?.transferId ?? ""));
    expect(transfer).toMatchObject({ purpose: "refund", txHash: shown.txHash });
  });

  test("is idempotent", async () => {
    const before = await scoresOf(empty.db);
    expect(await rebuildInto(empty)).toMatchObject({
      imported: 0,
      unclaimed: { count: 0 },
      paid: 0,
    });
    expect(await scoresOf(empty.db)).toEqual(before);
  });

  test("serves scores that pass `verify`", async () => {
    const { rpcUrl, registryAddress, usdcAddress, id } = bench.core.chain;
    const keys = { recorderKey: RECORDER_KEY, stakeKey: STAKE_KEY } as const;
    const chain = { rpcUrl: rpcUrl ?? "", registryAddress, usdcAddress, chainId: id, ...keys };
    const sharedWith = { database: empty, chain } as unknown as TestService;
    const service = await startTestService({ sharedWith });
    const { wallet } = contractor;
    const board = await service.call("GET", "/explore/leaderboard");
    expect(board.body.content).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ walletAddress: wallet })]),
    );
    const result = await runCommand("verify", ["--url", service.base]);
    await service.close();
    expect(result.stdout).toContain("Everything agrees.");
    expect(result.stdout).toMatch(
      /evidence of \d+ verdicts is lost, as after a rebuild from the chain/,
    );
    expect(result.code).toBe(0);
  });
});

test("a database of another registry is refused and unchanged", async () => {
  const other = await createTestDatabase();
  await other.db.insert(ledgerRecords).values({
    seq: 1,
    type: "outcome",
    record: {} as never,
    txHash: `0x${"1".repeat(64)}`,
    logIndex: 0,
  });
  await expect(rebuildInto(other)).rejects.toThrow("do not belong together");
  expect(await other.db.$count(agents)).toBe(0);
  await other.close();
});

test("changes nothing while a transaction of the service is not final", async () => {
  const other = await createTestDatabase();
  await recordDirectly(bench.core.chain, [
    { type: "takeover", wallet: contractor.wallet, at: Math.floor(Date.now() / 1_000) },
  ]);
  // As on a chain that cannot be mined on request, unlike a local one.
  const chain = { ...bench.core.chain, isLocal: false };
  const core = { ...bench.core, chain, db: other.db };
  await expect(rebuild(core, new Date())).rejects.toThrow(
    /^1 transactions of 0x\w+ are not final yet: 2 blocks are missing until block \d+ is final\./,
  );
  expect(await other.db.$count(ledgerRecords)).toBe(0);
  await other.close();
});

test("mines the blocks that an idle local chain needs, also if CHAIN_RPC_URL names it", async () => {
  const other = await createTestDatabase();
  const { chain } = bench.core;
  const at = Math.floor(Date.now() / 1_000);
  await recordDirectly(chain, [{ type: "takeover", wallet: contractor.wallet, at }]);
  const core = { ...bench.core, chain: { ...chain, rpcUrl: null }, db: other.db };
  const { records, imported } = await rebuild(core, new Date());
  expect(imported).toBe(records);
  await other.close();
});
