import { describeLimit } from "@/server/lib/describe-limit";
import { POLICY, TIER_LABELS } from "@/server/reputation/policy";
import type { Reputation } from "@/server/reputation/schema";
import type { Action, AgentLimit, Recommendation, RiskAssessment } from "./schema";

/** What a recommendation is based on. */
export interface CheckedAgent {
  reputation: Pick<Reputation, "score" | "tier" | "confirmedOutcomes">;
  risk: RiskAssessment;
  limit: AgentLimit;
}

/** Value at stake, in USDC, if none is given. */
const DEFAULT_VALUE_USDC = 1;

/**
 * Recommends what to do with `valueUsdc` at stake. A score says nothing about money that its owner sent
 * round: only what anchored clients paid for good work covers a payment in advance. A higher value or a
 * more serious risk never leads to a kinder action.
 */
export function recommend(agent: CheckedAgent, valueUsdc: number | null): Recommendation {
  const { reputation, risk, limit } = agent;
  const isTrusted = reputation.score >= POLICY.trustedFrom;
  const limitUsdc = isTrusted && risk.level === "none" ? limit.limitUsdc : 0;
  const action = decide(agent, limitUsdc, valueUsdc ?? DEFAULT_VALUE_USDC);
  return {
    action,
    label: action === "hire" ? `Hire up to ${formatLimit(limitUsdc)} USDC` : LABELS[action],
    summary: summarize(action, agent, limitUsdc, valueUsdc),
    reasons: listReasons(action, agent, isTrusted),
    valueUsdc,
    limitUsdc,
  };
}

function decide({ reputation, risk }: CheckedAgent, limitUsdc: number, valueUsdc: number): Action {
  if (risk.level === "danger") return "do-not-hire";
  if (reputation.tier === "UNRANKED") return "unknown";
  return limitUsdc > 0 && valueUsdc <= limitUsdc ? "hire" : "use-escrow";
}

const LABELS = {
  "use-escrow": "Use escrow",
  unknown: "No record",
  "do-not-hire": "Do not hire",
} as const;

const LOW_SCORE = `Its score is below ${POLICY.trustedFrom}, where ${TIER_LABELS.TRUSTED} begins`;

/** Formats an amount in USDC, rounded down to cents, without cents if they are zero: `1,250`, `12.50`. */
const formatLimit = (usdc: number) =>
  (Math.floor(usdc * 100 + 1e-6) / 100).toLocaleString("en", {
    minimumFractionDigits: 2,
    trailingZeroDisplay: "stripIfInteger",
  });

function summarize(
  action: Action,
  { reputation, risk, limit }: CheckedAgent,
  limitUsdc: number,
  valueUsdc: number | null,
): string {
  const [flag] = risk.flags;
  switch (action) {
    case "hire":
      return describeLimit(formatLimit(limitUsdc), limit.category);
    case "use-escrow": {
      if (reputation.score < POLICY.trustedFrom) return `Use escrow: ${lowerFirst(LOW_SCORE)}.`;
      if (risk.level === "caution" && flag) return `Use escrow: ${lowerFirst(flag.title)}.`;
      const covered =
        limitUsdc > 0 && valueUsdc !== null
          ? `its record covers ${formatLimit(limitUsdc)} of the ${formatLimit(valueUsdc)} USDC`
          : "its record covers no payment";
      return `Use escrow: ${covered}${describeReserved(limit)}.`;
    }
    case "unknown":
      return "No record: use escrow, or start with a job you can afford to lose.";
    case "do-not-hire":
      return `Do not hire: ${lowerFirst(flag?.title ?? "the record shows bad or faked work")}.`;
  }
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

function listReasons(
  action: Action,
  { reputation, risk, limit }: CheckedAgent,
  isTrusted: boolean,
): string[] {
  const { confirmedOutcomes: jobs, tier } = reputation;
  if (tier === "UNRANKED") return risk.flags.map(({ title }) => title);
  return [
    ...(risk.level === "none"
      ? [`No warning signs in ${jobs} counted ${jobs === 1 ? "job" : "jobs"}`]
      : []),
    ...risk.flags.map(({ title }) => title),
    ...(isTrusted ? [] : [LOW_SCORE]),
    describeArithmetic(limit),
    ...(action === "hire" ? ["Only payments under an agreement are covered"] : []),
  ];
}

const describeReserved = ({ reservedUsdc }: AgentLimit) =>
  reservedUsdc > 0 ? `; agreements that it signed reserve ${formatLimit(reservedUsdc)}` : "";

/** Says how a limit comes about: `6 known clients besides the largest paid it 1,240 USDC …, less 20 …`. */
function describeArithmetic({ earnedUsdc, failedUsdc, reservedUsdc, clients }: AgentLimit): string {
  if (clients.length === 0) return "No known client paid it for work that succeeded";
  if (clients.length === 1)
    return "Only one known client paid it for work that succeeded in 180 days";
  const others = clients.length - 1;
  return [
    `${others} known ${others === 1 ? "client" : "clients"} besides the largest paid it ${formatLimit(earnedUsdc)} USDC in 180 days for work that succeeded`,
    ...(failedUsdc > 0 ? [`${formatLimit(failedUsdc)} paid for failed work`] : []),
    ...(reservedUsdc > 0
      ? [`${formatLimit(reservedUsdc)} reserved by agreements that it signed`]
      : []),
  ].join(", less ");
}
