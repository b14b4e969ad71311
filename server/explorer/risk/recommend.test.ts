import fc from "fast-check";
import { expect, test } from "vitest";
import { ACTIONS, type Recommendation, type RiskAssessment } from "@/server/explorer/schema";
import { computePriceToFake } from "@/server/reputation/score/price-to-fake";
import { type CheckedAgent, RECOMMENDATION_RULES, recommend } from "./recommend";

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

/** Largest payment of a client without an anchor, in USDC. */
const LARGEST_PAYMENT = 25;

/** Returns an agent with this score. */
function createAgent(
  score: number,
  level: RiskAssessment["level"] = "none",
  reputation: Partial<CheckedAgent["reputation"]> = {},
  anchoredUnits = 5,
): CheckedAgent {
  return {
    reputation: {
      score,
      tier: score >= 70 ? "TRUSTED" : "NEWCOMER",
      confirmedOutcomes: 12,
      ...reputation,
    },
    risk: createRisk(level),
    anchoredUnits,
    priceToFake: computePriceToFake(Math.min(score, 99.99), LARGEST_PAYMENT),
  };
}

const LIMIT_80 = 125;

const getRank = ({ action }: Recommendation) => ACTIONS.indexOf(action);

const anyScore = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100);
const anyLevel = fc.constantFrom(...LEVELS);
const anyValue = fc.oneof(
  fc.integer({ min: 0, max: 2_000_000_000 }).map((micro) => micro / 1_000_000),
  fc.constantFrom(0, 10, 100, 140, 560, 1_000_000_000),
);
const anyReputation = fc.record({
  tier: fc.constantFrom("UNRANKED" as const, "NEWCOMER" as const, "TRUSTED" as const),
});
const anyAgent = fc
  .tuple(anyScore, anyLevel, anyReputation, fc.constantFrom(0, 5))
  .map(([score, level, reputation, units]) => createAgent(score, level, reputation, units));

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

test("a higher score never leads to a harsher recommendation", () => {
  fc.assert(
    fc.property(anyScore, anyScore, anyLevel, anyValue, (a, b, level, value) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      expect(getRank(recommend(createAgent(high, level), value))).toBeLessThanOrEqual(
        getRank(recommend(createAgent(low, level), value)),
      );
    }),
  );
});

test("less evidence from anchored clients never leads to a kinder recommendation", () => {
  fc.assert(
    fc.property(anyScore, anyLevel, anyReputation, fc.option(anyValue), (...facts) => {
      const [score, level, reputation, value] = facts;
      const rank = (units: number) =>
        getRank(recommend(createAgent(score, level, reputation, units), value));
      expect(rank(0)).toBeGreaterThanOrEqual(rank(5));
    }),
  );
});

test("never recommends to put more at stake than faking the score takes at one moment", () => {
  fc.assert(
    fc.property(anyAgent, anyValue, (agent, value) => {
      const { priceToFake: price } = agent;
      const takes = price ? price.paid.usdc + price.anchored.usdc : 0;
      expect(price?.paid.usdc ?? 0).toBeLessThanOrEqual(LARGEST_PAYMENT);
      const { action, limitUsdc } = recommend(agent, value);
      if (action === "hire") expect(value).toBeLessThanOrEqual(takes);
      expect(limitUsdc).toBeLessThanOrEqual(takes);
    }),
  );
});

test("without evidence from anchored clients, it recommends escrow at any value", () => {
  fc.assert(
    fc.property(anyScore, fc.constantFrom("none", "caution"), fc.option(anyValue), (...facts) => {
      const [score, level, value] = facts;
      const agent = createAgent(score, level, {}, RECOMMENDATION_RULES.anchoredUnits - 0.01);
      expect(recommend(agent, value)).toMatchObject({ action: "use-escrow", limitUsdc: 0 });
    }),
  );
});

// Faking a score of 80 takes 25 USDC for the payments, and 100 for ten jobs with anchored clients.
test.each([
  [createAgent(80), LIMIT_80, "hire"],
  [createAgent(80), LIMIT_80 + 0.000001, "hire-with-limit"],
  [createAgent(80), LIMIT_80 * RECOMMENDATION_RULES.instalments, "hire-with-limit"],
  [createAgent(80), LIMIT_80 * RECOMMENDATION_RULES.instalments + 1, "use-escrow"],
  [createAgent(80), null, "hire-with-limit"],
  [createAgent(80, "caution"), 10, "hire-with-limit"],
  [createAgent(80, "caution"), LIMIT_80 + 1, "use-escrow"],
  [createAgent(80, "danger"), 0, "do-not-hire"],
  [createAgent(100), 500, "hire"],
  [createAgent(50), 1, "use-escrow"],
  [createAgent(60), 20, "hire"],
  [createAgent(0, "caution", { tier: "UNRANKED" }), 5, "unknown"],
] as const)("recommends by score, risk and value, case %#", (agent, value, action) => {
  expect(recommend(agent, value).action).toBe(action);
});

test("says where the limit comes from", () => {
  expect(recommend(createAgent(80), null).summary).toBe(
    "Hire up to 125.00 USDC: faking this score takes that much.",
  );
});

test("names the figures that decided", () => {
  expect(recommend(createAgent(80), 200)).toEqual({
    action: "hire-with-limit",
    label: "Hire up to 125 USDC",
    summary: "Hire, but pay in 2 or more instalments of at most 125.00 USDC each.",
    reasons: [
      "No warning signs in 12 counted jobs",
      "Faking a score of 80.00 takes at least 25.00 USDC at one moment for 4 paid jobs, 4 anchored clients that pay 100.00 USDC for 10 jobs, 4 days",
      "The 200.00 USDC at stake are more than the 125.00 USDC that faking the score takes",
    ],
    valueUsdc: 200,
    limitUsdc: 125,
  });
  expect(recommend(createAgent(80, "danger"), 400)).toMatchObject({
    summary: "Do not hire: lost 20.0 points in 3 days.",
    limitUsdc: 0,
  });
  expect(recommend(createAgent(60, "none", {}, 0), 100)).toMatchObject({
    summary: "Use escrow: hardly any evidence comes from anchored clients.",
    reasons: expect.arrayContaining([expect.stringContaining("anchored clients")]),
  });
});
