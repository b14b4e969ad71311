import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { openDatabase } from "@/server/db/client";
import { disputes } from "@/server/disputes/tables";
import { networkDays } from "@/server/explorer/tables";
import { CATEGORIES } from "@/server/lib/schema";
import { DAY_MS } from "@/server/lib/time";
import { outcomes } from "@/server/outcomes/tables";
import { ledgerRecords } from "@/server/reputation/tables";
import { createTestDatabase } from "@/server/testing/database";
import {
  buildRecordedRow,
  insertDisputeRow,
  insertRecordedOutcome,
  NOT_RECORDED,
} from "@/server/testing/fixtures/outcome";
import { createWallet } from "@/server/testing/fixtures/sample-ledger";
import { storeScore } from "@/server/testing/model/explorer-model";
import { networkStatsInput } from "./schema";
import { choosePeriods, computeNetworkStats, readSiteStats } from "./stats";

const database = await createTestDatabase();
const others = openDatabase(database.url, 8);
const { db } = database;
const { sql } = db;
afterAll(async () => {
  await others.close();
  await database.close();
});

const TODAY = Date.UTC(2026, 10, 20) / DAY_MS;
const atDaysAgo = (days: number) => new Date((TODAY - days) * DAY_MS + DAY_MS - 1);

beforeEach(async () => {
  for (const table of [disputes, outcomes, agents]) await db.delete(table);
  await db.delete(networkDays);
});

const PARTIES = { contractor: createWallet(1), requester: createWallet(2) };

const insertOutcome = (days: number, row: Partial<typeof outcomes.$inferInsert> = {}) =>
  insertRecordedOutcome(db, { ...PARTIES, resolvedAt: atDaysAgo(days), ...row });

const readStats = (input: object = {}) =>
  computeNetworkStats(db, networkStatsInput.parse(input), TODAY);

/** Returns the periods with anything in them, as days or weeks before today. */
async function readPeriods(range: string) {
  const { periods } = await readStats({ range });
  return periods.flatMap((period, index) =>
    period.outcomes || period.disputes || period.agents
      ? [[periods.length - 1 - index, period]]
      : [],
  );
}

test("an outcome counts on the day of its verdict, once it is recorded", async () => {
  await insertOutcome(0, { paidMicro: 1_500_000n });
  await insertOutcome(29, { verdict: "FAILURE" });
  await insertOutcome(30);
  const pending = await insertOutcome(3, { status: "EVALUATING", resolvedAt: null });
  expect(await readPeriods("30d")).toMatchObject([
    [29, { outcomes: 1, successes: 0, from: "2026-10-22", to: "2026-10-22" }],
    [0, { outcomes: 1, successes: 1, paidUsdc: 1.5, to: "2026-11-20" }],
  ]);
  await db
    .update(outcomes)
    .set({ status: "RESOLVED", resolvedAt: atDaysAgo(1) })
    .where(eq(outcomes.id, pending));
  expect(await readPeriods("30d")).toMatchObject([
    [29, {}],
    [1, { outcomes: 1 }],
    [0, {}],
  ]);
  expect(await readPeriods("6m")).toMatchObject([
    [4, { outcomes: 2 }],
    [0, { outcomes: 2 }],
  ]);
  expect((await readStats({ range: "6m" })).total).toMatchObject({ outcomes: 4, successes: 3 });
});

test("an outcome that was not assessed is no success until a dispute decides it", async () => {
  await insertOutcome(0);
  const unsure = await insertOutcome(0, { assessed: false });
  expect((await readStats()).total).toMatchObject({ outcomes: 2, assessed: 1, successes: 1 });
  await db.update(outcomes).set({ assessed: true }).where(eq(outcomes.id, unsure));
  expect((await readStats()).total).toMatchObject({ outcomes: 2, assessed: 2, successes: 2 });
});

test("a dispute counts from its opening, and changes what its outcome is when overturned", async () => {
  const outcomeId = await insertOutcome(9, { taskCategory: "legal" });
  await insertOutcome(9);
  const openedAt = atDaysAgo(8);
  const dispute = { ...PARTIES, outcomeId, openedAt, finalVerdict: "FAILURE" } as const;
  const disputeId = await insertDisputeRow(db, dispute);
  expect(await readPeriods("30d")).toMatchObject([
    [9, { outcomes: 2, successes: 2, disputes: 0 }],
    [8, { disputes: 1, overturned: 0 }],
  ]);
  await db.update(disputes).set({ status: "RESOLVED" }).where(eq(disputes.id, disputeId));
  await db.update(outcomes).set({ finalVerdict: "FAILURE" }).where(eq(outcomes.id, outcomeId));
  expect(await readPeriods("30d")).toMatchObject([
    [9, { outcomes: 2, successes: 1 }],
    [8, { disputes: 1, overturned: 1 }],
  ]);
  expect((await readStats({ category: "legal" })).total).toMatchObject({
    outcomes: 1,
    successes: 0,
    disputes: 1,
  });
  expect((await readStats({ category: "ops" })).categories).toMatchObject([
    { category: "legal", outcomes: 1, disputes: 1 },
    { category: "ops", outcomes: 1, successes: 1, disputes: 0 },
  ]);
});

test("agents count on the day of their registration while they are registered", async () => {
  await db.insert(agents).values([
    { wallet: createWallet(1), name: "Ada", createdAt: atDaysAgo(2) },
    { wallet: createWallet(2), name: "Bob", createdAt: atDaysAgo(2) },
  ]);
  expect(await readPeriods("30d")).toMatchObject([[2, { agents: 2, outcomes: 0 }]]);
  await db.delete(agents).where(eq(agents.name, "Bob"));
  expect((await readStats({ category: "ops" })).total.agents).toBe(1);
});

test("the whole history begins with its first day, in few periods", async () => {
  expect(await readStats({ range: "all" })).toMatchObject({ periodDays: 1, periods: [{}] });
  await insertOutcome(400);
  await insertOutcome(0);
  const { periods, periodDays } = await readStats({ range: "all" });
  expect(periodDays).toBe(7);
  expect(periods).toHaveLength(Math.ceil(401 / 7));
  expect([periods[0]?.outcomes, periods.at(-1)?.outcomes]).toEqual([1, 1]);
  expect(choosePeriods(1)).toEqual({ periodDays: 1, periods: 1 });
  expect(choosePeriods(60 * 7 + 1)).toEqual({ periodDays: 28, periods: 16 });
});

test("concurrent changes of many categories neither deadlock nor miscount, in few rows", async () => {
  const WRITERS = 8;
  const ROUNDS = 40;
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      const categories = writer % 2 ? CATEGORIES : CATEGORIES.toReversed();
      for (let round = 0; round < ROUNDS; round += 1) {
        await others.db.transaction(async (tx) => {
          const rows = categories.map((taskCategory) =>
            buildRecordedRow({ ...PARTIES, resolvedAt: atDaysAgo(round % 3), taskCategory }),
          );
          for (const row of rows) await tx.insert(outcomes).values(row);
        });
      }
    }),
  );
  const { total, categories } = await readStats();
  expect(total.outcomes).toBe(WRITERS * ROUNDS * CATEGORIES.length);
  expect(categories.map((row) => row.outcomes)).toEqual(CATEGORIES.map(() => WRITERS * ROUNDS));
  const [stored] = await sql<[{ rows: number }]>`select count(*)::int as rows from network_days`;
  // Three days of every category, plus the rows appended since the last sums.
  expect(stored.rows).toBeLessThan(3 * CATEGORIES.length + 10 * 64);
});

test("the site statistics count each kind and list the newest verdicts", async () => {
  const { contractor, requester } = PARTIES;
  await db.insert(agents).values([
    { wallet: contractor, name: "Ada" },
    { wallet: createWallet(3), name: "Eve" },
  ]);
  await storeScore(db, contractor, { scoreE4: 300_000, totalOutcomes: 2 });
  const [first, second] = [await insertOutcome(3), await insertOutcome(2)];
  await insertOutcome(1, NOT_RECORDED);
  const row = { txHash: `0x${"ab".repeat(32)}`, logIndex: 0, record: {} as never };
  await db.insert(ledgerRecords).values([
    { ...row, seq: 1, type: "outcome", outcomeId: first },
    { ...row, seq: 2, type: "outcome", outcomeId: second },
    { ...row, seq: 3, type: "dispute", outcomeId: first },
    { ...row, seq: 4, type: "anchor", wallet: requester },
  ]);
  expect(await readSiteStats(db)).toMatchObject({
    ...{ agents: 2, scored: 1, outcomes: 3, waiting: 1, recorded: 2, disputes: 1 },
    tiers: { UNRANKED: 1, NEWCOMER: 1, TRUSTED: 0, VERIFIED: 0, ELITE: 0 },
    newest: [
      {
        ...{ outcomeId: second, byBuiltin: true, simulated: false },
        ...{ contractor: { name: "Ada" }, requester: { name: null } },
      },
      { outcomeId: first },
    ],
  });
});
