import { afterAll, beforeEach, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { disputes } from "@/server/disputes/tables";
import { explorerRouter } from "@/server/explorer/router";
import { DAY_MS } from "@/server/lib/time";
import { createCallerFactory } from "@/server/lib/trpc";
import { outcomes } from "@/server/outcomes/tables";
import { anchors } from "@/server/reputation/tables";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import {
  buildRecordedRow,
  insertDisputeRow,
  insertRecordedOutcome,
} from "@/server/testing/fixtures/outcome";
import { createWallet } from "@/server/testing/fixtures/sample-ledger";
import { readNetworkDisputes, readNetworkOutcomes } from "./lists";
import { networkDisputesInput, networkOutcomesInput } from "./schema";

const database = await createTestDatabase();
const { db } = database;
afterAll(database.close);

const [ADA, BOB, EVE] = [createWallet(1), createWallet(2), createWallet(3)];
const HASH = `0x${"ab".repeat(32)}`;
const START = Date.UTC(2026, 10, 1);

beforeEach(async () => {
  for (const table of [disputes, outcomes, anchors, agents]) await db.delete(table);
  await db.insert(agents).values({ wallet: ADA, name: "Ada" });
});

/** Inserts an outcome of Ada's for Bob, submitted on the given day and resolved on the next. */
const insertOutcome = (day: number, row: Partial<typeof outcomes.$inferInsert> = {}) =>
  insertRecordedOutcome(db, {
    ...{ contractor: ADA, requester: BOB, deliverableContent: "a private deliverable" },
    submittedAt: new Date(START + day * DAY_MS),
    resolvedAt: new Date(START + (day + 1) * DAY_MS),
    ...row,
  });

const listOutcomes = async (filter: object = {}, limits?: { listed: number; searched: number }) =>
  readNetworkOutcomes(db, networkOutcomesInput.parse(filter), limits);
const listIds = async (filter: object = {}) =>
  (await listOutcomes(filter)).content.map(({ outcomeId }) => outcomeId);

test("outcomes of all agents are listed newest first, with names and without private texts", async () => {
  const first = await insertOutcome(1);
  const second = await insertOutcome(2, { contractor: EVE, requester: ADA });
  const page = await listOutcomes();
  expect(page).toMatchObject({ totalElements: 2, totalPages: 1, isMore: false });
  expect(page.content).toMatchObject([
    {
      outcomeId: second,
      contractor: { walletAddress: EVE, name: null },
      requester: { walletAddress: ADA, name: "Ada" },
    },
    { outcomeId: first, submittedAt: "2026-11-02T00:00:00.000Z", valueUsdc: 5, backing: "claimed" },
  ]);
  expect(JSON.stringify(page)).not.toContain("private");
});

test("outcomes are found by the UTC days on which their verdicts were recorded, inclusive", async () => {
  const [first, second, third] = [
    await insertOutcome(0),
    await insertOutcome(1),
    await insertOutcome(2),
  ];
  expect(await listIds({ from: "2026-11-03" })).toEqual([third, second]);
  expect(await listIds({ to: "2026-11-03" })).toEqual([second, first]);
  expect(await listIds({ from: "2026-11-03", to: "2026-11-03" })).toEqual([second]);
  expect(await listIds({ from: "2026-11-05" })).toEqual([]);
});

test("a day that the database can't compare is refused", async () => {
  await insertOutcome(0);
  expect(await listIds({ from: "2000-01-01", to: "2099-12-31" })).toHaveLength(1);
  for (const day of ["0000-01-01", "1999-12-31", "2100-01-01", "9999-12-31"]) {
    for (const name of ["from", "to"]) {
      expect(networkOutcomesInput.safeParse({ [name]: day }).success, `${name} ${day}`).toBe(false);
    }
  }
});

test("a verdict that is not recorded yet is neither shown nor found", async () => {
  const pending = await insertOutcome(1, {
    status: "EVALUATING",
    verdict: "FAILURE",
    finalVerdict: null,
  });
  expect((await listOutcomes()).content).toMatchObject([
    { outcomeId: pending, verdict: null, finalVerdict: null, resolvedAt: null },
  ]);
  expect(await listIds({ verdict: "FAILURE" })).toEqual([]);
  expect(await listIds({ status: "RESOLVED" })).toEqual([]);
  expect(await listIds({ status: "EVALUATING" })).toEqual([pending]);
});

test("filters find outcomes by category, final verdict, value and backing", async () => {
  const plain = await insertOutcome(1, { taskCategory: "legal" });
  const paid = await insertOutcome(2, { paidMicro: 1n, valueMicro: 99_999_999n });
  const overturned = await insertOutcome(3, { finalVerdict: "FAILURE", valueMicro: 100_000_000n });
  const notAssessed = await insertOutcome(0, { assessed: false });
  const anchored = await insertOutcome(4, { requester: EVE, agreed: true });
  await db.insert(anchors).values({ wallet: EVE, from: new Date(START), seq: 1, txHash: HASH });
  expect(await listIds({ category: "legal" })).toEqual([plain]);
  expect(await listIds({ verdict: "FAILURE" })).toEqual([overturned]);
  expect(await listIds({ verdict: "SUCCESS" })).toEqual([anchored, paid, plain]);
  expect(await listIds({ verdict: "NOT_ASSESSED" })).toEqual([notAssessed]);
  expect(await listIds({ minValueUsdc: 100 })).toEqual([overturned]);
  expect(await listIds({ backing: "anchored" })).toEqual([anchored]);
  expect(await listIds({ backing: "paid" })).toEqual([paid]);
  expect(await listIds({ backing: "claimed", category: "ops" })).toEqual([overturned, notAssessed]);
  // An anchor that was not one yet, or that neither signed nor submitted the outcome.
  const early = await insertOutcome(-9, { requester: EVE, paidMicro: 1n, agreed: true });
  const unpaid = await insertOutcome(5, { requester: EVE });
  expect(await listIds({ backing: "paid" })).toEqual([paid, early]);
  expect(await listIds({ backing: "claimed", category: "ops" })).toEqual([
    unpaid,
    overturned,
    notAssessed,
  ]);
});

test("pages follow each other, and one beyond the last is empty", async () => {
  const ids: string[] = [];
  for (let day = 0; day < 5; day += 1) ids.unshift(await insertOutcome(day));
  const pages = [0, 1, 2, 3].map((page) => listOutcomes({ page, size: 2 }));
  const [first, second, third, beyond] = await Promise.all(pages);
  const found = [first, second, third].flatMap((page) => page?.content ?? []);
  expect(found.map(({ outcomeId }) => outcomeId)).toEqual(ids);
  expect(beyond).toMatchObject({ content: [], totalElements: 5, totalPages: 3 });
});

test("a list ends at its limit, and a filter searches only the newest", async () => {
  const oldest = await insertOutcome(0, { verdict: "FAILURE" });
  for (let day = 1; day < 5; day += 1) await insertOutcome(day);
  expect(await listOutcomes({ size: 3 }, { listed: 4, searched: 9 })).toMatchObject({
    totalElements: 4,
    isMore: true,
  });
  const limits = { listed: 5, searched: 4 };
  expect((await listOutcomes({ page: 1, size: 3 }, limits)).content).toHaveLength(2);
  expect(await listOutcomes({}, limits)).toMatchObject({ totalElements: 5, isMore: false });
  expect(await listOutcomes({ verdict: "FAILURE" }, limits)).toMatchObject({
    content: [],
    isMore: true,
  });
  const found = await listOutcomes({ verdict: "FAILURE" }, { listed: 5, searched: 5 });
  expect(found).toMatchObject({ content: [{ outcomeId: oldest }], isMore: false });
});

test("an export has more records than a page, newest first", async () => {
  const days = Array.from({ length: 101 }, (_, day) => day);
  await db.insert(outcomes).values(
    days.map((day) =>
      buildRecordedRow({
        contractor: ADA,
        requester: BOB,
        submittedAt: new Date(START + day * DAY_MS),
        resolvedAt: new Date(START + (day + 1) * DAY_MS),
        taskCategory: day === 0 ? "legal" : "ops",
      }),
    ),
  );
  const { context } = createTestContext(createTestCore(database));
  const api = createCallerFactory(explorerRouter)(context);
  const exported = await api.exportOutcomes({});
  expect(exported.map(({ submittedAt }) => submittedAt)).toEqual(
    days.map((day) => new Date(START + day * DAY_MS).toISOString()).reverse(),
  );
  expect(await api.exportOutcomes({ category: "legal" })).toHaveLength(1);
  await insertDispute(exported[0]?.outcomeId ?? "", 1);
  expect(await api.exportDisputes({ status: "OPEN" })).toHaveLength(1);
});

const insertDispute = (
  outcomeId: string,
  day: number,
  row: Partial<typeof disputes.$inferInsert> = {},
) =>
  insertDisputeRow(db, {
    ...{ outcomeId, openedBy: "contractor", contractor: ADA, requester: BOB },
    ...{ recordedVerdict: "FAILURE", openedAt: new Date(START + day * DAY_MS) },
    ...row,
  });

test("disputes are listed newest first, each with its result once it is public", async () => {
  const final = { status: "RESOLVED", resolvedAt: new Date(START) } as const;
  const failed = { verdict: "FAILURE" } as const;
  const upheld = await insertDispute(
    await insertOutcome(0, { ...failed, title: "Audit of a contract", confidencePpm: 500_000 }),
    5,
    {
      ...final,
      finalVerdict: "FAILURE",
    },
  );
  const overturned = await insertDispute(
    await insertOutcome(1, { ...failed, taskCategory: "legal", confidencePpm: 900_000 }),
    6,
    { ...final, finalVerdict: "SUCCESS" },
  );
  const open = await insertDispute(await insertOutcome(2, failed), 7, { finalVerdict: "SUCCESS" });
  const list = async (filter: object = {}) =>
    (await readNetworkDisputes(db, networkDisputesInput.parse(filter))).content;
  const listDisputeIds = async (filter: object) =>
    (await list(filter)).map(({ disputeId }) => disputeId);
  expect(await list()).toMatchObject([
    { disputeId: open, finalVerdict: null, contractor: { name: "Ada" }, taskCategory: "ops" },
    {
      disputeId: overturned,
      finalVerdict: "SUCCESS",
      recordedVerdict: "FAILURE",
      recordedAssessed: true,
    },
    { disputeId: upheld, title: "Audit of a contract", recordedAssessed: false },
  ]);
  expect(await listDisputeIds({ status: "OPEN" })).toEqual([open]);
  expect(await listDisputeIds({ status: "RESOLVED" })).toEqual([overturned, upheld]);
  expect(await listDisputeIds({ result: "overturned" })).toEqual([overturned]);
  expect(await listDisputeIds({ result: "upheld" })).toEqual([upheld]);
  expect(await listDisputeIds({ category: "legal" })).toEqual([overturned]);
});
