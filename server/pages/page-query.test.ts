import { describe, expect, test } from "vitest";
import { z } from "zod";
import { rankedInput } from "@/server/explorer/agent-list/schema";
import { buildUrl } from "@/server/lib/build-url";
import { parsePageQuery, parseWallets, redirectToCleanUrl } from "./page-query";

const schema = rankedInput.omit({ category: true });

/** Returns the URL that the query is redirected to; null if it is clean. */
function getRedirect(query: Record<string, string>): string | null {
  try {
    redirectToCleanUrl("/leaderboard", schema, query);
    return null;
  } catch (error) {
    // Next's format: NEXT_REDIRECT;type;url;status;
    return z.object({ digest: z.string() }).parse(error).digest.split(";")[2] ?? "";
  }
}

test("a URL counts pages from 1, a procedure from 0", () => {
  expect(parsePageQuery(schema, { page: "3", minScore: "70", tier: "ELITE" })).toEqual({
    page: 2,
    minScore: 70,
    tier: "ELITE",
    sort: "score",
    size: 25,
  });
  expect(buildUrl("/list", { page: 2, q: "a b", tier: "" })).toBe("/list?q=a+b&page=3");
  expect(buildUrl("/list", { page: 0, tier: undefined })).toBe("/list");
});

test.each(["0", "-1", "1.5", "first", "1e9", ""])("page %j is the first page", (page) => {
  expect(parsePageQuery(schema, { page }).page).toBe(0);
});

describe("a clean URL", () => {
  test("has only valid parameters that are not the default", () => {
    expect(getRedirect({})).toBeNull();
    expect(getRedirect({ tier: "ELITE", page: "2", sort: "name", size: "50" })).toBeNull();
    expect(getRedirect({ utm_source: "letter" })).toBeNull();
  });

  test.each([
    [{ tier: "", minScore: "", activeDays: "7" }, "/leaderboard?activeDays=7"],
    [{ sort: "score", size: "25", page: "1" }, "/leaderboard"],
    [{ tier: "<b>", size: "25", page: "9" }, "/leaderboard?tier=%3Cb%3E&page=9"],
  ])("%j is redirected to %s", (query, url) => {
    expect(getRedirect(query)).toBe(url);
  });
});

test("invalid values are named instead of removed", () => {
  const query = { minScore: "101", tier: "ELITE", page: "first" };
  expect(redirectToCleanUrl("/leaderboard", schema, query)).toEqual([
    ["minScore", "101"],
    ["page", "first"],
  ]);
});

const WALLETS = [1, 2, 3, 4, 5].map((n) => `0x${String(n).repeat(40)}`);
const MIXED = "0x52908400098527886E0F7030069857D2E4169EE7";

test("an address in another letter case is the same one, and anything else is dropped", () => {
  expect(parseWallets(`${MIXED},x,,${MIXED.toLowerCase()}%2C${WALLETS[0]}`, 4)).toEqual([
    MIXED,
    WALLETS[0],
  ]);
  expect(parseWallets("", 4)).toEqual([]);
});

test("at most as many addresses as asked for are returned", () => {
  expect(parseWallets(WALLETS.join(","), 4)).toEqual(WALLETS.slice(0, 4));
});
