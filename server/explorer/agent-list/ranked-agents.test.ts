import { eq } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { explorerRouter } from "@/server/explorer/router";
import { CATEGORIES, type Category } from "@/server/lib/schema";
import { DAY_MS } from "@/server/lib/time";
import { createCallerFactory } from "@/server/lib/trpc";
import { outcomes, refunds } from "@/server/outcomes/tables";
import { formatUtcDay } from "@/server/reputation/score/public-reputation";
import { anchors, evidence, reputationHistory, reputations } from "@/server/reputation/tables";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { insertRecordedOutcome } from "@/server/testing/fixtures/outcome";
import { createWallet as wallet } from "@/server/testing/fixtures/sample-ledger";
import { storeScore } from "@/server/testing/model/explorer-model";
import { readRankedAgents } from "./ranked-agents";
import { LEADERBOARD_SORTS, type RankedInput, rankedInput } from "./schema";

const database = await createTestDatabase();
const { db } = database;
afterAll(database.close);

const api = () =>
  createCallerFactory(explorerRouter)(createTestContext(createTestCore(database)).context);

beforeEach(async () => {
  for (const table of [
    evidence,
    anchors,
    reputationHistory,
    refunds,
    outcomes,
    agents,
    reputations,
  ])
    await db.delete(table);
});

const register = (n: number) =>
  db.insert(agents).values({ wallet: wallet(n), name: `Agent ${n}`, categories: [CATEGORIES[0]] });

/** Stores a recorded success of `contractor` for `requester`, submitted some days ago. */
function insertOutcome(
  contractor: number,
  requester: number,
  daysAgo: number,
  row: Partial<typeof outcomes.$inferInsert> = {},
) {
  const at = new Date(Date.now() - daysAgo * DAY_MS);
  const parties = { contractor: wallet(contractor), requester: wallet(requester) };
  const times = { submittedAt: at, resolvedAt: at };
  return insertRecordedOutcome(db, { ...parties, proven: false, ...times, ...row });
}

/** Stores the sum of an agent's evidence in a category from one client. */
const insertEvidence = (contractor: number, change: Partial<typeof evidence.$inferInsert>) =>
  db.insert(evidence).values({
    wallet: wallet(contractor),
    requester: wallet(7),
    category: "ops",
    day: 0,
    backing: "paid",
    reported: false,
    good: 1n,
    bad: 0n,
    outcomes: 1,
    counted: 1,
    assessed: 1,
    passed: 1,
    successes: 1,
    disputed: 0,
    earned: 0n,
    lost: 0n,
    ...change,
  });

/** Stores the history entry of agent 1 that settling an anchor writes. */
const insertAnchoredScore = (version: number) =>
  db.insert(reputationHistory).values({
    wallet: wallet(1),
    version,
    at: new Date(),
    cause: "anchor",
    scoreE4: 500_000,
    previousScoreE4: 500_000,
    tier: "NEWCOMER",
    totalOutcomes: 2,
  });

describe("ranked agents", () => {
  test("equal scores share a place, even across pages", async () => {
    for (const [n, scoreE4] of [900_000, 800_000, 800_099, 800_050, 700_000].entries()) {
      await register(n);
      await storeScore(db, wallet(n), { scoreE4, totalOutcomes: 10 - n });
    }
    const places = async (page: number, size: number) =>
      (await api().rankedAgents({ page, size })).content.map(({ rank }) => rank);
    expect(await places(0, 20)).toEqual([
      { place: 1, tied: false },
      { place: 2, tied: true },
      { place: 2, tied: true },
      { place: 2, tied: true },
      { place: 5, tied: false },
    ]);
    expect(await places(0, 2)).toEqual([
      { place: 1, tied: false },
      { place: 2, tied: true },
    ]);
    expect(await places(1, 2)).toEqual([
      { place: 2, tied: true },
      { place: 2, tied: true },
    ]);
    expect(await places(2, 2)).toEqual([{ place: 5, tied: false }]);
    expect(await places(3, 2)).toEqual([]);
  });

  test("counts confirmed clients and finds the newest outcome, whenever agents registered", async () => {
    await register(1);
    const paid = { paidMicro: 5_000_000n };
    for (const [requester, daysAgo, evidence] of [
      [7, 40, paid],
      [8, 3, paid],
      [7, 20, paid],
      [9, 30, {}],
    ] as const) {
      await insertOutcome(1, requester, daysAgo, evidence);
    }
    await storeScore(db, wallet(1), { scoreE4: 500_000, totalOutcomes: 4 });
    await insertOutcome(2, 9, 50, paid);
    await storeScore(db, wallet(2), { scoreE4: 400_000, totalOutcomes: 1 });
    await register(2);

    const { content } = await api().rankedAgents({ sort: "activity" });
    expect(
      content.map(({ name, confirmedClients, rank }) => ({ name, confirmedClients, rank })),
    ).toEqual([
      { name: "Agent 1", confirmedClients: 2, rank: null },
      { name: "Agent 2", confirmedClients: 1, rank: null },
    ]);
    expect(Date.now() - Date.parse(content[0]?.lastActive ?? "")).toBeLessThan(3.1 * DAY_MS);

    const lately = await api().rankedAgents({ activeDays: 30 });
    expect(lately).toMatchObject({ totalElements: 1, totalPages: 1, isMore: false });
    expect(lately.content.map(({ name }) => name)).toEqual(["Agent 1"]);
    for (const sort of LEADERBOARD_SORTS) {
      for (const filter of [{ tier: "NEWCOMER" }, { minScore: 45 }, { minScore: 35 }] as const) {
        const found = await api().rankedAgents({ activeDays: 30, sort, ...filter });
        expect(found.content).toMatchObject([{ name: "Agent 1", score: 50, confirmedClients: 2 }]);
        expect(found.totalElements).toBe(1);
      }
    }
    expect((await api().rankedAgents({ activeDays: 2 })).content).toEqual([]);
  });

  test("a category's success rate, outcomes and clients are those in the category", async () => {
    await register(1);
    const today = Math.floor(Date.now() / DAY_MS);
    const row = { day: today - 9 };
    const failed = { successes: 0, passed: 0, bad: 1n, good: 0n };
    const claimed = { ...row, requester: wallet(9), backing: "claimed" as const };
    for (const change of [
      { ...row, requester: wallet(7) },
      { ...row, requester: wallet(8), ...failed },
      { ...row, requester: wallet(8), backing: "claimed" as const },
      // Not in the rate: a void one, one that was not assessed, and a failure that is reported but does
      // not count yet.
      { ...claimed, ...failed, counted: 0, assessed: 0 },
      { ...claimed, day: today - 8, assessed: 0, passed: 0 },
      { ...row, requester: wallet(7), reported: true, day: today - 2, ...failed },
      { ...row, requester: wallet(6), category: "legal" },
    ]) {
      await insertEvidence(1, change);
    }
    const categoryScoresE4 = { ops: 600_000, legal: 700_000 };
    await storeScore(db, wallet(1), { scoreE4: 800_000, totalOutcomes: 7, categoryScoresE4 });

    const read = async (category?: Category) =>
      (await api().rankedAgents({ category })).content[0]?.categoryFigures;
    expect(await read("ops")).toEqual({
      outcomes: 6,
      successRate: 0.6666,
      assessedOutcomes: 3,
      confirmedOutcomes: 4,
      confirmedClients: 2,
      lastDay: formatUtcDay(new Date((today - 2) * DAY_MS)),
    });
    expect(await read("legal")).toMatchObject({ outcomes: 1, successRate: 1, confirmedClients: 1 });
    expect(await read()).toBeUndefined();
  });

  test("a category's orders and filters go by the figures in the category", async () => {
    const today = Math.floor(Date.now() / DAY_MS);
    for (const [n, scoreE4, jobs, daysAgo] of [
      [1, 900_000, 2, 40],
      [2, 800_000, 5, 9],
      [3, 700_000, 5, 3],
    ] as const) {
      await register(n);
      await insertEvidence(n, { outcomes: jobs, day: today - daysAgo, assessed: jobs, passed: n });
      // In another category all of them were active yesterday.
      await insertOutcome(n, 7, 1);
      // Overall it is the other way round.
      await storeScore(db, wallet(n), { scoreE4, totalOutcomes: 20 - n });
    }
    const list = async (input: Partial<RankedInput>) =>
      (await api().rankedAgents({ category: "ops", ...input })).content.map(
        ({ name, rank }) => `${name} ${rank ? `${rank.place}${rank.tied ? "=" : ""}` : ""}`,
      );
    expect(await list({ sort: "outcomes" })).toEqual(["Agent 2 1=", "Agent 3 1=", "Agent 1 3"]);
    expect(await list({ sort: "outcomes", page: 1, size: 2 })).toEqual(["Agent 1 3"]);
    expect(await list({ sort: "successRate" })).toEqual(["Agent 3 1", "Agent 1 2", "Agent 2 3"]);
    expect(await list({ sort: "activity" })).toEqual(["Agent 3 ", "Agent 2 ", "Agent 1 "]);
    expect(await list({ minOutcomes: 5 })).toEqual(["Agent 2 1", "Agent 3 2"]);
    expect(await list({ activeDays: 5 })).toEqual(["Agent 3 1"]);
    // Of more agents than are looked at, another one could have better figures.
    const input = rankedInput.parse({ category: "ops", sort: "outcomes" });
    const best = await readRankedAgents(db, input, new Date(), 2);
    expect(best).toMatchObject({ totalElements: 2, isMore: true, outOf: 3 });
    expect(best.content.map(({ name, rank }) => [name, rank])).toEqual([
      ["Agent 2", null],
      ["Agent 1", null],
    ]);
    const { content } = await api().leaderboard({ category: "ops", minOutcomes: 5 });
    expect(content.map(({ name }) => name)).toEqual(["Agent 2", "Agent 3"]);
  });

  test("filters leave out short records, unverified wallets and risky agents", async () => {
    for (const n of [1, 2, 3]) {
      await register(n);
      await storeScore(db, wallet(n), { scoreE4: 900_000 - n * 1_000, totalOutcomes: n * 10 });
    }
    await db.update(agents).set({ walletVerifiedAt: new Date() }).where(eq(agents.name, "Agent 2"));
    const failure = { verdict: "FAILURE", finalVerdict: "FAILURE" } as const;
    for (const daysAgo of [1, 2, 3, 4, 5]) {
      await insertOutcome(3, 7, daysAgo, { ...failure, paidMicro: 5_000_000n });
    }
    const list = async (input: Partial<RankedInput>) => {
      const { content, totalElements, outOf } = await api().rankedAgents(input);
      expect([totalElements, outOf]).toEqual([content.length, 3]);
      const { tier: _, sort: __, ...filters } = input;
      const inApi = await api().leaderboard(filters);
      expect(inApi.totalElements).toBe(totalElements);
      return content.map(({ name, rank }) => `${name} ${rank?.place}`);
    };
    expect(await list({ minOutcomes: 20 })).toEqual(["Agent 2 1", "Agent 3 2"]);
    expect(await list({ walletVerified: true, sort: "outcomes" })).toEqual(["Agent 2 1"]);
    expect(await list({ hideRisky: true, sort: "outcomes" })).toEqual(["Agent 2 1", "Agent 1 2"]);
    expect(await list({ hideRisky: true, minOutcomes: 20 })).toEqual(["Agent 2 1"]);
    expect(await list({ valueUsdc: 0, minOutcomes: 20 })).toEqual(["Agent 2 1"]);
    // None can be hired for it without escrow, and two with it.
    expect((await api().leaderboard({ valueUsdc: 1 })).totalElements).toBe(0);
    const forValue = await api().rankedAgents({ valueUsdc: 1 });
    expect(forValue).toMatchObject({ totalElements: 2, hirable: 0, withEscrow: 2, outOf: 3 });
    expect(forValue.content.map(({ recommendation: { label } }) => label)).toEqual([
      "Use escrow",
      "Use escrow",
    ]);
    // Its pages are parts of one list, which is reused for some seconds.
    await storeScore(db, wallet(1), { scoreE4: 900_000, totalOutcomes: 90 });
    const input = { hideRisky: true, sort: "outcomes", page: 1, size: 1 } as const;
    const { content, totalElements } = await api().rankedAgents(input);
    expect([totalElements, content[0]?.name, content[0]?.rank?.place]).toEqual([2, "Agent 1", 2]);
    expect(await list({ hideRisky: false, walletVerified: false })).toHaveLength(3);
  });

  test("an anchored client that only submits counts until its anchor is revoked", async () => {
    await register(1);
    const submitted = { submittedBy: "requester", proven: true } as const;
    await insertOutcome(1, 7, 3, submitted);
    await insertOutcome(1, 8, 3, submitted);
    await storeScore(db, wallet(1), { scoreE4: 500_000, totalOutcomes: 2 });
    const countClients = async () =>
      (await api().rankedAgents({ sort: "clients" })).content[0]?.confirmedClients;
    expect(await countClients()).toBe(0);

    const [anchor] = await db
      .insert(anchors)
      .values({ wallet: wallet(7), from: new Date(Date.now() - 9 * DAY_MS), seq: 100 })
      .returning();
    await insertAnchoredScore(1);
    expect(await countClients()).toBe(1);
    const readEffects = () => api().anchorEffects([100]);
    expect(await readEffects()).toEqual([{ seq: 100, outcomes: 1, agents: 1, paidUsdc: 0 }]);
    expect(await api().revocations([100])).toEqual([]);
    const readListing = () => api().knownClient({ walletAddress: wallet(7) });
    const listing = { from: anchor?.from.toISOString(), reason: null };
    expect(await readListing()).toEqual({ ...listing, endedAt: null });

    await db
      .update(anchors)
      .set({ revokedSeq: 101, revokeAskedAt: new Date("2026-11-20T12:00:00Z") })
      .where(eq(anchors.id, anchor?.id ?? ""));
    await insertAnchoredScore(2);
    expect(await countClients()).toBe(0);
    expect(await readEffects()).toEqual([]);
    const endedAt = "2026-11-20T12:00:00.000Z";
    expect(await api().revocations([100, 99])).toEqual([{ seq: 100, at: endedAt }]);
    expect(await readListing()).toEqual({ ...listing, endedAt });
    expect(await api().knownClient({ walletAddress: wallet(1) })).toBeNull();
  });

  test("a category ranks the agents with an outcome in it, by their score in it", async () => {
    const [declared, worked] = CATEGORIES;
    await register(1);
    await storeScore(db, wallet(1), {
      scoreE4: 900_000,
      totalOutcomes: 4,
      categoryScoresE4: { [worked]: 300_000, finance: 400_000 },
    });
    await register(2);
    await storeScore(db, wallet(2), {
      scoreE4: 500_000,
      totalOutcomes: 2,
      categoryScoresE4: { [worked]: 450_000 },
    });
    const list = async (category: Category, minScore?: number) =>
      (await api().rankedAgents({ category, minScore })).content.map(
        ({ name, score, categoryScore, rank }) => [rank?.place, name, categoryScore, score],
      );
    expect(await list(worked)).toEqual([
      [1, "Agent 2", 45, 50],
      [2, "Agent 1", 30, 90],
    ]);
    expect(await list(worked, 45)).toEqual([[1, "Agent 2", 45, 50]]);
    expect(await list("finance")).toEqual([[1, "Agent 1", 40, 90]]);
    expect(await list(declared)).toEqual([]);

    const { content } = await api().leaderboard({ category: worked });
    expect(content.map(({ name, categoryScore }) => [name, categoryScore])).toEqual([
      ["Agent 2", 45],
      ["Agent 1", 30],
    ]);
    // The search also finds agents that only declare the category.
    const found = await api().search({ category: declared, sort: "name" });
    expect(found.content.map(({ name, categoryScore }) => [name, categoryScore])).toEqual([
      ["Agent 1", undefined],
      ["Agent 2", undefined],
    ]);
    expect((await api().search({ category: declared, minScore: 1 })).content).toEqual([]);
  });

  test("an agent without a confirmed outcome has no success rate and no place by it", async () => {
    for (const [n, successRateE4] of [null, 9_000, 10_000, 10_000].entries()) {
      await register(n);
      await storeScore(db, wallet(n), { scoreE4: 500_000, totalOutcomes: n + 1, successRateE4 });
    }
    const { content } = await api().rankedAgents({ sort: "successRate" });
    expect(content.map(({ name, successRate, rank }) => [name, successRate, rank])).toEqual([
      ["Agent 3", 1, { place: 1, tied: true }],
      ["Agent 2", 1, { place: 1, tied: true }],
      ["Agent 1", 0.9, { place: 3, tied: false }],
      ["Agent 0", null, null],
    ]);
  });

  test("returns thirty days: null before the first score, the days of changes, then today", async () => {
    await register(1);
    const change = (version: number, daysAgo: number, scoreE4: number) => ({
      wallet: wallet(1),
      version,
      at: new Date(Date.now() - daysAgo * DAY_MS),
      cause: "outcome" as const,
      scoreE4,
      previousScoreE4: 0,
      tier: "NEWCOMER" as const,
      totalOutcomes: version,
    });
    await db.insert(reputationHistory).values([change(1, 10, 100_000), change(2, 5, 200_000)]);
    await storeScore(db, wallet(1), { scoreE4: 190_000, totalOutcomes: 2 });
    const [entry] = (await api().rankedAgents({})).content;
    const days = entry?.days ?? [];
    expect(days).toHaveLength(30);
    expect(days.slice(0, 19)).toEqual(Array(19).fill(null));
    expect(days.slice(19, 24)).toEqual([10, null, null, null, null]);
    expect(days.slice(24, 29)).toEqual([20, null, null, null, null]);
    expect(days[29]).toBe(19);
  });
});
