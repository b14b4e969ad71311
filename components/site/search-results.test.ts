import { describe, expect, test } from "vitest";
import type { SearchResults } from "@/server/explorer/agent-list/schema";
import { findExactPage, listSearchHits } from "./search-results";

const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const ID = "0197a3f2-6d1c-7c21-8f3a-0b6d4e9a7c15";
const HASH = `0x${"ab".repeat(32)}`;

const outcome = {
  outcomeId: ID,
  contractorAgentAddress: WALLET,
  requesterAgentAddress: OTHER,
  taskCategory: "ops",
  submittedAt: "2026-11-20T12:00:00.000Z",
};
const build = (found: object) =>
  ({
    jobs: [],
    text: "",
    agents: { content: [], totalElements: 0 },
    outcomes: [],
    totalOutcomes: 0,
    disputes: [],
    anchorSeqs: [],
    ...found,
  }) as unknown as SearchResults;

describe("findExactPage", () => {
  test.each([
    ["a registered wallet", WALLET, { agents: { content: [{ walletAddress: WALLET }] } }, WALLET],
    ["another case", WALLET.toLowerCase(), { outcomes: [outcome], totalOutcomes: 9 }, WALLET],
    ["a requester", OTHER, { outcomes: [outcome], totalOutcomes: 9 }, OTHER],
  ])("returns the profile of %s", (_, q, found, wallet) => {
    expect(findExactPage(q, build(found))).toBe(`/agents/${wallet}`);
  });

  test.each([
    ["an outcome", ID, { outcomes: [outcome], totalOutcomes: 1 }, `/outcomes/${ID}`],
    ["a dispute", ID, { disputes: [{ disputeId: ID }] }, `/disputes/${ID}`],
    ["a transaction", HASH, { outcomes: [outcome], totalOutcomes: 1 }, `/outcomes/${ID}`],
    ["an anchor's transaction", HASH, { anchorSeqs: [4] }, "/anchors"],
  ])("returns the page of %s", (_, q, found, href) => {
    expect(findExactPage(q, build(found))).toBe(href);
  });

  test.each([
    ["a wallet without records", WALLET, {}],
    ["a name", "ops", { outcomes: [outcome], totalOutcomes: 1 }],
    [
      "the start of a wallet",
      WALLET.slice(0, 12),
      { agents: { content: [{ walletAddress: WALLET }] } },
    ],
    ["a transaction with two records", HASH, { outcomes: [outcome], totalOutcomes: 2 }],
    [
      "a transaction with a dispute beside",
      HASH,
      { outcomes: [outcome], totalOutcomes: 1, disputes: [{}] },
    ],
  ])("returns null for %s", (_, q, found) => {
    expect(findExactPage(q, build(found))).toBeNull();
  });
});

test("an unregistered wallet with outcomes is the first hit", () => {
  const hits = listSearchHits(OTHER, build({ outcomes: [outcome], totalOutcomes: 1 }));
  expect(hits.map(({ kind, href }) => [kind, href])).toEqual([
    ["Wallet", `/agents/${OTHER}`],
    ["Job", `/outcomes/${ID}`],
  ]);
});

test("what the search means comes first, each with its best agents by their score in it", () => {
  const agent = {
    ...{ name: "Wren", walletAddress: WALLET, tier: "TRUSTED", totalOutcomes: 4, score: 50 },
    ...{
      agentId: "1",
      recommendation: { label: "Use escrow" },
      risk: { level: "none", flags: [] },
    },
  };
  const buyer = { ...agent, agentId: "2", name: "Buyer", walletAddress: OTHER, totalOutcomes: 0 };
  const found = {
    jobs: [{ category: "legal", best: [{ ...agent, categoryScore: 71.5 }] }],
    agents: { content: [agent, buyer], totalElements: 2 },
  };
  expect(listSearchHits("legal", build(found))).toMatchObject([
    { kind: "Category", title: "Legal", href: "/leaderboard/legal" },
    { kind: "Agent", title: "Wren", detail: "for legal", score: "71.50" },
  ]);
  expect(listSearchHits("$300 legal", build({ ...found, valueUsdc: 300 }))).toMatchObject([
    { title: "300 USDC of legal", href: "/leaderboard/legal?valueUsdc=300" },
    { title: "Wren", href: `/agents/${WALLET}?valueUsdc=300&category=legal` },
  ]);
  const any = { jobs: [{ best: [agent] }], valueUsdc: 300 };
  expect(listSearchHits("300 USDC", build(any))).toMatchObject([
    { kind: "Search", title: "300 USDC", href: "/leaderboard?valueUsdc=300" },
    { title: "Wren", detail: "for 300 USDC" },
  ]);
});
