import { desc, eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { LedgerRecord } from "@/server/chain/registry/ledger";
import { DAY_MS } from "@/server/lib/time";
import { createTestCore } from "@/server/testing/core";
import { countWaiting, createTestDatabase } from "@/server/testing/database";
import { waitFor } from "@/server/testing/engine/engine";
import {
  createPaidOutcome,
  createWallet,
  insertLedger,
} from "@/server/testing/fixtures/sample-ledger";
import { computeDay, storeDay } from "./compute-day";
import { REPUTATION_CHANGED } from "./events";
import { refreshBatch } from "./refresh";
import { toPublishedScore } from "./score/public-reputation";
import { ledgerRecords, reputationHistory, reputations } from "./tables";
import { updateReputation } from "./update";

const database = await createTestDatabase();
const { db } = database;
afterAll(database.close);

const DAY_OF_OUTCOMES = new Date("2026-11-20T18:00:00Z");
let seq = 1;

beforeEach(async () => {
  await db.delete(ledgerRecords);
  await db.delete(reputations);
  await db.delete(reputationHistory);
});

/** Creates an agent with one paid success from each of `partners` requesters. */
async function createAgent(n: number, partners: number, areAnchored = false): Promise<string> {
  const contractor = createWallet(n);
  const outcomes = Array.from({ length: partners }, (_, index) =>
    createPaidOutcome(seq + index, {
      contractor,
      requester: createWallet(5_000 + index),
      agreed: areAnchored,
    }),
  );
  const anchors = outcomes.map(({ requester: wallet }): LedgerRecord => {
    return { type: "anchor", seq: seq++, wallet, from: 0, until: null };
  });
  await db.transaction(async (tx) => {
    if (areAnchored) await insertLedger(tx, anchors, seq - partners);
    await insertLedger(tx, outcomes, seq);
    await updateReputation(tx, { wallet: contractor, cause: "outcome", now: DAY_OF_OUTCOMES });
  });
  seq += partners;
  return contractor;
}

async function refreshAll(
  core: ReturnType<typeof createTestCore>,
  day: string,
  size = 2,
): Promise<number> {
  let batches = 0;
  let after: string | null = "";
  while (after !== null) {
    after = await refreshBatch(core, { now: new Date(`${day}T00:05:00Z`), after, size });
    batches += 1;
  }
  return batches;
}

async function stored(wallet: string) {
  const [row] = await db.select().from(reputations).where(eq(reputations.wallet, wallet));
  return row;
}

/** Returns the latest entry of the history. */
async function lastEntry() {
  const [row] = await db
    .select()
    .from(reputationHistory)
    .orderBy(desc(reputationHistory.version))
    .limit(1);
  return row;
}

test("refreshes every stored score, batch by batch; a small change is not announced", async () => {
  const core = createTestCore(database);
  const wallets = [await createAgent(1, 1), await createAgent(2, 2), await createAgent(3, 3)];
  const before = await Promise.all(wallets.map(stored));
  expect(await refreshAll(core, "2026-11-22")).toBe(2);
  for (const [index, wallet] of wallets.entries()) {
    const [old, now] = [before[index], await stored(wallet)];
    expect(now).toMatchObject({ scoreDay: "2026-11-22", version: 2 });
    expect(now?.scoreE4).toBeLessThan(old?.scoreE4 ?? 0);
    expect(now?.lastUpdated).toEqual(new Date("2026-11-22T00:05:00Z"));
  }
  expect(core.published).toEqual([]);
  expect(await db.select().from(reputationHistory)).toHaveLength(3);
});

test("announces small changes once they add up to half a point since the last announcement", async () => {
  const core = createTestCore(database);
  const wallet = await createAgent(1, 3);
  const scores: number[] = [(await stored(wallet))?.scoreE4 ?? 0];
  let day = Date.parse("2026-11-20");
  while (core.published.length === 0 && scores.length < 30) {
    day += DAY_MS;
    await refreshAll(core, new Date(day).toISOString().slice(0, 10));
    scores.push((await stored(wallet))?.scoreE4 ?? 0);
  }
  const [first = 0, [yesterday = 0, today = 0]] = [scores[0], scores.slice(-2)];
  const moved = (from: number, to: number) => Math.floor(from / 100) - Math.floor(to / 100);
  expect(scores.length).toBeGreaterThan(3);
  expect(moved(first, yesterday)).toBeLessThan(50);
  expect(moved(first, today)).toBeGreaterThanOrEqual(50);
  expect(core.published).toMatchObject([
    {
      data: {
        previousScore: toPublishedScore(first),
        reputation: { score: toPublishedScore(today) },
      },
    },
  ]);
  expect(await lastEntry()).toMatchObject({
    cause: "day",
    previousScoreE4: first,
    scoreE4: today,
    receipt: { rule: "days", effectE4: 0, daysE4: today - first },
  });

  // The next change is measured from this announcement.
  await refreshAll(core, new Date(day + DAY_MS).toISOString().slice(0, 10));
  expect(core.published).toHaveLength(1);
});

test("a record that did not change the published score does not reset the announced score", async () => {
  const core = createTestCore(database);
  const wallet = await createAgent(1, 3);
  const announced = (await stored(wallet))?.scoreE4 ?? 0;
  const moved = () => stored(wallet).then((row) => announced - (row?.scoreE4 ?? 0));
  let day = Date.parse("2026-11-20");
  for (; (await moved()) < 3_500; day += DAY_MS) {
    await refreshAll(core, new Date(day).toISOString().slice(0, 10));
  }
  // Same day as the last refresh, so only the record changes the score.
  const now = new Date(day - DAY_MS);
  await db.transaction(async (tx) => {
    const unpaid = { contractor: wallet, paidMicro: 0, resolvedAt: now.getTime() / 1000 };
    const report = { submittedBy: "requester", verdict: "FAILURE" } as const;
    await insertLedger(tx, [createPaidOutcome(seq, { ...unpaid, ...report })], seq);
    await updateReputation(tx, { wallet, cause: "outcome", seq, now });
  });
  seq += 1;
  expect(core.published).toEqual([]);
  for (; (await moved()) < 5_100; day += DAY_MS) {
    await refreshAll(core, new Date(day).toISOString().slice(0, 10));
  }
  expect(core.published).toMatchObject([{ data: { previousScore: toPublishedScore(announced) } }]);
});

test("a reported failure is announced on the day it begins to count, and the history has the reason", async () => {
  const core = createTestCore(database);
  const wallet = await createAgent(1, 3);
  await db.transaction(async (tx) => {
    const reported = { verdict: "FAILURE", submittedBy: "requester" } as const;
    const requester = createWallet(6_000);
    await insertLedger(
      tx,
      [createPaidOutcome(seq, { contractor: wallet, requester, ...reported })],
      seq,
    );
    await updateReputation(tx, { wallet, cause: "outcome", seq, now: DAY_OF_OUTCOMES });
  });
  expect(await lastEntry()).toMatchObject({
    receipt: { rule: "failure-reported", facts: { countsFrom: "2026-11-23" }, effectE4: 0 },
  });
  seq += 1;
  const before = await stored(wallet);
  await refreshAll(core, "2026-11-21");
  await refreshAll(core, "2026-11-22");
  expect(core.published).toEqual([]);
  await refreshAll(core, "2026-11-23");
  const after = await stored(wallet);
  expect(core.published).toMatchObject([
    {
      name: "reputation/score-updated",
      data: {
        previousScore: toPublishedScore(before?.scoreE4 ?? 0),
        reputation: { scoreDay: "2026-11-23", score: toPublishedScore(after?.scoreE4 ?? 0) },
      },
    },
  ]);
  expect(await lastEntry()).toMatchObject({
    cause: "day",
    receipt: { rule: "failure-matured", facts: { outcomes: 1, valueUsdc: 20 }, effectE4: 0 },
  });
});

test("a second run on the same day skips current scores", async () => {
  const core = createTestCore(database);
  const wallet = await createAgent(1, 2);
  await refreshAll(core, "2026-12-20");
  const once = await stored(wallet);
  await db.delete(ledgerRecords);
  await refreshAll(core, "2026-12-20");
  expect(await stored(wallet)).toEqual(once);
});

test("refreshing a current score changes nothing", async () => {
  const wallet = await createAgent(1, 2);
  const now = new Date("2026-11-21T00:05:00Z");
  const refresh = async () => {
    const [chunk = expect.fail()] = await computeDay(db, { wallets: [wallet], now });
    await db.transaction((tx) => storeDay(tx, chunk));
    expect(chunk).toMatchObject({ history: null, events: [] });
    return stored(wallet);
  };
  expect(await refresh()).toEqual(await refresh());
});

test("an unchanged score keeps its version and time", async () => {
  const core = createTestCore(database);
  const wallet = createWallet(1);
  await db.transaction(async (tx) => {
    await insertLedger(tx, [createPaidOutcome(seq, { verdict: "FAILURE" })], seq);
    await updateReputation(tx, { wallet, cause: "outcome", now: DAY_OF_OUTCOMES });
  });
  seq += 1;
  await refreshAll(core, "2026-11-21");
  expect(await stored(wallet)).toMatchObject({
    scoreDay: "2026-11-21",
    version: 1,
    lastUpdated: DAY_OF_OUTCOMES,
  });
});

test("a tier lost by age is announced once and stored in the history", async () => {
  const core = createTestCore(database);
  const wallet = await createAgent(1, 10, true);
  expect(await stored(wallet)).toMatchObject({ tier: "TRUSTED" });
  await refreshAll(core, "2027-11-20");
  await refreshAll(core, "2027-11-20");
  expect(core.published).toMatchObject([
    {
      id: `score-updated:${wallet}:2`,
      name: "reputation/score-updated",
      data: { reputation: { tier: "NEWCOMER", scoreDay: "2027-11-20" }, version: 2 },
    },
  ]);
  const history = await db.select().from(reputationHistory);
  expect(history.map(({ cause, tier }) => [cause, tier])).toEqual([
    ["outcome", "TRUSTED"],
    ["day", "NEWCOMER"],
  ]);
});

describe("many scores", () => {
  /** Long enough after the outcomes that every score moved by more than half a point. */
  const LATER = "2027-01-20";
  const announced = (core: ReturnType<typeof createTestCore>) =>
    core.published.map(({ id }) => id).sort();

  test("are refreshed in one transaction, with one set of queries", async () => {
    for (let n = 1; n <= 20; n++) await createAgent(n, 1);
    const core = createTestCore(database);
    const begun = vi.spyOn(core.db, "transaction");
    const published = vi.spyOn(core, "publish");
    await refreshAll(core, LATER, 100);
    expect(core.published).toHaveLength(20);
    expect([begun.mock.calls.length, published.mock.calls.length]).toEqual([1, 1]);
  });

  test("are refreshed without notifying the caches, which do not use scores of earlier days", async () => {
    for (let n = 1; n <= 3; n++) await createAgent(n, 2);
    const received: string[] = [];
    const { unlisten } = await database.db.sql.listen(REPUTATION_CHANGED, (wallet) => {
      received.push(wallet);
    });
    await refreshAll(createTestCore(database), LATER);
    await database.db.sql.notify(REPUTATION_CHANGED, "the end");
    await waitFor(async () => received.includes("the end"));
    await unlisten();
    expect(received).toEqual(["the end"]);
  });

  test("that another run has refreshed since they were selected are skipped", async () => {
    const wallet = await createAgent(1, 2);
    const now = new Date(`${LATER}T00:05:00Z`);
    await refreshAll(createTestCore(database), LATER);
    const once = await stored(wallet);
    const where = sql`${reputations.scoreDay} < ${LATER}`;
    const [chunk, ...others] = await computeDay(db, { wallets: [wallet], now, where });
    expect(others).toEqual([]);
    expect(chunk).toMatchObject({ rows: "[]", history: null, events: [], evidence: [] });
    await db.transaction((tx) => storeDay(tx, chunk ?? expect.fail()));
    expect(await stored(wallet)).toEqual(once);
  });

  test("are announced once each, although a run was interrupted and two ran at once", async () => {
    const wallets = [];
    for (let n = 1; n <= 6; n++) wallets.push(await createAgent(n, 2));
    const before = await Promise.all(wallets.map(stored));
    const core = createTestCore(database);
    const crashing = {
      ...core,
      publish: async () => {
        throw new Error("the process ended");
      },
    };
    const day = { now: new Date(`${LATER}T00:05:00Z`), after: "", size: 100 };
    await expect(refreshBatch(crashing, day)).rejects.toThrow("the process ended");
    expect(await Promise.all(wallets.map(stored))).toEqual(before);
    expect(await db.select().from(reputationHistory)).toHaveLength(6);

    await Promise.all([refreshBatch(core, day), refreshBatch(core, day)]);
    await refreshBatch(core, day);
    expect(announced(core)).toEqual(wallets.map((wallet) => `score-updated:${wallet}:2`).sort());
    expect(await db.select().from(reputationHistory)).toHaveLength(12);
  });

  test("wait for a record that is being settled, and keep what it changed", async () => {
    const wallet = await createAgent(1, 2);
    const core = createTestCore(database);
    const now = new Date(`${LATER}T00:05:00Z`);
    let refreshed: Promise<unknown> = Promise.resolve();
    await db.transaction(async (tx) => {
      const requester = createWallet(7_000);
      const record = createPaidOutcome(seq, { contractor: wallet, requester });
      await insertLedger(tx, [record], seq);
      await updateReputation(tx, { wallet, cause: "outcome", seq, now: DAY_OF_OUTCOMES });
      refreshed = refreshBatch(core, { now, after: "", size: 100 });
      await waitFor(async () => (await countWaiting(db)) > 0);
    });
    seq += 1;
    await refreshed;
    expect(await stored(wallet)).toMatchObject({ totalOutcomes: 3, version: 3, scoreDay: LATER });
    expect(announced(core)).toEqual([`score-updated:${wallet}:3`]);
  });
});
