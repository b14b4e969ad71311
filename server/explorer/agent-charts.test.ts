import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { DAY_MS } from "@/server/lib/time";
import { toChecksumAddress } from "@/server/lib/wallet";
import { outcomes } from "@/server/outcomes/tables";
import { readScoreMoves } from "@/server/reputation/history";
import type { StoredScoreChange } from "@/server/reputation/schema";
import { reputationHistory, reputations } from "@/server/reputation/tables";
import { createTestDatabase } from "@/server/testing/database";
import { insertRecordedOutcome } from "@/server/testing/fixtures/outcome";
import { storeScore } from "@/server/testing/model/explorer-model";
import { readScoreSeries } from "./agent-charts";
import { readCounterpartyGraph } from "./counterparty-graph";
import { MAX_GRAPH_WALLETS } from "./schema";

const database = await createTestDatabase();
const { db } = database;
afterAll(database.close);

const wallet = (name: string) => toChecksumAddress(`0x${name}${"0".repeat(40 - name.length)}`);
const ADA = wallet("ada");
const BOB = wallet("b0b");
const EVE = wallet("e4e");
const DAN = wallet("da4");
const NOW = new Date("2026-11-22T12:00:00.000Z");
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);

beforeEach(async () => {
  await db.delete(outcomes);
  await db.delete(agents);
  await db.delete(reputationHistory);
  await db.delete(reputations);
});

const insertOutcome = (row: Partial<typeof outcomes.$inferInsert> = {}) => {
  const [submittedAt, resolvedAt] = [daysAgo(1), daysAgo(1)];
  return insertRecordedOutcome(db, {
    ...{ contractor: ADA, requester: BOB, submittedAt, resolvedAt },
    ...row,
  });
};

const BREAKDOWN = {
  quality: 1,
  confidence: 0.5,
  good: 3,
  tenureCapacity: 10,
  claimed: [3, 0],
  paid: [0, 0],
  anchored: [0, 0],
} satisfies StoredScoreChange["after"];

interface Change {
  at: Date;
  scoreE4: number;
  cause?: "outcome" | "day";
  effectE4?: number;
  daysE4?: number;
}

async function insertHistory(changes: Change[]) {
  await db.insert(reputationHistory).values(
    changes.map(({ at, scoreE4, cause = "outcome", effectE4 = 0, daysE4 = 0 }, n) => ({
      wallet: ADA,
      version: n + 1,
      at,
      cause,
      scoreE4,
      previousScoreE4: 0,
      tier: "NEWCOMER" as const,
      totalOutcomes: 1,
      receipt: {
        rule: "success" as const,
        facts: {},
        effectE4,
        daysE4,
        before: null,
        after: BREAKDOWN,
      },
    })),
  );
}

describe("the score series", () => {
  beforeEach(async () => {
    await insertHistory([
      { at: daysAgo(300), scoreE4: 100_000 },
      { at: daysAgo(100), scoreE4: 200_000 },
      { at: daysAgo(10), scoreE4: 400_000 },
    ]);
    const score = { scoreE4: 390_000, totalOutcomes: 1, scoreDay: "2026-11-22" };
    await storeScore(db, ADA, score);
  });
  const read = (range: "30d" | "6m" | "all") =>
    readScoreSeries(db, { walletAddress: ADA, range, now: NOW });

  test("ends now with the current score", async () => {
    for (const range of ["30d", "6m", "all"] as const) {
      const last = (await read(range)).at(-1);
      expect(last, range).toEqual({ at: NOW.toISOString(), score: 39, cause: "day" });
    }
  });

  test("starts with the score at the end of the first day of its range", async () => {
    expect(await read("30d")).toMatchObject([
      { at: "2026-10-25T00:00:00.000Z", score: 20, cause: "day" },
      { at: daysAgo(10).toISOString(), score: 40 },
      {},
    ]);
    expect((await read("6m"))[0]).toMatchObject({
      at: "2026-05-26T00:00:00.000Z",
      score: 10,
    });
  });

  test("starts with the first score if that is within its range", async () => {
    expect((await read("all"))[0]).toMatchObject({
      at: daysAgo(300).toISOString(),
      cause: "outcome",
    });
  });
});

test("moves are the changes with a visible effect, without what the days did", async () => {
  await insertHistory([
    { at: daysAgo(5), scoreE4: 10_000, effectE4: -51 },
    { at: daysAgo(4), scoreE4: 10_049, effectE4: 49 },
    { at: daysAgo(3), scoreE4: 90_000, effectE4: 0, daysE4: 9_000 },
    { at: daysAgo(2), scoreE4: 80_000, cause: "day", daysE4: -10_000 },
    { at: daysAgo(1), scoreE4: 80_000, cause: "day" },
  ]);
  expect((await readScoreMoves(db, ADA, NOW)).map(({ version }) => version)).toEqual([4, 1]);
});

test("moves are those of 30 days, or the newest five of a longer time", async () => {
  const moves = (days: number[]) =>
    days.map((day) => ({ at: daysAgo(day), scoreE4: 10_000, effectE4: 100 }));
  const countMoves = async () => (await readScoreMoves(db, ADA, NOW)).length;
  await insertHistory(moves([90, 80, 70, 60, 50, 40]));
  expect(await countMoves()).toBe(5);
  await db.delete(reputationHistory);
  await insertHistory(moves([90, 29, 28, 27, 26, 25, 24, 23]));
  expect(await countMoves()).toBe(7);
});

describe("the graph of counterparties", () => {
  const read = () => readCounterpartyGraph(db, ADA, NOW);

  test("has payments in both directions and those among the counterparties", async () => {
    await db.insert(agents).values({ wallet: BOB, name: "Bob", ownerEmail: null });
    const paid = (usdc: number) => ({ paidMicro: BigInt(usdc) * 1_000_000n });
    await insertOutcome(paid(5));
    await insertOutcome(paid(7));
    await insertOutcome({ contractor: EVE, requester: ADA, ...paid(9) });
    await insertOutcome({ contractor: BOB, requester: EVE, ...paid(3) });
    // Neither concerns the group: an outsider, and unpaid work.
    await insertOutcome({ contractor: BOB, requester: DAN, ...paid(100) });
    await insertOutcome({ contractor: EVE, requester: BOB });
    expect(await read()).toEqual({
      wallets: [
        { walletAddress: BOB, name: "Bob", isAnchor: false },
        { walletAddress: EVE, name: null, isAnchor: false },
      ],
      total: 2,
      edges: [
        { client: BOB, contractor: ADA, jobs: 2, paidUsdc: 12 },
        { client: ADA, contractor: EVE, jobs: 1, paidUsdc: 9 },
        { client: EVE, contractor: BOB, jobs: 1, paidUsdc: 3 },
      ],
    });
  });

  test("keeps the wallets with the largest payments, and counts all", async () => {
    for (let n = 1; n <= MAX_GRAPH_WALLETS + 3; n++) {
      await insertOutcome({
        requester: wallet(String(n).padStart(2, "0")),
        paidMicro: BigInt(n) * 1_000_000n,
      });
    }
    const { wallets, edges, total } = await read();
    expect([wallets.length, total]).toEqual([MAX_GRAPH_WALLETS, MAX_GRAPH_WALLETS + 3]);
    expect(Math.min(...edges.map(({ paidUsdc }) => paidUsdc))).toBe(4);
  });

  test("is empty without outcomes", async () => {
    expect(await read()).toEqual({ wallets: [], total: 0, edges: [] });
  });
});
