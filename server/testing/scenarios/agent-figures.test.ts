import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, expect, test } from "vitest";
import { LeaderboardTable } from "@/components/agents/leaderboard-table";
import { ScoreSummary } from "@/components/agents/score-summary";
import { CompareTable } from "@/components/compare/compare-table";
import { agents } from "@/server/agents/tables";
import { renderBadge } from "@/server/explorer/badge";
import { formatCsv } from "@/server/explorer/csv";
import { explorerRouter } from "@/server/explorer/router";
import { DAY_MS } from "@/server/lib/time";
import { createCallerFactory } from "@/server/lib/trpc";
import { TOOLS } from "@/server/mcp/tools";
import { outcomes, refunds } from "@/server/outcomes/tables";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { buildRecordedRow } from "@/server/testing/fixtures/outcome";
import { createWallet } from "@/server/testing/fixtures/sample-ledger";
import { storeScore } from "@/server/testing/model/explorer-model";

const database = await createTestDatabase();
const { db } = database;
afterAll(database.close);

const api = createCallerFactory(explorerRouter)(
  createTestContext(createTestCore(database)).context,
);
const AGENT = createWallet(1);
const OTHER = createWallet(2);
const HASH = `0x${"ab".repeat(32)}`;
/** Newest jobs, all for one client: more than a profile reads to assess risks. */
const NEWEST = 205;
const JOBS = NEWEST + 5;

/** Stores an agent with four paying clients, one of them refunded, and two that nothing confirms. */
async function insertAgent() {
  for (const [wallet, name] of [
    [AGENT, "Ada"],
    [OTHER, "Bob"],
  ] as const) {
    await db.insert(agents).values({ wallet, name, walletVerifiedAt: new Date() });
  }
  const job = (client: number, daysAgo: number, paidMicro: bigint) => {
    const at = new Date(Date.now() - daysAgo * DAY_MS);
    return buildRecordedRow({
      contractor: AGENT,
      requester: createWallet(client),
      paidMicro,
      submittedAt: at,
      resolvedAt: at,
      confidencePpm: 900_000,
      onChainTx: HASH,
      recordIndex: 0,
    });
  };
  const paid = 5_000_000n;
  const stored = await db
    .insert(outcomes)
    .values([
      job(100, 30, paid),
      job(101, 30, paid),
      job(102, 30, paid),
      job(103, 30, 0n),
      job(104, 30, 0n),
      ...Array.from({ length: NEWEST }, () => job(105, 1, paid)),
    ])
    .returning({ id: outcomes.id });
  await db.insert(refunds).values({
    outcomeId: stored[0]?.id ?? "",
    txHash: HASH,
    amountMicro: paid,
    refundedAt: new Date(),
  });
  await storeScore(db, AGENT, { scoreE4: 543_200, totalOutcomes: JOBS, successRateE4: 8_765 });
}

test("every surface has the same figures of an agent", async () => {
  await insertAgent();
  const [row] = (await api.rankedAgents({})).content;
  const [found] = (await api.searchAll({ q: "Ada" })).agents.content;
  const [profile, wallet, check] = await Promise.all(
    [api.profile, api.wallet, api.check].map((read) => read({ walletAddress: AGENT })),
  );
  const compared = await api.compare({ walletAddresses: [AGENT, OTHER] });
  const [names = "", cells = ""] = formatCsv(row ? [row] : []).split("\r\n");
  const readCell = (name: string) =>
    Number(cells.split(",")[names.split(",").indexOf(`"${name}"`)]);

  const ofRow = (own: typeof row) => [own?.confirmedClients, own?.totalOutcomes, own?.successRate];
  const ofRecord = (own: typeof check) => [
    own?.confirmedClients,
    own?.reputation.totalOutcomes,
    own?.reputation.assessedSuccessRate,
  ];
  const figures = {
    leaderboard: ofRow(row),
    search: ofRow(found),
    profile: ofRecord(profile),
    page: ofRecord(wallet),
    check: ofRecord(check),
    compare: ofRecord(compared.agents.find(({ walletAddress }) => walletAddress === AGENT)),
    csv: ["confirmedClients", "totalOutcomes", "successRate"].map(readCell),
  };
  for (const [surface, own] of Object.entries(figures)) {
    expect([surface, ...own]).toEqual([surface, 4, JOBS, 0.8765]);
  }
  expect(TOOLS.find(({ name }) => name === "check_agent")?.procedure).toBe("explorer.check");

  // No risk counts the clients of the newest jobs alone.
  expect(JSON.stringify([profile, check])).not.toMatch(/\d+ paying clients?"/);
});

test("every page prints them", async () => {
  const now = new Date().toISOString();
  const { content } = await api.rankedAgents({});
  const profile = await api.wallet({ walletAddress: AGENT });
  const other = await api.wallet({ walletAddress: OTHER });
  const pages = {
    leaderboard: createElement(LeaderboardTable, { agents: content, now }),
    profile: createElement(ScoreSummary, {
      profile,
      past: { prices: null, delivery: null },
      monthChange: null,
    }),
    compare: createElement(CompareTable, {
      job: {},
      agents: [profile, other].map((agent) => ({ ...agent, prices: null })),
      now,
    }),
  };
  for (const [page, element] of Object.entries(pages)) {
    const html = renderToStaticMarkup(element);
    expect([page, /<(td|dd)( class="[^"]*")?>4</.test(html)]).toEqual([page, true]);
    expect([page, html.includes("87.6%"), html.includes(`${JOBS}`)]).toEqual([page, true, true]);
    expect([page, html.includes("54.32")]).toEqual([page, true]);
  }
  const { name = "" } = profile.agent ?? {};
  expect(renderBadge({ ...profile, name })).toContain("54.32");
});
