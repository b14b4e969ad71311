import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createCallerFactory } from "@/server/lib/trpc";
import { outcomes } from "@/server/outcomes/tables";
import { computeScore } from "@/server/reputation/score/score";
import { ledgerRecords, reputationHistory } from "@/server/reputation/tables";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { insertRecordedOutcome, NOT_RECORDED } from "@/server/testing/fixtures/outcome";
import {
  createOutcomeId,
  createPaidOutcome,
  createWallet,
  insertLedger,
} from "@/server/testing/fixtures/sample-ledger";
import { explorerRouter } from "./router";

const database = await createTestDatabase();
const { db } = database;
afterAll(database.close);

const api = createCallerFactory(explorerRouter)(
  createTestContext(createTestCore(database)).context,
);
const AGENT = createWallet(1);
const CLIENT = createWallet(2);
const [OUTCOME, OTHER] = [createOutcomeId(1), createOutcomeId(2)];
const DISPUTE = createOutcomeId(9);

beforeEach(async () => {
  await db.delete(reputationHistory);
  await db.delete(ledgerRecords);
  await db.delete(outcomes);
  const submittedAt = new Date("2026-11-20T12:00:00Z");
  for (const id of [OUTCOME, OTHER]) {
    const parties = { contractor: AGENT, requester: CLIENT };
    await insertRecordedOutcome(db, { id, ...parties, ...NOT_RECORDED, submittedAt });
  }
});

type Change = typeof reputationHistory.$inferInsert;

const insertChange = (change: Pick<Change, "version"> & Partial<Change>) =>
  db.insert(reputationHistory).values({
    wallet: AGENT,
    at: new Date("2026-11-21T12:00:00Z"),
    cause: "outcome",
    seq: 1,
    outcomeId: OUTCOME,
    scoreE4: 300_000,
    previousScoreE4: 250_000,
    tier: "NEWCOMER",
    totalOutcomes: 1,
    ...change,
  });

test("returns the changes by an outcome and its dispute, oldest first, and no others", async () => {
  await insertChange({ version: 4, cause: "dispute", disputeId: DISPUTE, scoreE4: 400_000 });
  await insertChange({ version: 2 });
  await insertChange({ version: 3, outcomeId: OTHER });
  await insertChange({ version: 5, cause: "day", outcomeId: null, seq: null });
  const { changes, backing } = await api.outcomeEffects({ outcomeId: OUTCOME });
  expect(changes.map(({ version, cause, score }) => [version, cause, score])).toEqual([
    [2, "outcome", 30],
    [4, "dispute", 40],
  ]);
  expect(backing).toBe("claimed");
});

test("returns no changes for an outcome without a verdict", async () => {
  expect(await api.outcomeEffects({ outcomeId: OUTCOME })).toEqual({
    ...{ backing: "claimed", deliveryPaymentTxHash: null },
    changes: [],
    ifOverturned: null,
  });
});

test.each([
  ["SUCCESS", "REQUESTER_WINS", -1],
  ["FAILURE", "CONTRACTOR_WINS", 1],
] as const)("forecasts a dispute of a %s", async (verdict, overturned, direction) => {
  const now = Date.now() / 1000;
  const job = { contractor: AGENT, requester: CLIENT, resolvedAt: now - 60 };
  const log = [createPaidOutcome(2, job), createPaidOutcome(1, { ...job, verdict })];
  const dispute = {
    type: "dispute",
    outcomeId: OUTCOME,
    verdict: overturned,
    assessed: true,
    resolvedAt: now,
  } as const;
  const [before, after] = [log, [...log, dispute]].map(
    (records) => computeScore(records, AGENT, now).scoreE4 / 10_000,
  ) as [number, number];
  await insertLedger(db, log, 1);
  const setResolved = (resolvedAt: Date) =>
    db.update(outcomes).set({ resolvedAt }).where(eq(outcomes.id, OUTCOME));
  await setResolved(new Date(0));
  expect(await api.outcomeEffects({ outcomeId: OUTCOME })).toMatchObject({ ifOverturned: null });
  await setResolved(new Date(job.resolvedAt * 1_000));
  // What code decided is only decided again; of agreed criteria, the verdict is reviewed.
  const decide = (judgeKind: "heuristic" | "gate" | "llm", agreed = true) =>
    db.update(outcomes).set({ agreed, judgeKind }).where(eq(outcomes.id, OUTCOME));
  for (const kind of ["heuristic", "gate"] as const) {
    await decide(kind);
    expect(await api.outcomeEffects({ outcomeId: OUTCOME })).toMatchObject({ ifOverturned: null });
  }
  await decide("llm");
  expect((await api.outcomeEffects({ outcomeId: OUTCOME })).ifOverturned).not.toBeNull();
  await decide("heuristic", false);
  const { ifOverturned } = await api.outcomeEffects({ outcomeId: OUTCOME });
  expect(ifOverturned).toBeCloseTo(after - before, 1);
  expect(Math.sign(ifOverturned ?? 0)).toBe(direction);
  await insertLedger(db, [dispute], 3);
  expect(await api.outcomeEffects({ outcomeId: OUTCOME })).toMatchObject({ ifOverturned: null });
});

test("throws not-found for an unknown outcome", async () => {
  await expect(api.outcomeEffects({ outcomeId: createOutcomeId(3) })).rejects.toMatchObject({
    cause: { code: "not-found" },
  });
});
