// cspell:ignore contarct quil
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { createCallerFactory } from "@/server/lib/trpc";
import { toChecksumAddress } from "@/server/lib/wallet";
import { outcomes } from "@/server/outcomes/tables";
import { formatUtcDay } from "@/server/reputation/score/public-reputation";
import { ledgerRecords, reputations } from "@/server/reputation/tables";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { insertRecordedOutcome, NOT_RECORDED } from "@/server/testing/fixtures/outcome";
import { storeScore } from "@/server/testing/model/explorer-model";
import { explorerRouter } from "./router";

const database = await createTestDatabase();
const { db } = database;
afterAll(database.close);

const api = createCallerFactory(explorerRouter)(
  createTestContext(createTestCore(database)).context,
);
const ADA = toChecksumAddress(`0xada${"0".repeat(37)}`);
const BOB = toChecksumAddress(`0xb0b${"0".repeat(37)}`);
const EVE = toChecksumAddress(`0xe4e${"0".repeat(37)}`);

beforeEach(async () => {
  for (const table of [ledgerRecords, outcomes, agents, reputations]) await db.delete(table);
});

async function register(wallet: string, name: string, description = "") {
  await db.insert(agents).values({ wallet, name, description, ownerEmail: "owner@example.org" });
}

async function names(q: string) {
  return (await api.search({ q, sort: "name" })).content.map((entry) => entry.name);
}

let at = Date.UTC(2026, 10, 1);

/** Inserts an outcome, a second after the one before it, without a verdict unless `row` has one. */
function submit(row: Parameters<typeof insertRecordedOutcome>[1]): Promise<string> {
  at += 1_000;
  const pending = { ...NOT_RECORDED, deliverableContent: "a private deliverable", proven: false };
  return insertRecordedOutcome(db, { ...pending, submittedAt: new Date(at), ...row });
}

const resolved = (verdict: "SUCCESS" | "FAILURE") => ({
  status: "RESOLVED" as const,
  verdict,
  finalVerdict: verdict,
  resolvedAt: new Date(at),
  onChainTx: `0x${"cd".repeat(32)}`,
  recordIndex: 0,
});

describe("search", () => {
  test("treats %, _ and \\ in a term literally", async () => {
    await register(ADA, "100% sure");
    await register(BOB, "snake_case");
    await register(EVE, "back\\slash");
    expect(await names("%")).toEqual(["100% sure"]);
    expect(await names("0%")).toEqual(["100% sure"]);
    expect(await names("_")).toEqual(["snake_case"]);
    expect(await names("e_c")).toEqual(["snake_case"]);
    expect(await names("\\")).toEqual(["back\\slash"]);
    expect(await names("k\\s")).toEqual(["back\\slash"]);
  });

  test("ignores letter case in any script", async () => {
    await register(ADA, "ΟΔΟΣ");
    await register(BOB, "Ürün", "Reads CONTRACTS");
    expect(await names("οδος")).toEqual(["ΟΔΟΣ"]);
    expect(await names("üRÜN")).toEqual(["Ürün"]);
    expect(await names("contracts")).toEqual(["Ürün"]);
  });

  test("does not match across the boundary of name and description", async () => {
    await register(ADA, "Ada", "lovelace");
    expect(await names("ada lovelace")).toEqual([]);
    expect(await names("dalove")).toEqual([]);
  });

  test("finds a wallet by its prefix in any letter case, and not by other parts", async () => {
    await register(ADA, "Ada");
    await register(BOB, "Bob");
    expect(await names("0xaDa")).toEqual(["Ada"]);
    expect(await names("0XADA0")).toEqual(["Ada"]);
    expect(await names(ADA)).toEqual(["Ada"]);
    expect(await names("da00")).toEqual([]);
    expect(await names("0x")).toEqual(["Ada", "Bob"]);
    expect(await names(`${ADA}0`)).toEqual([]);
  });

  test("finds text that looks like an address in descriptions too", async () => {
    await register(ADA, "Ada", "successor of 0xB0B");
    await register(BOB, "Bob");
    expect(await names("0xb0b")).toEqual(["Ada", "Bob"]);
  });

  test("returns new agents, names and scores immediately, regardless of earlier counts", async () => {
    await register(ADA, "Ada");
    expect((await api.search({ q: "ad", size: 1 })).totalElements).toBe(1);
    await register(BOB, "Adam");
    expect((await api.search({ q: "ad", size: 1 })).totalElements).toBe(2);
    await storeScore(db, BOB, { scoreE4: 707_070, totalOutcomes: 1 });
    expect((await api.search({ q: "ad", minScore: 70.7 })).content).toMatchObject([
      { name: "Adam", score: 70.7, tier: "TRUSTED", totalOutcomes: 1 },
    ]);
  });

  test("reduces a size over 100, and returns the reduced size", async () => {
    expect(await api.search({ size: 1_000 })).toMatchObject({ size: 100, page: 0, totalPages: 0 });
    await expect(api.search({ size: -1 })).rejects.toThrow();
    await expect(api.search({ page: 0.5 })).rejects.toThrow();
  });

  test("a page beyond the last is empty and has the total", async () => {
    await register(ADA, "Ada");
    expect(await api.search({ page: 1_000_000, size: 100 })).toEqual({
      content: [],
      totalElements: 1,
      totalPages: 1,
      page: 1_000_000,
      size: 100,
    });
    expect(await api.search({ q: "ada", page: 7 })).toMatchObject({
      content: [],
      totalElements: 1,
    });
  });
});

describe("search all", () => {
  const listIds = (found: { outcomes: { outcomeId: string }[] }) =>
    found.outcomes.map(({ outcomeId }) => outcomeId);

  test("finds an outcome by its id and by the transaction that recorded it, in any letter case", async () => {
    const one = await submit({ contractor: ADA, requester: BOB, ...resolved("SUCCESS") });
    const two = await submit({ contractor: EVE, requester: BOB, ...resolved("SUCCESS") });
    const txHash = `0x${"cd".repeat(32)}`;
    const row = { txHash, logIndex: 0, record: {} as never };
    await db.insert(ledgerRecords).values([
      { ...row, seq: 1, type: "outcome", outcomeId: one },
      { ...row, seq: 2, type: "outcome", outcomeId: two },
      { ...row, seq: 3, type: "anchor", wallet: BOB },
    ]);
    expect(listIds(await api.searchAll({ q: one }))).toEqual([one]);
    const byHash = await api.searchAll({ q: txHash.toUpperCase().replace("0X", "0x") });
    expect(listIds(byHash)).toEqual([one, two]);
    expect(byHash).toMatchObject({ totalOutcomes: 2, anchorSeqs: [3], disputes: [] });
  });

  test("finds other forms and orders of words, then similar words, and says why", async () => {
    const description = "Reviews contracts of suppliers.";
    await register(ADA, "Ada");
    await register(BOB, "Quill", description);
    const find = async (q: string) => {
      const { content, isExact, totalElements } = (await api.searchAll({ q })).agents;
      expect(totalElements).toBe(content.length);
      return [isExact, ...content.map(({ name, match }) => `${name}: ${match}`)];
    };
    expect(await find("contracts of")).toEqual([true, `Quill: ${description}`]);
    expect(await find("contract reviewing")).toEqual([false, `Quill: ${description}`]);
    expect(await find("contarct reviewer")).toEqual([false, `Quill: ${description}`]);
    const six = await find("contarct reviews contract reviewed suppliers knitting");
    expect(six).toEqual([false, `Quill: ${description}`]);
    expect(await find("quil")).toEqual([true, "Quill: undefined"]);
    expect(await find("knitting")).toEqual([false]);
    expect(await find("%&|!")).toEqual([true]);
    const { jobs } = await api.searchAll({ q: "code reviewers" });
    expect(jobs).toEqual([{ category: "code-review", best: [] }]);
    const job = await api.searchAll({ q: "300 USDC of code review" });
    expect(job).toMatchObject({ text: "code review", valueUsdc: 300, jobs });
    expect(await find("quill for $300")).toEqual([true, "Quill: undefined"]);
    const value = await api.searchAll({ q: "300 USDC" });
    expect(value).toMatchObject({ text: "", jobs: [{ best: [] }], agents: { totalElements: 0 } });
  });

  test("lists the outcomes of an unregistered wallet, newest first", async () => {
    const older = await submit({ contractor: ADA, requester: BOB });
    const newer = await submit({ contractor: EVE, requester: ADA });
    const found = await api.searchAll({ q: ADA.toLowerCase() });
    expect(found.agents.content).toEqual([]);
    expect(listIds(found)).toEqual([newer, older]);
    expect(JSON.stringify(found)).not.toContain("a private");
  });

  test("returns nothing for an unknown id or hash", async () => {
    for (const q of [crypto.randomUUID(), `0x${"ef".repeat(32)}`, "unknown", ""]) {
      const nothing = { outcomes: [], disputes: [], anchorSeqs: [] };
      expect(await api.searchAll({ q })).toMatchObject(nothing);
    }
  });
});

describe("profile", () => {
  test("returns an unranked reputation for an agent without outcomes", async () => {
    await register(ADA, "Ada", "Counts.");
    const profile = await api.profile({ walletAddress: ADA.toLowerCase() });
    expect(profile).toMatchObject({
      name: "Ada",
      description: "Counts.",
      walletAddress: ADA,
      walletVerified: false,
      reputation: { score: 0, tier: "UNRANKED", lastUpdated: null },
      breakdown: null,
    });
    expect(JSON.stringify(profile)).not.toContain("owner@example.org");
  });

  test("returns the reputation with its breakdown", async () => {
    await register(ADA, "Ada");
    await storeScore(db, ADA, { scoreE4: 812_399, totalOutcomes: 3 });
    expect(await api.profile({ walletAddress: ADA })).toMatchObject({
      reputation: {
        walletAddress: ADA,
        score: 81.23,
        tier: "TRUSTED",
        totalOutcomes: 3,
        confirmedOutcomes: 3,
        successRate: 1,
        categoryScores: { ops: 81.23 },
        lastUpdated: "2026-11-21T12:00:00.000Z",
        scoreDay: formatUtcDay(new Date()),
      },
      breakdown: { quality: 1, claimed: [3, 0] },
    });
  });

  test("returns not-found for an unregistered wallet, whatever its reputation", async () => {
    await storeScore(db, EVE, { scoreE4: 10_000, totalOutcomes: 1 });
    await expect(api.profile({ walletAddress: EVE })).rejects.toThrow("not-found");
  });
});

describe("outcomes of a wallet", () => {
  test("include both roles, newest first, without private texts", async () => {
    const first = await submit({ contractor: ADA, requester: BOB });
    await submit({ contractor: EVE, requester: BOB });
    const second = await submit({ contractor: BOB, requester: ADA, ...resolved("SUCCESS") });
    const third = await submit({ contractor: ADA, requester: EVE });

    const page = await api.outcomes({
      walletAddress: ADA.toUpperCase().replace("X", "x"),
      size: 2,
    });
    expect(page).toMatchObject({ totalElements: 3, totalPages: 2, page: 0, size: 2 });
    expect(page.content.map((one) => one.outcomeId)).toEqual([third, second]);
    const rest = await api.outcomes({ walletAddress: ADA, size: 2, page: 1 });
    expect(rest.content.map((one) => one.outcomeId)).toEqual([first]);
    expect(rest.totalElements).toBe(3);
    expect(JSON.stringify([page, rest])).not.toContain("a private");
  });

  test("can be filtered by role, category, status and verdict", async () => {
    const done = await submit({ contractor: ADA, requester: BOB, ...resolved("SUCCESS") });
    const failed = await submit({ contractor: ADA, requester: BOB, ...resolved("FAILURE") });
    const asked = await submit({ contractor: BOB, requester: ADA, taskCategory: "legal" });
    const list = async (filter: Omit<Parameters<typeof api.outcomes>[0], "walletAddress">) =>
      (await api.outcomes({ walletAddress: ADA, ...filter })).content.map((one) => one.outcomeId);
    expect(await list({ role: "contractor" })).toEqual([failed, done]);
    expect(await list({ role: "requester" })).toEqual([asked]);
    expect(await list({ category: "legal" })).toEqual([asked]);
    expect(await list({ status: "EVALUATING" })).toEqual([asked]);
    expect(await list({ verdict: "FAILURE" })).toEqual([failed]);
    expect(await list({ verdict: "SUCCESS", role: "requester" })).toEqual([]);
  });

  test("omit a verdict that is not recorded yet, and the filter ignores it", async () => {
    await submit({ contractor: ADA, requester: BOB, verdict: "FAILURE" });
    expect(await api.outcomes({ walletAddress: ADA, verdict: "FAILURE" })).toMatchObject({
      totalElements: 0,
    });
    const [only] = (await api.outcomes({ walletAddress: ADA })).content;
    expect(only).not.toHaveProperty("verdict");
  });
});

test("the documented examples fit the output schemas", () => {
  for (const procedure of Object.values(explorerRouter._def.procedures)) {
    const { meta, output } = procedure._def as unknown as {
      meta?: { rest: { example: { response: unknown } } };
      output: { parse(value: unknown): unknown };
    };
    // Used by the pages only.
    if (!meta) continue;
    expect(output.parse(meta.rest.example.response)).toEqual(meta.rest.example.response);
  }
});

test("returns the names of registered wallets, in any letter case", async () => {
  await db.insert(agents).values([
    { wallet: ADA, name: "Ada", categories: [] },
    { wallet: EVE, name: "Eve", categories: [] },
  ]);
  expect(await api.names([ADA.toLowerCase(), BOB])).toEqual({ [ADA]: "Ada" });
  expect(await api.names([])).toEqual({});
});

describe("check", () => {
  test("is unknown for a wallet that no record names, and for an agent without outcomes", async () => {
    const unnamed = await api.check({ walletAddress: EVE, valueUsdc: 1_000 });
    expect(unnamed).toMatchObject({
      walletAddress: EVE,
      agent: null,
      reputation: { tier: "UNRANKED", score: 0 },
      evidence: "none",
      limit: { limitUsdc: 0, earnedUsdc: 0, failedUsdc: 0, reservedUsdc: 0, clients: [] },
      recommendation: { action: "unknown", valueUsdc: 1_000, limitUsdc: 0 },
    });
    await register(ADA, "Ada");
    expect(await api.check({ walletAddress: ADA })).toMatchObject({
      agent: { name: "Ada", walletVerified: false },
      recommendation: { action: "unknown", valueUsdc: null },
    });
  });

  test("compares by recommendation, then by score", async () => {
    const CAL = toChecksumAddress(`0xca1${"0".repeat(37)}`);
    const DEE = toChecksumAddress(`0xdee${"0".repeat(37)}`);
    const FAY = toChecksumAddress(`0xfa4${"0".repeat(37)}`);
    await register(CAL, "Cal");
    await register(FAY, "Fay");
    await register(DEE, "Dee");
    await storeScore(db, CAL, { scoreE4: 600_000, totalOutcomes: 9 });
    await storeScore(db, DEE, { scoreE4: 780_000, totalOutcomes: 9 });
    await storeScore(db, FAY, { scoreE4: 450_000, totalOutcomes: 9 });
    const asked = { walletAddresses: [EVE, CAL, FAY, DEE], valueUsdc: 60 };
    const { agents: compared } = await api.compare(asked);
    expect(compared.map(({ walletAddress }) => walletAddress)).toEqual([DEE, CAL, FAY, EVE]);
    expect(compared[0]).toEqual(await api.check({ walletAddress: DEE, valueUsdc: 60 }));
  });
});
