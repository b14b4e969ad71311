import type { Action, Recommendation, RiskAssessment } from "@/server/explorer/schema";
import { formatUsdc } from "@/server/lib/usdc";
import type { PriceToFake, Reputation } from "@/server/reputation/schema";

export const RECOMMENDATION_RULES = {
  /** Most instalments that splitting a job into is practical. */
  instalments: 4,
  /** Good evidence from anchored clients, in units, below which the record could be a ring's. */
  anchoredUnits: 1,
} as const;

/** What a recommendation is based on. */
export interface CheckedAgent {
  reputation: Pick<Reputation, "score" | "tier" | "confirmedOutcomes">;
  risk: RiskAssessment;
  /** Good evidence from anchored clients, in units. */
  anchoredUnits: number;
  priceToFake: PriceToFake | null;
}

/**
 * Recommends what to do with `valueUsdc` at stake; null if the value is not known. A score protects
 * a client only up to what faking it takes: a swindler who needs less capital than the job is worth
 * gains from a single job. A record without anchored clients could be a ring's, which one coin makes,
 * so it calls for escrow. A higher value or a more serious risk never leads to a kinder action.
 */
export function recommend(agent: CheckedAgent, valueUsdc: number | null): Recommendation {
  const limitUsdc = computeLimit(agent);
  const action = decide(agent, limitUsdc, valueUsdc);
  const isLimitUseful = action !== "do-not-hire" && action !== "unknown";
  return {
    action,
    label: name(action, limitUsdc),
    summary: summarize(action, agent, limitUsdc, valueUsdc),
    reasons: listReasons(agent, limitUsdc, valueUsdc),
    valueUsdc,
    limitUsdc: isLimitUseful ? limitUsdc : 0,
  };
}

/**
 * Returns the USDC that faking the score takes at one moment; what anchors or time would cost is not
 * included. 0 without evidence from anchored clients.
 */
function computeLimit(agent: CheckedAgent): number {
  const { priceToFake } = agent;
  return priceToFake && isAnchored(agent) ? priceToFake.paid.usdc + priceToFake.anchored.usdc : 0;
}

function decide(agent: CheckedAgent, limitUsdc: number, valueUsdc: number | null): Action {
  const { reputation, risk } = agent;
  if (risk.level === "danger") return "do-not-hire";
  if (reputation.tier === "UNRANKED") return "unknown";
  if (limitUsdc === 0) return "use-escrow";
  if (valueUsdc === null) return "hire-with-limit";
  if (valueUsdc <= limitUsdc) return risk.level === "caution" ? "hire-with-limit" : "hire";
  const canSplit = valueUsdc <= limitUsdc * RECOMMENDATION_RULES.instalments;
  return canSplit && risk.level === "none" ? "hire-with-limit" : "use-escrow";
}

function isAnchored({ anchoredUnits }: CheckedAgent): boolean {
  return anchoredUnits >= RECOMMENDATION_RULES.anchoredUnits;
}

function name(action: Action, limitUsdc: number): string {
  switch (action) {
    case "hire":
      return "Hire";
    case "hire-with-limit":
      return `Hire up to ${Math.floor(limitUsdc).toLocaleString("en")} USDC`;
    case "use-escrow":
      return "Use escrow";
    case "unknown":
      return "No record";
    case "do-not-hire":
      return "Do not hire";
  }
}

function summarize(
  action: Action,
  agent: CheckedAgent,
  limitUsdc: number,
  valueUsdc: number | null,
): string {
  const limit = `${formatUsdc(limitUsdc)} USDC`;
  switch (action) {
    case "hire":
      return `Hire: faking this score takes at least ${limit}, and ${formatUsdc(valueUsdc ?? 0)} are at stake.`;
    case "hire-with-limit": {
      if (valueUsdc === null || valueUsdc <= limitUsdc) {
        return `Hire up to ${limit}: faking this score takes that much.`;
      }
      const instalments = Math.ceil(valueUsdc / limitUsdc);
      return `Hire, but pay in ${instalments} or more instalments of at most ${limit} each.`;
    }
    case "use-escrow":
      return limitUsdc > 0
        ? `Use escrow: the record covers at most ${limit} at stake.`
        : `Use escrow: ${isAnchored(agent) ? "faking this score takes no capital" : "hardly any evidence comes from anchored clients"}.`;
    case "unknown":
      return "Unknown: no recorded outcomes. Use escrow, or start with a job you can afford to lose.";
    case "do-not-hire": {
      const reason = agent.risk.flags[0]?.title ?? "the record shows bad or faked work";
      return `Do not hire: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}.`;
    }
  }
}

function listReasons(agent: CheckedAgent, limitUsdc: number, valueUsdc: number | null): string[] {
  const { reputation, risk, priceToFake: price } = agent;
  const { confirmedOutcomes } = reputation;
  const isCompared = valueUsdc !== null && reputation.tier !== "UNRANKED";
  return [
    ...(risk.level === "none" && reputation.tier !== "UNRANKED"
      ? [
          `No warning signs in ${confirmedOutcomes} counted ${confirmedOutcomes === 1 ? "job" : "jobs"}`,
        ]
      : []),
    ...risk.flags.map(({ title }) => title),
    ...(price ? [describePrice(reputation.score, price)] : []),
    ...(price && !isAnchored(agent) ? [UNANCHORED] : []),
    ...(isCompared && limitUsdc > 0 ? [compareWithLimit(valueUsdc, limitUsdc)] : []),
  ];
}

const UNANCHORED =
  "Hardly any evidence comes from anchored clients, and payments between wallets of one owner return to it";

function describePrice(score: number, price: PriceToFake): string {
  const { paid, anchored, days } = price;
  const subject = `Faking a score of ${score.toFixed(2)} takes`;
  if (paid.jobs + anchored.jobs === 0) return `${subject} only unconfirmed claims, which are free`;
  const needs = [
    ...(paid.jobs > 0
      ? [`${formatUsdc(paid.usdc)} USDC at one moment for ${paid.jobs} paid jobs`]
      : []),
    ...(anchored.jobs > 0
      ? [
          `${anchored.wallets} anchored clients that pay ${formatUsdc(anchored.usdc)} USDC for ${anchored.jobs} jobs`,
        ]
      : []),
    ...(days > 0 ? [`${days} days`] : []),
  ];
  return `${subject} at least ${needs.join(", ")}`;
}

function compareWithLimit(valueUsdc: number, limitUsdc: number): string {
  const relation = valueUsdc > limitUsdc ? "more" : "not more";
  return `The ${formatUsdc(valueUsdc)} USDC at stake are ${relation} than the ${formatUsdc(limitUsdc)} USDC that faking the score takes`;
}
