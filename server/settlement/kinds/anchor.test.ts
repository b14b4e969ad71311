import { asc, eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { decodeRecords } from "@/server/chain/registry/decode-records";
import { addAnchor, revokeAnchors } from "@/server/reputation/anchors";
import { computeScore } from "@/server/reputation/score/score";
import { anchors, ledgerRecords, reputationHistory, reputations } from "@/server/reputation/tables";
import { settleStalled } from "@/server/settlement/settle-stalled";
import { confirmAndSettle } from "@/server/settlement/settle-transaction";
import { signPending } from "@/server/settlement/sign-pending";
import { recordings } from "@/server/settlement/tables";
import { countWaiting } from "@/server/testing/database";
import { waitFor } from "@/server/testing/engine/engine";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { insertJudgedOutcome } from "@/server/testing/fixtures/outcome";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { outcomeKind } from "./outcome";

const bench = await shareSettlementFixture();
let requester: TestAgent;
beforeEach(async () => {
  requester = await provenAgent();
});

async function provenAgent(): Promise<TestAgent> {
  const agent = await createTestAgent(bench.core);
  const walletVerifiedAt = new Date();
  await bench.core.db.update(agents).set({ walletVerifiedAt }).where(eq(agents.id, agent.id));
  return agent;
}

const add = (agent = requester, end: Date | null = null) =>
  addAnchor(bench.core, { wallet: agent.wallet, until: end, reason: null, now: new Date() });
const revoke = (agent = requester) =>
  revokeAnchors(bench.core, { wallet: agent.wallet, now: new Date() });
/** A success that the requester submits itself, so that an anchor of it counts. */
const work = (contractor: TestAgent, by = requester) =>
  insertJudgedOutcome(bench.core, by, { submittedBy: "requester", contractor: contractor.wallet });

const sign = (now = new Date()) => signPending(bench.core, bench.sender, now);
const settle = (transactionId: string) => confirmAndSettle(bench.core, bench.sender, transactionId);
async function recordAll(now = new Date()): Promise<string[]> {
  const signed = await sign(now);
  for (const transactionId of signed) await settle(transactionId);
  return signed;
}
/** Returns a time after the second in which the anchor begins. */
const later = () => new Date(Date.now() + 2_000);

const stored = async (wallet: string) =>
  (await bench.core.db.select().from(reputations).where(eq(reputations.wallet, wallet)))[0];
const ledger = async () =>
  (await bench.core.db.select().from(ledgerRecords).orderBy(asc(ledgerRecords.seq))).map(
    ({ record }) => record,
  );
const rows = () => bench.core.db.select().from(anchors).orderBy(asc(anchors.createdAt));

/** Expects every stored score to equal the ledger's, to the last digit. */
async function expectScoresOfLedger(): Promise<void> {
  const log = await ledger();
  for (const row of await bench.core.db.select().from(reputations)) {
    const { scoreE4, tier, breakdown } = computeScore(
      log,
      row.wallet,
      Date.parse(row.scoreDay) / 1000,
    );
    expect(row, row.wallet).toMatchObject({ scoreE4, tier, breakdown });
  }
}

describe("an anchor", () => {
  test("is recorded with its position, and raises the score of later outcomes", async () => {
    const contractor = await createTestAgent(bench.core);
    await add();
    expect(await rows()).toMatchObject([{ seq: null }]);
    await recordAll();
    const [transaction] = await bench.core.db.select().from(recordings);
    expect(await rows()).toMatchObject([
      { seq: 1, txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/), revokedSeq: null },
    ]);
    expect(transaction?.settledAt).not.toBeNull();
    await work(contractor);
    await recordAll(later());
    expect((await stored(contractor.wallet))?.breakdown.anchored[0]).toBeGreaterThan(0);
    await expectScoresOfLedger();
  });

  test("that is confirmed late raises scores of outcomes resolved in between, and announces it once", async () => {
    const contractors = [await createTestAgent(bench.core), await createTestAgent(bench.core)];
    const stranger = await provenAgent();
    const [, byStranger] = [await add(), await createTestAgent(bench.core)];
    const [anchoring = ""] = await sign();
    await bench.sender.broadcast(anchoring);
    for (const contractor of contractors) await work(contractor);
    await work(byStranger, stranger);
    // Unconfirmed evidence is at its cap, so anchored evidence adds to it.
    for (const other of [stranger, await provenAgent()]) {
      for (let n = 0; n < 5; n++) await work(contractors[0] as TestAgent, other);
    }
    // Recorded after the anchor, settled before it.
    for (const transactionId of await sign(later())) await settle(transactionId);
    expect((await stored(contractors[0]?.wallet ?? ""))?.breakdown.anchored[0]).toBe(0);
    bench.core.published.length = 0;

    await Promise.all([settle(anchoring), settle(anchoring)]);
    await settle(anchoring);
    for (const { wallet } of contractors) {
      expect((await stored(wallet))?.breakdown.anchored[0]).toBeGreaterThan(0);
    }
    await expectScoresOfLedger();
    const announced = bench.core.published.filter(
      ({ name }) => name === "reputation/score-updated",
    );
    expect(announced.map(({ data }) => data.reputation)).toMatchObject([
      { walletAddress: contractors[0]?.wallet },
    ]);
    const lines = await bench.core.db
      .select()
      .from(reputationHistory)
      .where(eq(reputationHistory.cause, "anchor"));
    expect(lines.map(({ seq }) => seq)).toEqual([1, 1]);
    expect(lines.map(({ wallet }) => wallet).sort()).toEqual(
      contractors.map(({ wallet }) => wallet).sort(),
    );
  });

  test("that expires before an outcome does not raise its score", async () => {
    const contractor = await createTestAgent(bench.core);
    await add(requester, new Date(Date.now() + 5_000));
    await recordAll();
    await work(contractor);
    await recordAll(new Date(Date.now() + 10_000));
    expect((await stored(contractor.wallet))?.breakdown.anchored[0]).toBe(0);
    await expectScoresOfLedger();
  });
});

describe("the end of an anchor", () => {
  test("removes its weight from settled outcomes too", async () => {
    const contractor = await createTestAgent(bench.core);
    await add();
    await recordAll();
    await work(contractor);
    await recordAll(later());
    const before = (await stored(contractor.wallet))?.scoreE4 ?? 0;
    await revoke();
    await recordAll();
    const row = await stored(contractor.wallet);
    expect(row?.breakdown.anchored).toEqual([0, 0]);
    expect(row?.scoreE4).toBeLessThan(before + 1);
    expect(await rows()).toMatchObject([
      { seq: 1, revokedSeq: 3, revokedTxHash: expect.stringMatching(/^0x/) },
    ]);
    expect(await ledger()).toMatchObject([
      { type: "anchor", seq: 1 },
      { type: "outcome", seq: 2 },
      { type: "anchor-revoked", anchorSeq: 1, seq: 3 },
    ]);
    await expectScoresOfLedger();
  });

  test("requested before the anchor was signed leaves nothing to record", async () => {
    await add();
    await revoke();
    expect(await recordAll()).toEqual([]);
    await add();
    expect(await recordAll()).toHaveLength(1);
    expect(await ledger()).toMatchObject([{ type: "anchor", seq: 1 }]);
  });

  test("requested while the anchor is pending is recorded after it", async () => {
    await add();
    const [anchoring = ""] = await sign();
    await revoke();
    expect(await sign()).toEqual([]);
    bench.core.published.length = 0;
    await settle(anchoring);
    // The event that triggers its recording.
    expect(bench.core.published.map(({ name }) => name)).toEqual(["reputation/anchor-changed"]);
    await recordAll();
    expect((await ledger()).map(({ type }) => type)).toEqual(["anchor", "anchor-revoked"]);
    expect(await recordAll()).toEqual([]);
  });

  test("does not prevent the wallet from being an anchor again, even within the second", async () => {
    for (let round = 0; round < 3; round++) {
      await add();
      await recordAll();
      await revoke();
      await recordAll();
    }
    const types = (await ledger()).map(({ type }) => type);
    expect(types).toEqual(Array(3).fill(["anchor", "anchor-revoked"]).flat());
  });
});

describe("after a crash", () => {
  test("reconciling settles an anchor that is unsigned, signed, or recorded without its scores", async () => {
    const contractor = await createTestAgent(bench.core);
    await add();
    const [anchoring = ""] = await sign();
    await bench.sender.broadcast(anchoring);
    await work(contractor);
    for (const transactionId of await sign(later())) await settle(transactionId);
    const reconcile = (seconds: number) =>
      settleStalled(bench.core, bench.sender, new Date(Date.now() + seconds * 1_000));
    // Dies halfway: the record is stored, no contractor is rescored, nothing counts as settled.
    bench.core.log.info = () => {
      throw new Error("died");
    };
    await settle(anchoring).catch(() => {});
    bench.core.log.info = () => {};
    await bench.core.db.update(recordings).set({ settledAt: null });
    await bench.core.db.delete(reputationHistory).where(eq(reputationHistory.cause, "anchor"));
    await bench.core.db.update(reputations).set({ scoreE4: 1 });
    await reconcile(61);
    await expectScoresOfLedger();
    expect(await bench.core.db.select().from(ledgerRecords)).toHaveLength(2);
    await revoke();
    await reconcile(122);
    expect(await rows()).toMatchObject([{ seq: 1, revokedSeq: 3 }]);
  });
});

test("an anchor waits for an outcome of its requester that is being settled", async () => {
  const contractor = await createTestAgent(bench.core);
  await add();
  const [anchoring = ""] = await sign();
  await work(contractor);
  const [working = ""] = await sign(later());
  for (const transactionId of [anchoring, working]) await bench.sender.broadcast(transactionId);
  const found = await bench.sender.waitForConfirmation(working, { timeoutMs: 10_000 });
  if (found.state !== "confirmed") throw new Error("not confirmed");
  const [placed] = decodeRecords(found.receipt.logs, bench.core.chain.registryAddress);
  if (placed?.record.type !== "outcome") throw new Error("no outcome");
  const { record, place } = placed;
  let anchored = Promise.resolve();
  await bench.core.db.transaction(async (tx) => {
    await outcomeKind.settle(bench.core, tx, [
      { record, place, subjectId: record.id, now: new Date() },
    ]);
    let isDone = false;
    anchored = settle(anchoring).finally(() => {
      isDone = true;
    });
    await waitFor(async () => isDone || (await countWaiting(bench.core.db)) > 0);
  });
  await anchored;
  expect((await stored(contractor.wallet))?.breakdown.anchored[0]).toBeGreaterThan(0);
  await expectScoresOfLedger();
});

test("after concurrent settlements of one requester, every score matches the ledger", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 2, maxLength: 5 }),
      fc.boolean(),
      async (choices, revoked) => {
        await bench.clear();
        requester = await provenAgent();
        const contractors = [0, 1, 2].map(() => createTestAgent(bench.core));
        const made = await Promise.all(contractors);
        const transactions: string[] = [];
        await add();
        transactions.push(...(await sign()));
        if (revoked) {
          await settle(transactions.shift() ?? "");
          await revoke();
        }
        for (const choice of choices) {
          await work(made[choice] as TestAgent);
          // One transaction each, so that separate runs settle them.
          transactions.push(...(await sign(later())));
        }
        // In the order of their nonces: anvil may keep one for good that arrives while its predecessor is mined.
        for (const id of transactions) await bench.sender.broadcast(id);
        await Promise.all(transactions.map(settle));
        await expectScoresOfLedger();
        const log = await ledger();
        expect(log).toHaveLength(choices.length + (revoked ? 2 : 1));
      },
    ),
    { numRuns: 8 },
  );
}, 120_000);
