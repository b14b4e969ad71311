import fc from "fast-check";
import { expect, test } from "vitest";
import { createWallet } from "@/server/testing/fixtures/sample-ledger";
import { type CheckedAgent, recommend } from "./recommend";
import { ACTIONS, type AgentLimit, type Recommendation, type RiskAssessment } from "./schema";

const LEVELS = ["none", "caution", "danger"] as const;

function createRisk(level: RiskAssessment["level"]): RiskAssessment {
  const flag = {
    risk: "recent-collapse" as const,
    title: "Lost 20.0 points in 3 days",
    detail: "",
    outcomeIds: [],
    wallets: [],
  };
  return {
    level,
    flags: level === "none" ? [] : [{ ...flag, severity: level }],
  };
}

const client = (n: number, paidUsdc: number) => ({
  walletAddress: createWallet(n),
  name: null,
  paidUsdc,
});

const createLimit = (limitUsdc: number, change: Partial<AgentLimit> = {}): AgentLimit => ({
  limitUsdc,
  category: null,
  earnedUsdc: limitUsdc,
  failedUsdc: 0,
  reservedUsdc: 0,
  clients: [client(1, 900), client(2, limitUsdc)],
  ...change,
});

/** Returns an agent with this score and limit. */
function createAgent(
  score: number,
  level: RiskAssessment["level"] = "none",
  limit = createLimit(125),
  tier: CheckedAgent["reputation"]["tier"] = score >= 70 ? "TRUSTED" : "NEWCOMER",
): CheckedAgent {
  return { reputation: { score, tier, confirmedOutcomes: 12 }, risk: createRisk(level), limit };
}

const getRank = ({ action }: Recommendation) => ACTIONS.indexOf(action);

const anyScore = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100);
const anyLevel = fc.constantFrom(...LEVELS);
const anyValue = fc.oneof(
  fc.integer({ min: 0, max: 2_000_000_000 }).map((micro) => micro / 1_000_000),
  fc.constantFrom(0, 1, 100, 125, 1_000_000_000),
);
const anyAgent = fc
  .tuple(anyScore, anyLevel, anyValue, fc.boolean())
  .map(([score, level, limit, isNew]) =>
    createAgent(score, level, createLimit(limit), isNew ? "UNRANKED" : undefined),
  );

test("a higher value never leads to a kinder recommendation", () => {
  fc.assert(
    fc.property(anyAgent, anyValue, anyValue, (agent, a, b) => {
      const [less, more] = a < b ? [a, b] : [b, a];
      expect(getRank(recommend(agent, more))).toBeGreaterThanOrEqual(
        getRank(recommend(agent, less)),
      );
    }),
  );
});

test("a more serious risk never leads to a kinder recommendation", () => {
  fc.assert(
    fc.property(anyAgent, fc.option(anyValue), (agent, value) => {
      const ranks = LEVELS.map((level) =>
        getRank(recommend({ ...agent, risk: createRisk(level) }, value)),
      );
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    }),
  );
});

test("a higher score or limit never leads to a harsher recommendation", () => {
  fc.assert(
    fc.property(anyScore, anyScore, anyValue, anyValue, anyLevel, anyValue, (...facts) => {
      const [a, b, limitA, limitB, level, value] = facts;
      const rank = (pick: typeof Math.min) =>
        getRank(
          recommend(createAgent(pick(a, b), level, createLimit(pick(limitA, limitB))), value),
        );
      expect(rank(Math.max)).toBeLessThanOrEqual(rank(Math.min));
    }),
  );
});

test("it recommends to hire from TRUSTED on, without a caution and within the limit only", () => {
  fc.assert(
    fc.property(anyAgent, fc.option(anyValue), (agent, value) => {
      const { action, limitUsdc } = recommend(agent, value);
      expect(limitUsdc).toBeLessThanOrEqual(agent.limit.limitUsdc);
      if (action !== "hire") return;
      expect(agent).toMatchObject({ risk: { level: "none" }, reputation: { tier: "TRUSTED" } });
      expect(value ?? 1).toBeLessThanOrEqual(limitUsdc);
    }),
  );
});

test.each([
  [createAgent(80), 125, "hire"],
  [createAgent(80), 125.000001, "use-escrow"],
  [createAgent(69.99), 1, "use-escrow"],
  [createAgent(80, "caution"), 1, "use-escrow"],
  [createAgent(80, "danger"), 0, "do-not-hire"],
  [createAgent(80, "none", createLimit(0)), 0, "use-escrow"],
  [createAgent(0, "caution", createLimit(0), "UNRANKED"), 5, "unknown"],
  // Without a value, the answer is that for 1 USDC.
  [createAgent(80), null, "hire"],
  [createAgent(80, "none", createLimit(1)), null, "hire"],
  [createAgent(80, "none", createLimit(0.999999)), null, "use-escrow"],
] as const)("recommends by tier, risk, limit and value, case %#", (agent, value, action) => {
  expect(recommend(agent, value).action).toBe(action);
});

test("says what the limit means and what it is made of", () => {
  const limit = createLimit(1_109.509, {
    earnedUsdc: 1_172.509,
    failedUsdc: 12.5,
    reservedUsdc: 50.5,
    clients: [client(1, 1_000), client(2, 1_000), client(3, 172.509)],
  });
  expect(recommend(createAgent(80, "none", limit), 200)).toEqual({
    action: "hire",
    label: "Hire up to 1,109.50 USDC",
    summary:
      "Hire up to 1,109.50 USDC, paid under an agreement: clients that the operator knows paid it more than that for work that succeeded in the last 180 days.",
    reasons: [
      "No warning signs in 12 counted jobs",
      "2 known clients besides the largest paid it 1,172.50 USDC in 180 days for work that succeeded, less 12.50 paid for failed work, less 50.50 reserved by agreements that it signed",
      "Only payments under an agreement are covered",
    ],
    valueUsdc: 200,
    limitUsdc: 1_109.509,
  });
  const inCategory = createAgent(80, "none", createLimit(125, { category: "research" }));
  expect(recommend(inCategory, null).summary).toMatch(/for research work that succeeded/);
});

test("says why not to hire in a sentence that begins with the label", () => {
  const summaries = [
    recommend(createAgent(80), 400),
    recommend(createAgent(80, "danger"), 400),
    recommend(createAgent(60), 100),
    recommend(createAgent(80, "caution"), 100),
    recommend(createAgent(80, "none", createLimit(0, { clients: [] })), null),
  ];
  expect(summaries.map(({ summary }) => summary)).toEqual([
    "Use escrow: its record covers 125 of the 400 USDC.",
    "Do not hire: lost 20.0 points in 3 days.",
    "Use escrow: its score is below 70, where Trusted begins.",
    "Use escrow: lost 20.0 points in 3 days.",
    "Use escrow: its record covers no payment.",
  ]);
  for (const { label, summary } of summaries) expect(summary.startsWith(label)).toBe(true);
  expect(summaries[4]?.reasons).toContain("No known client paid it for work that succeeded");
});
