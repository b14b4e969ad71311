import type { RiskAssessment } from "@/server/explorer/schema";
import { formatUsdc } from "@/server/lib/usdc";
import type { PriceToFake, Reputation, ScoreBreakdown } from "@/server/reputation/schema";
import { computePriceToFake } from "@/server/reputation/score/price-to-fake";
import type { Action, Recommendation } from "./schema";

export const RECOMMENDATION_RULES = {
  /** Most instalments that splitting a job into is practical. */
  instalments: 4,
  /** Success rate below which an agent fails too often, from `ratedOutcomes` confirmed ones on. */
  successRate: 0.5,
  ratedOutcomes: 4,
  /** Good evidence from anchored clients, in units, below which the record could be a ring's. */
  anchoredUnits: 1,
} as const;

/** What a recommendation is based on. */
export interface CheckedAgent {
  reputation: Pick<Reputation, "score" | "tier" | "successRate" | "confirmedOutcomes">;
  risk: RiskAssessment;
  breakdown: Pick<ScoreBreakdown, "anchored"> | null;
}

/** A score of 100 is a rounded one, and has no price of its own. */
const HIGHEST_PRICED_SCORE = 99.99;

/**
 * Recommends what to do with `valueUsdc` at stake; null if the value is not known. A score protects
 * a client only up to what faking it takes: a swindler who needs less capital than the job is worth
 * gains from a single job. Payments among a ring return to it, so without anchored clients the same
 * limit calls for more care. A higher value or a more serious risk never leads to a kinder action.
 */
export function recommend(agent: CheckedAgent, valueUsdc: number | null): Recommendation {
  const price = computePriceToFake(Math.min(agent.reputation.score, HIGHEST_PRICED_SCORE));
  const limitUsdc = computeLimit(price);
  const action = decide(agent, limitUsdc, valueUsdc);
  const isLimitUseful = action !== "do-not-hire" && action !== "unknown";
  return {
    action,
    summary: summarize(action, agent, limitUsdc, valueUsdc),
    reasons: listReasons(agent, price, valueUsdc),
    valueUsdc,
    limitUsdc: isLimitUseful ? limitUsdc : 0,
  };
}

/** Returns the USDC that faking a score takes; what anchors or time would cost is not included. */
function computeLimit(price: PriceToFake | null): number {
  return price ? price.paid.usdc + price.anchored.usdc : 0;
}

function decide(agent: CheckedAgent, limitUsdc: number, valueUsdc: number | null): Action {
  const { reputation, risk } = agent;
  if (risk.level === "danger" || failsOften(reputation)) return "do-not-hire";
  if (reputation.tier === "UNRANKED") return "unknown";
  const isCautious = risk.level === "caution" || !isAnchored(agent);
  if (valueUsdc === null) return limitUsdc > 0 ? "hire-with-limit" : "use-escrow";
  if (isCautious) return limitUsdc > 0 && valueUsdc <= limitUsdc ? "hire-with-limit" : "use-escrow";
  if (valueUsdc <= limitUsdc) return "hire";
  return valueUsdc <= limitUsdc * RECOMMENDATION_RULES.instalments
    ? "hire-with-limit"
    : "use-escrow";
}

function isAnchored({ breakdown }: CheckedAgent): boolean {
  return (breakdown?.anchored[0] ?? 0) >= RECOMMENDATION_RULES.anchoredUnits;
}

function failsOften({ successRate, confirmedOutcomes }: CheckedAgent["reputation"]): boolean {
  return (
    confirmedOutcomes >= RECOMMENDATION_RULES.ratedOutcomes &&
    successRate < RECOMMENDATION_RULES.successRate
  );
}

function summarize(
  action: Action,
  { reputation, risk }: CheckedAgent,
  limitUsdc: number,
  valueUsdc: number | null,
): string {
  const limit = `${formatUsdc(limitUsdc)} USDC`;
  switch (action) {
    case "hire":
      return `Hire: faking this score takes at least ${limit}, and ${formatUsdc(valueUsdc ?? 0)} are at stake.`;
    case "hire-with-limit": {
      if (valueUsdc === null || valueUsdc <= limitUsdc) {
        return `Hire with at most ${limit} at stake.`;
      }
      const instalments = Math.ceil(valueUsdc / limitUsdc);
      return `Hire, but pay in ${instalments} or more instalments of at most ${limit} each.`;
    }
    case "use-escrow":
      return limitUsdc > 0
        ? `Use escrow: the record covers at most ${limit} at stake.`
        : "Use escrow: unconfirmed claims, which are free, suffice to fake this score.";
    case "unknown":
      return "Unknown: no recorded outcomes. Use escrow, or start with a job you can afford to lose.";
    case "do-not-hire": {
      const [worst] = risk.flags;
      const reason =
        risk.level === "danger" && worst ? worst.title : describeSuccessRate(reputation);
      return `Do not hire: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}.`;
    }
  }
}

function listReasons(
  agent: CheckedAgent,
  price: PriceToFake | null,
  valueUsdc: number | null,
): string[] {
  const { reputation, risk } = agent;
  const dangers = risk.flags.filter(({ severity }) => severity === "danger");
  const isCompared = valueUsdc !== null && reputation.tier !== "UNRANKED";
  return [
    ...(dangers.length > 0 ? dangers.map(({ title }) => title) : [risk.advice]),
    ...(failsOften(reputation) ? [describeSuccessRate(reputation)] : []),
    ...(price ? [describePrice(reputation.score, price)] : []),
    ...(price && !isAnchored(agent) ? [UNANCHORED] : []),
    ...(isCompared ? [compareWithLimit(valueUsdc, computeLimit(price))] : []),
  ];
}

const UNANCHORED =
  "Hardly any evidence comes from anchored clients, and payments between wallets of one owner return to it";

function describeSuccessRate({ successRate, confirmedOutcomes }: CheckedAgent["reputation"]) {
  return `Only ${Math.round(successRate * 100)}% of ${confirmedOutcomes} confirmed jobs succeeded`;
}

function describePrice(score: number, price: PriceToFake): string {
  const { paid, anchored, days } = price;
  const limitUsdc = computeLimit(price);
  const subject = `Faking a score of ${score.toFixed(2)} takes`;
  if (limitUsdc === 0) return `${subject} only unconfirmed claims, which are free`;
  const needs = [
    `${formatUsdc(limitUsdc)} USDC in ${paid.jobs + anchored.jobs} paid jobs`,
    ...(anchored.wallets > 0 ? [`${anchored.wallets} anchored clients`] : []),
    ...(days > 0 ? [`${days} days`] : []),
  ];
  return `${subject} at least ${needs.join(", ")}`;
}

function compareWithLimit(valueUsdc: number, limitUsdc: number): string {
  const relation = valueUsdc > limitUsdc ? "more" : "not more";
  return `The ${formatUsdc(valueUsdc)} USDC at stake are ${relation} than the ${formatUsdc(limitUsdc)} USDC that faking the score takes`;
}
