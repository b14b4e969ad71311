import { type ComponentType, createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { AnchorList } from "@/components/agents/anchor-list";
import { CounterpartyPanel } from "@/components/agents/counterparty-panel";
import { LeaderboardTable } from "@/components/agents/leaderboard-table";
import { ProfileHeader } from "@/components/agents/profile-header";
import { EmbeddedBadge } from "@/components/agents/verify-panels";
import { Claims } from "@/components/disputes/claims";
import { OutcomeTable } from "@/components/network/outcome-table";
import { OutcomeHeadline } from "@/components/outcomes/outcome-headline";
import { toOutcomeRow } from "@/components/outcomes/outcome-row";
import { UntrustedText } from "./untrusted-text";

const NAME = "\u2069\u202Egnp محلل";
const SHOWN = "gnp محلل";
const AT = "2026-11-20T12:00:00.000Z";
const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";

const agent = {
  agentId: "a",
  name: NAME,
  walletAddress: WALLET,
  walletVerified: true,
  score: 76.2,
  tier: "TRUSTED",
  totalOutcomes: 12,
  categories: ["ops"],
  rank: null,
  evidence: "moderate",
  risk: { level: "danger", flags: [] },
  recommendation: {
    action: "do-not-hire",
    label: "Do not hire",
    summary: "Do not hire: 3 failures in a row.",
    reasons: [],
    valueUsdc: null,
    limitUsdc: 0,
  },
  successRate: 0.9,
  confirmedClients: 4,
  lastActive: AT,
  days: [],
};
const outcome = {
  outcomeId: "o",
  contractorAgentAddress: WALLET,
  requesterAgentAddress: OTHER,
  taskCategory: "ops",
  valueUsdc: 1,
  paidUsdc: 0,
  submittedAt: AT,
  resolvedAt: AT,
  verdict: "SUCCESS",
  finalVerdict: "SUCCESS",
  backing: "paid",
  judge: null,
};
const names = { [WALLET]: NAME, [OTHER]: NAME };
const outcomes = [toOutcomeRow(outcome as never, names)];
const profile = {
  agent: { ...agent, description: "", links: {}, registeredAt: AT },
  walletAddress: WALLET,
  lastActive: AT,
};
const graph = {
  graph: {
    wallets: [{ walletAddress: WALLET, name: NAME, isAnchor: false }],
    total: 1,
    edges: [{ client: WALLET, contractor: OTHER, jobs: 1, paidUsdc: 1 }],
  },
  wallet: OTHER,
};

/** Every component that shows a name, its props, and how often the name appears. */
const COMPONENTS: [string, ComponentType<never>, object, number][] = [
  ["a heading", ProfileHeader, { profile, now: AT }, 1],
  ["a row of the leaderboard", LeaderboardTable, { agents: [agent], now: AT }, 1],
  ["a list of clients", CounterpartyPanel, { ...graph, clients: { top: [] } }, 1],
  [
    "the anchors",
    AnchorList,
    {
      anchors: [{ ...agent, seq: 1, from: AT, until: null, onChainTx: WALLET }],
      effects: [],
      revocations: [],
      now: AT,
    },
    1,
  ],
  [
    "the headline of an outcome",
    OutcomeHeadline,
    { outcome, names, effects: { backing: "paid" }, escrowJobs: [] },
    2,
  ],
  ["a list of outcomes", OutcomeTable, { outcomes }, 2],
  ["a narrow list of outcomes", OutcomeTable, { outcomes, isNarrow: true }, 2],
  ["an agent's outcomes", OutcomeTable, { outcomes, wallet: WALLET }, 1],
];

const render = (component: ComponentType<never>, props: object) =>
  renderToStaticMarkup(createElement(component as ComponentType<object>, props));
const isolated = `<bdi>${SHOWN}</bdi>`;

describe("a name that reorders text is isolated, without its controls, in", () => {
  test.each(COMPONENTS)("%s", (_, component, props, times) => {
    // Attributes are plain text.
    const html = render(component, props).replaceAll(/aria-label="[^"]*"/g, "");
    expect(html.split(isolated)).toHaveLength(times + 1);
    expect(html.replaceAll(isolated, "")).not.toContain(SHOWN);
    expect(html).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
  });

  test.each([
    ["the labels of outcomes", OutcomeTable, { outcomes }, 2],
    ["the description of a picture", EmbeddedBadge, { url: "", wallet: WALLET, name: NAME }, 1],
  ] as [string, ComponentType<never>, object, number][])("%s", (_, component, props, times) => {
    const html = render(component, props);
    expect(html.split(`\u2068${SHOWN}\u2069`)).toHaveLength(times + 1);
    expect(html).not.toMatch(/[\u202A-\u202E]/);
  });
});

test("statements keep their own direction per line and cannot leave their paragraph", () => {
  const statement = { party: "contractor", at: AT, text: `${NAME}\nsecond`, evidenceUrl: NAME };
  const stakes = [{ party: "contractor", walletAddress: WALLET, amountUsdc: null, state: "none" }];
  const html = render(Claims, { dispute: { statements: [statement], stakes }, names });
  expect(html).toMatch(new RegExp(`<blockquote dir="auto"[^>]*>${SHOWN}\nsecond</blockquote>`));
  expect(html).toContain(isolated);
  expect(html).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
});

test("UntrustedText escapes markup", () => {
  expect(render(UntrustedText as ComponentType<never>, { children: "<b>" })).toBe(
    "<bdi>&lt;b&gt;</bdi>",
  );
});
