import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { disputes } from "@/server/disputes/tables";
import { outcomes } from "@/server/outcomes/tables";
import { respondCached } from "@/server/pages/respond-cached";
import { reputationHistory } from "@/server/reputation/tables";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import {
  insertDisputeRow,
  insertRecordedOutcome,
  NOT_RECORDED,
} from "@/server/testing/fixtures/outcome";
import { createOutcomeId, createWallet } from "@/server/testing/fixtures/sample-ledger";
import { readFeed } from "./read-feed";
import { renderAtom } from "./render-atom";

const database = await createTestDatabase();
const { db } = createTestCore(database);
afterAll(database.close);

const [ME, CLIENT, STRANGER] = [createWallet(1), createWallet(2), createWallet(3)];
const OVERTURNED = { verdict: "REQUESTER_WINS", finalVerdict: "FAILURE" } as const;
const day = (n: number) => new Date(Date.UTC(2026, 9, n));

beforeEach(async () => {
  await db.delete(disputes);
  await db.delete(outcomes);
  await db.delete(reputationHistory);
  await db.delete(agents);
});

const insertOutcome = (n: number, change: Partial<typeof outcomes.$inferInsert> = {}) =>
  insertRecordedOutcome(db, {
    ...{ id: createOutcomeId(n), contractor: ME, requester: CLIENT, valueMicro: 5_500_000n },
    ...{ submittedAt: day(n), resolvedAt: day(n), recordIndex: n },
    ...change,
  });

const render = async (wallet = ME) => {
  const feed = await readFeed(db, wallet);
  return feed ? renderAtom(feed, "https://standing.example") : "";
};
const titlesOf = (xml: string) =>
  [...xml.matchAll(/<entry>.*?<title>(.*?)<\/title>/gs)].map(([, title]) => title);

describe("the feed of a wallet", () => {
  test("has its outcomes, disputes and tier changes, newest first", async () => {
    await db.insert(agents).values({ wallet: CLIENT, name: "Glasswort" });
    const outcomeId = await insertOutcome(2, { title: "Rotate the <keys>" });
    await insertOutcome(3, { contractor: CLIENT, requester: ME, verdict: "FAILURE" });
    await insertDisputeRow(db, {
      ...{ outcomeId, contractor: ME, requester: CLIENT, openedAt: day(4) },
      ...{ status: "RESOLVED", resolvedAt: day(6) },
      ...OVERTURNED,
    });
    const version = { wallet: ME, cause: "outcome" as const, previousScoreE4: 0, totalOutcomes: 1 };
    await db.insert(reputationHistory).values([
      { ...version, version: 1, at: day(2), scoreE4: 500_000, tier: "NEWCOMER" },
      { ...version, version: 2, at: day(5), scoreE4: 610_000, tier: "TRUSTED" },
      { ...version, version: 3, at: day(7), scoreE4: 620_000, tier: "TRUSTED" },
    ]);
    const name = "\u2068Glasswort\u2069";
    const titled = "\u2068Rotate the &lt;keys&gt;\u2069";
    expect(titlesOf(await render())).toEqual([
      `Dispute resolved: ${titled} for ${name}, verdict overturned`,
      "Tier: Trusted, before Newcomer (score 61.00)",
      `Dispute opened: ${titled} for ${name}, verdict success`,
      `Failure: Operations job by ${name}, 5.50 USDC`,
      `Success: ${titled} for ${name}, 5.50 USDC`,
    ]);
  });

  test("says nothing of an outcome or a dispute before it is recorded", async () => {
    const outcomeId = await insertOutcome(2);
    await insertOutcome(3, NOT_RECORDED);
    const dispute = { outcomeId, contractor: ME, requester: CLIENT, openedAt: day(4) };
    await insertDisputeRow(db, { ...dispute, ...OVERTURNED });
    const titles = titlesOf(await render());
    expect(titles).toHaveLength(2);
    expect(titles.join()).not.toContain("resolved");
  });

  test("is null for a wallet without a record, and empty for a new agent", async () => {
    expect(await readFeed(db, STRANGER)).toBeNull();
    await db.insert(agents).values({ wallet: STRANGER, name: "Newcomer" });
    expect(await readFeed(db, STRANGER)).toMatchObject({ name: "Newcomer", entries: [] });
  });

  test("has the newest 50 entries", async () => {
    for (let n = 1; n <= 60; n++) await insertOutcome(n);
    const feed = await readFeed(db, ME);
    expect(feed?.entries).toHaveLength(50);
    expect(feed?.updatedAt).toBe(day(60).toISOString());
  });

  test("escapes names and keeps their direction marks inside", async () => {
    await db.insert(agents).values([
      { wallet: CLIENT, name: `</title><script>alert("1")</script>\u202E&\u0007` },
      { wallet: ME, name: `"]]>&amp;` },
    ]);
    await insertOutcome(2);
    const xml = await render();
    for (const part of ["<script", "\u202E", "\u0007", "]]>"]) expect(xml).not.toContain(part);
    expect(xml).toContain("&lt;/title&gt;&lt;script&gt;");
    expect(xml).toContain("&amp;amp;");
  });
});

describe("a cached response", () => {
  const cached = {
    body: "content",
    contentType: "text/plain",
    maxAgeSeconds: 300,
    lastModified: new Date("2026-11-21T12:00:00.500Z"),
  };
  const get = (headers: Record<string, string>) =>
    respondCached(new Request("https://standing.example/", { headers }), cached);

  test("is 304 for its entity tag, among others and weak", () => {
    const etag = get({}).headers.get("etag") ?? "";
    for (const known of [etag, `"other", W/${etag}`, "*"]) {
      expect(get({ "if-none-match": known }).status).toBe(304);
    }
    expect(get({ "if-none-match": '"other"' }).status).toBe(200);
  });

  test("is 304 for its date, unless a tag says otherwise", () => {
    const date = get({}).headers.get("last-modified") ?? "";
    expect(get({ "if-modified-since": date }).status).toBe(304);
    expect(get({ "if-modified-since": "Sat, 21 Nov 2026 11:59:59 GMT" }).status).toBe(200);
    expect(get({ "if-modified-since": "yesterday" }).status).toBe(200);
    expect(get({ "if-modified-since": date, "if-none-match": '"other"' }).status).toBe(200);
  });
});
