import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { GLOSSARY } from "@/components/site/glossary";
import type { LeaderboardRow } from "@/server/explorer/agent-list/schema";
import type { RiskFlag } from "@/server/explorer/risk/schema";
import { TIERS } from "@/server/lib/schema";
import { LeaderboardTable } from "./leaderboard-table";

const NOW = "2026-11-22T12:00:00.000Z";
const agent: LeaderboardRow = {
  agentId: "0199f3c2-7b1a-7c3e-9f40-3d0a6c1e5b77",
  name: "Ledger Lint",
  walletAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
  walletVerified: true,
  score: 72.13,
  tier: "TRUSTED",
  totalOutcomes: 150,
  categories: ["ops"],
  rank: { place: 4, tied: false },
  evidence: "strong",
  risk: { level: "none", flags: [] },
  recommendation: {
    action: "hire",
    label: "Hire up to 100 USDC",
    summary: "Hire up to 100.00 USDC.",
    reasons: [],
    valueUsdc: null,
    limitUsdc: 100,
  },
  successRate: 0.9996,
  assessedOutcomes: 40,
  confirmedOutcomes: 40,
  confirmedClients: 48,
  lastActive: "2026-11-21T12:00:00.000Z",
  days: [94, null, 72.13],
};

const render = (change: Partial<LeaderboardRow> = {}, job = {}) =>
  renderToStaticMarkup(
    createElement(LeaderboardTable, { agents: [{ ...agent, ...change }], now: NOW, job }),
  );

/** Returns the texts of a row's cells after its header. */
const readCells = (html: string) =>
  [...html.matchAll(/<td[^>]*>(.*?)<\/td>/g)]
    .map(([, cell = ""]) => cell.replace(/<[^>]+>/g, ""))
    .slice(1);

test("a large fall is emphasized, and a rate is not rounded up to 100%", () => {
  const html = render();
  expect(html).toMatch(/class="text-bad">.*−21\.87/);
  expect(html).toContain("99.9%");
});

test("a risk has a shape with a name and says what it is; an agent not to hire has no rank", () => {
  const flag = {
    risk: "recent-collapse",
    severity: "danger",
    title: "Lost 21.9 points in 26 days",
    detail: "The score fell.",
  } as const;
  const html = render({
    risk: {
      level: "danger",
      flags: [{ ...flag, outcomeIds: [], wallets: [] }],
    },
  });
  expect(html).toContain('aria-label="Danger:"');
  expect(html).toContain(flag.title);
  expect(html).not.toContain(">4</td>");
  expect(render()).toContain(">4</td>");
});

test("in a ranking, agents not to hire come last", () => {
  const risky: LeaderboardRow = { ...agent, name: "Risky", risk: { level: "danger", flags: [] } };
  const agents = [risky, { ...agent, name: "Careful", rank: { place: 5, tied: false } }];
  const html = renderToStaticMarkup(createElement(LeaderboardTable, { agents, now: NOW }));
  expect(html.indexOf("Careful")).toBeLessThan(html.indexOf("Risky"));
});

test("a dormant agent says so beside a more serious warning", () => {
  const build = (risk: RiskFlag["risk"], title: string): RiskFlag => ({
    risk,
    severity: "notice",
    title,
    detail: "",
    outcomeIds: [],
    wallets: [],
  });
  const flags = [
    build("unverified-wallet", "Unverified wallet"),
    build("dormant", "No job for 90 days"),
  ];
  expect(render({ risk: { level: "caution", flags } })).toContain(
    "Unverified wallet · No job for 90 days",
  );
});

test("in a category its figures replace the overall ones, and the overall score is a column", () => {
  const figures = {
    outcomes: 12,
    successRate: 0.75,
    assessedOutcomes: 4,
    confirmedOutcomes: 5,
    confirmedClients: 3,
    lastDay: "2026-11-12",
  };
  const html = render(
    { categoryScore: 68.5, categoryFigures: figures },
    { category: "code-review" },
  );
  expect(readCells(html)).toEqual([
    "Hire up to 100 USDC",
    "68.50",
    "72.13",
    "75.0%of 4 assessed",
    "12",
    "3",
    "10 days ago",
  ]);
  expect(html).toContain(">Overall</th>");
  expect(render()).not.toContain("Overall");
});

test("an agent without outcomes has empty cells in place of figures", () => {
  const html = render({ tier: "UNRANKED", totalOutcomes: 0, lastActive: null, days: [] });
  expect(readCells(html).slice(-4)).toEqual(["", "", "", ""]);
});

test("the titles of columns explain the words of the glossary", () => {
  const html = render();
  for (const word of ["recommendation", "score", "tier", "success rate", "paying clients"]) {
    expect(html).toContain(GLOSSARY[word]);
  }
});

test.each(TIERS)("the tier %s has its name", (tier) => {
  const cell = `<span class="tier-${TIERS.indexOf(tier)}">${tier}<`;
  expect(render({ tier }).toLowerCase()).toContain(cell.toLowerCase());
});

test("an agent that is new within the 30 days has no change", () => {
  const html = render({ days: [null, 20, 12] });
  expect(readCells(html)).toContain("new");
  expect(html).not.toMatch(/text-(good|bad)/);
});

test("agents of one name show their addresses, also on the leaderboard and on phones", () => {
  const other = { ...agent, walletAddress: "0x8617E340B3D01FA5F11F306F4090FD50E238070D" };
  const sorting = { sort: "score", urls: {} } as const;
  const list = (agents: LeaderboardRow[]) =>
    renderToStaticMarkup(createElement(LeaderboardTable, { agents, now: NOW, sorting }));
  const html = list([agent, other, { ...agent, name: "Alone" }]);
  expect(html.match(/0x5290…9EE7/g)).toHaveLength(2);
  expect(html.match(/0x8617…070D/g)).toHaveLength(2);
});

test.each([
  [{}, "text-accent"],
  [{ score: 12, tier: "NEWCOMER" }, "text-muted"],
  [{ risk: { level: "caution", flags: [] } }, "text-muted"],
] as const)(
  "the mark of a proven wallet has a color only if the agent is trusted: %j",
  (change, color) => {
    const html = render(change as Partial<LeaderboardRow>);
    expect(html).toMatch(new RegExp(`${color}" title="Proven by signature"`));
  },
);

test("a limit below the value at stake is named", () => {
  const recommendation = { ...agent.recommendation, action: "use-escrow", limitUsdc: 60 } as const;
  expect(render({ recommendation })).toContain("Its record covers 60 USDC");
});
