import { afterAll, beforeEach, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { reputations } from "@/server/reputation/tables";
import { createTestDatabase } from "@/server/testing/database";
import { createWallet as wallet } from "@/server/testing/fixtures/sample-ledger";
import { storeScore } from "@/server/testing/model/explorer-model";
import { type Filter, toScoreE2 } from "./list-agents";
import { parseSearchTerm } from "./search-term";
import { countText, searchSimilar, searchText } from "./text-search";

const database = await createTestDatabase();
const { db } = database;
afterAll(database.close);

beforeEach(async () => {
  await db.delete(agents);
  await db.delete(reputations);
});

const ALL_AGENTS: Filter = {};
const ANT = parseSearchTerm("ant") ?? expect.fail();
const register = (n: number) => db.insert(agents).values({ wallet: wallet(n), name: "An ant" });

test("agents with similar words are reused for some time", async () => {
  const find = async (words: string[]) =>
    (await searchSimilar(db, { words, range: { offset: 0, limit: 10 } })).total;
  await register(1);
  expect(await find(["ants"])).toBe(1);
  await register(2);
  expect(await find(["ants"])).toBe(1);
  expect(await find(["anti"])).toBe(2);
});

test("a count ends at its limit, and respects the filter", async () => {
  for (const n of [1, 2, 3, 4]) await register(n);
  await storeScore(db, wallet(1), { scoreE4: 505_000, totalOutcomes: 1 });
  expect(await countText(db, ALL_AGENTS, ANT, 3)).toBe(3);
  expect(await countText(db, ALL_AGENTS, ANT, 5)).toBe(4);
  expect(await countText(db, { minScoreE2: 5_050 }, ANT, 5)).toBe(1);
  expect(await countText(db, { minScoreE2: 5_051 }, ANT, 5)).toBe(0);
});

const LONG_WORD = "abcdefghijklmnopqrstuvwxyz".repeat(2);
const TEXTS = [
  "Code-review, 24/7",
  "Reviewer of codes",
  "GRÜẞE und Grüße",
  "数据审核代理",
  "🤖🤖🤖 bot",
  "under_score 100% o'clock back\\slash",
  `${LONG_WORD}!`,
];
const PARTS = [
  "view",
  "VIEWER",
  "code",
  "code-rev",
  "e-r",
  "ew, 24",
  "24/7",
  "view 24",
  "of cod",
  "iew cod",
  "grüß",
  "GRÜẞE U",
  "ẞE und grü",
  "审核代",
  "核代",
  "数据审核代理",
  "🤖🤖🤖",
  "🤖 bo",
  "der_sco",
  "0%",
  "o'clo",
  "k\\sl",
  "k\\\\sl",
  LONG_WORD,
  LONG_WORD.slice(3, 40),
  `${LONG_WORD}a`,
  "xyz!",
  LONG_WORD.slice(9),
  `${LONG_WORD.slice(2, 34)}z`,
  "bot\u001f",
  "'view':*",
  "view & code",
];

test("the text index finds every part of a text, in any script and across words", async () => {
  await db.insert(agents).values(TEXTS.map((name, n) => ({ name, wallet: wallet(n + 1) })));
  for (const part of PARTS) {
    const term = parseSearchTerm(part);
    if (!term) throw new Error(`${part} matches everything`);
    const expected = TEXTS.filter((text) =>
      `${text}\u001f`.toLowerCase().includes(part.toLowerCase()),
    );
    expect([part, await countText(db, ALL_AGENTS, term, 100)]).toEqual([part, expected.length]);
  }
});

test.each([0, 1, 2, 3])("lists and counts at most %s agents", async (most) => {
  for (const n of [1, 2, 3, 4]) await register(n);
  await db.insert(agents).values({ wallet: wallet(5), name: "A bee" });
  const search = (offset: number, limit: number) =>
    searchText(
      db,
      { filter: ALL_AGENTS, term: ANT, sort: "newest", range: { offset, limit } },
      { most },
    );
  const { rows, ...found } = await search(0, 9);
  expect(rows.map((row) => row.wallet)).toEqual([4, 3, 2, 1].slice(0, most).map(wallet));
  expect(found).toEqual({ total: most, isMore: true });
  expect((await search(2, 9)).rows).toHaveLength(Math.max(0, most - 2));
  expect((await search(4, 2)).rows).toEqual([]);
});

test("a published score is its own minimum, and the next lower one is not", () => {
  for (let scoreE2 = 0; scoreE2 <= 10_000; scoreE2 += 1) {
    expect(toScoreE2(scoreE2 / 100)).toBe(scoreE2);
    expect(toScoreE2(scoreE2 / 100 + 0.001)).toBe(scoreE2 + 1);
  }
});
