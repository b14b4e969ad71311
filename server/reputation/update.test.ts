import { asc, eq } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { LedgerRecord } from "@/server/chain/registry/ledger";
import { createTestDatabase } from "@/server/testing/database";
import {
  createOutcomeId,
  createPaidOutcome,
  createWallet,
  insertLedger,
} from "@/server/testing/fixtures/sample-ledger";
import { scoreUpdated } from "./events";
import { readLedger } from "./queries";
import { computeScore } from "./score/score";
import { ledgerRecords, reputationHistory, reputations } from "./tables";
import { updateReputation } from "./update";

const database = await createTestDatabase();
const { db } = database;
afterAll(database.close);

const AGENT = createWallet(1);
const NOW = new Date("2026-11-20T18:00:00Z");
let seq = 1;

beforeEach(async () => {
  await db.delete(ledgerRecords);
  await db.delete(reputations);
  await db.delete(reputationHistory);
  seq = 1;
});

async function record(...records: LedgerRecord[]): Promise<void> {
  await insertLedger(db, records, seq);
  seq += records.length;
}

type Cause = Parameters<typeof updateReputation>[1]["cause"];

function update(cause: Cause = "outcome", now = NOW, outcomeId: string | null = null) {
  return db.transaction((tx) => updateReputation(tx, { wallet: AGENT, cause, outcomeId, now }));
}

async function stored() {
  const [row] = await db.select().from(reputations).where(eq(reputations.wallet, AGENT));
  return row;
}

function history() {
  return db.select().from(reputationHistory).orderBy(asc(reputationHistory.version));
}

describe("the first outcome", () => {
  test("stores the reputation computed from the ledger, starting from UNRANKED", async () => {
    await record(createPaidOutcome(1));
    const change = await update("outcome", NOW, createOutcomeId(1));

    expect(change.previous).toMatchObject({ tier: "UNRANKED", score: 0, lastUpdated: null });
    expect(change.current).toEqual({
      walletAddress: AGENT,
      score: 21.42,
      ceiling: { score: 64.7, liftedBy: "anchor" },
      tier: "NEWCOMER",
      totalOutcomes: 1,
      confirmedOutcomes: 1,
      assessedOutcomes: 1,
      assessedSuccessRate: 1,
      successRate: 1,
      disputeRate: 0,
      categoryScores: { ops: 21.42 },
      lastUpdated: "2026-11-20T18:00:00.000Z",
      scoreDay: "2026-11-20",
    });
    expect(change.scoreImpact).toBe(21.42);
    expect(change.event).toEqual({
      id: `score-updated:${AGENT}:1`,
      name: scoreUpdated.name,
      data: { reputation: change.current, previousScore: 0, version: 1 },
    });
    expect(await stored()).toMatchObject({ scoreE4: 214_285, version: 1 });
    expect(await history()).toMatchObject([
      { version: 1, cause: "outcome", outcomeId: createOutcomeId(1), scoreE4: 214_285, at: NOW },
    ]);
  });

  test("of a failure is announced too, though the score stays 0: the tier changed", async () => {
    await record(createPaidOutcome(1, { verdict: "FAILURE" }));
    const { event, current, scoreImpact } = await update();
    expect(current).toMatchObject({ score: 0, tier: "NEWCOMER", successRate: 0 });
    expect(scoreImpact).toBe(0);
    expect(event).not.toBeNull();
  });
});

describe("later records", () => {
  test("increment the version and add a history entry each", async () => {
    await record(createPaidOutcome(1));
    await update();
    await record(createPaidOutcome(2, { requester: createWallet(101) }));
    const second = await update();
    await record(createPaidOutcome(3, { requester: createWallet(102), verdict: "FAILURE" }));
    const third = await update();

    expect(second.scoreImpact).toBeGreaterThan(0);
    expect(third.scoreImpact).toBeLessThan(0);
    expect(third.scoreImpact).toBeCloseTo(third.current.score - second.current.score, 10);
    expect(third.event).toMatchObject({
      id: `score-updated:${AGENT}:3`,
      data: { previousScore: second.current.score, version: 3 },
    });
    const lines = await history();
    expect(lines.map(({ version }) => version)).toEqual([1, 2, 3]);
    expect(lines.map(({ previousScoreE4 }) => previousScoreE4).slice(1)).toEqual(
      lines.map(({ scoreE4 }) => scoreE4).slice(0, 2),
    );
  });

  test("that change neither score nor tier are stored and not announced", async () => {
    await record(createPaidOutcome(1));
    await update();
    await record(
      createPaidOutcome(2, {
        requester: createWallet(101),
        submittedBy: "requester",
        paidMicro: 0,
        verdict: "FAILURE",
      }),
    );
    const { event, current } = await update();
    expect(event).toBeNull();
    expect(current).toMatchObject({
      totalOutcomes: 2,
      confirmedOutcomes: 1,
      successRate: 1,
      score: 21.42,
    });
    expect(await stored()).toMatchObject({ version: 2 });
  });

  test("of every type affect the score: dispute, refund, anchor, revocation, takeover", async () => {
    const other = createWallet(2);
    await record(
      { type: "anchor", seq: 1, wallet: createWallet(100), from: 0, until: null },
      createPaidOutcome(1),
      createPaidOutcome(2, { requester: createWallet(101), category: "legal" }),
      createPaidOutcome(3, { requester: createWallet(102), proven: false }),
      { type: "anchor", seq: 5, wallet: createWallet(101), from: 0, until: null },
      { type: "anchor-revoked", anchorSeq: 5 },
      { type: "takeover", wallet: AGENT, at: NOW.getTime() / 1000 },
      {
        type: "dispute",
        outcomeId: createOutcomeId(2),
        verdict: "REQUESTER_WINS",
        assessed: true,
        resolvedAt: 0,
      },
      createPaidOutcome(9, { contractor: other, requester: AGENT }),
      {
        type: "dispute",
        outcomeId: createOutcomeId(9),
        verdict: "REQUESTER_WINS",
        assessed: true,
        resolvedAt: 0,
      },
      { type: "anchor", seq: 11, wallet: createWallet(999), from: 0, until: null },
      { type: "anchor-revoked", anchorSeq: 11 },
      { type: "takeover", wallet: createWallet(999), at: 0 },
      createPaidOutcome(4, { requester: createWallet(103) }),
      { type: "refund", outcomeId: createOutcomeId(4), at: 0 },
      { type: "refund", outcomeId: createOutcomeId(9), at: 0 },
    );
    const all = (await db.select().from(ledgerRecords)).map((row) => row.record);
    const now = NOW.getTime() / 1000;

    const relevant = await readLedger(db, AGENT);
    expect(computeScore(relevant, AGENT, now)).toEqual(computeScore(all, AGENT, now));
    expect(relevant.map((one) => one.seq).sort((a, b) => Number(a) - Number(b))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 14, 15,
    ]);
    const { current } = await update("takeover");
    expect(current).toMatchObject({
      totalOutcomes: 4,
      // Neither the refunded outcome nor those submitted before the takeover.
      confirmedOutcomes: 2,
      successRate: 0.5,
      disputeRate: 0.5,
    });
  });
});

test("a wallet without outcomes gets no row", async () => {
  await record({ type: "takeover", wallet: AGENT, at: 0 });
  const { event, current } = await update("takeover");
  expect(event).toBeNull();
  expect(current).toMatchObject({ tier: "UNRANKED", scoreDay: "2026-11-20" });
  expect(await stored()).toBeUndefined();
  expect(await history()).toEqual([]);
});

test("a slow clock does not move a score back to the previous day", async () => {
  await record(createPaidOutcome(1));
  await update("outcome", new Date("2026-11-21T00:00:01Z"));
  await record(createPaidOutcome(2, { resolvedAt: Date.parse("2026-11-21T00:00:00Z") / 1000 }));
  const { current } = await update("outcome", new Date("2026-11-20T23:59:59Z"));
  expect(current).toMatchObject({ scoreDay: "2026-11-21", totalOutcomes: 2 });
});

test("concurrent updates of one wallet are serialized, and the last sees every record", async () => {
  await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      db.transaction(async (tx) => {
        await insertLedger(
          tx,
          [createPaidOutcome(index, { requester: createWallet(100 + index) })],
          50 + index,
        );
        await updateReputation(tx, { wallet: AGENT, cause: "outcome", now: NOW });
      }),
    ),
  );
  expect(await stored()).toMatchObject({ totalOutcomes: 8, version: 8 });
  const lines = await history();
  expect(lines.map(({ totalOutcomes }) => totalOutcomes)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});
