import type { Job } from "@/components/compare/job";
import { formatValue } from "@/components/ui/format";
import type { LeaderboardRow } from "@/server/explorer/agent-list/schema";
import type { Recommendation, RiskAssessment } from "@/server/explorer/risk/schema";
import { buildUrl } from "@/server/lib/build-url";
import { EVIDENCE_FROM, POLICY } from "@/server/reputation/policy";

/** Returns the URL of a new agreement with the agent on the job, paid as the recommendation says. */
export const buildAgreementUrl = (
  contractor: string,
  { action }: Pick<Recommendation, "action">,
  job: Job = {},
): string =>
  buildUrl("/agreements/new", {
    contractor,
    ...job,
    payment: action === "hire" ? undefined : "escrow",
  });

/** Whether an agent's mark has the color of trust: it is Trusted at least, and nothing warns of it. */
export const isTrusted = (level: RiskAssessment["level"] | undefined, score: number): boolean =>
  level === "none" && score >= POLICY.trustedFrom;

/** A recommendation as lists show it, with the most serious warning or else the reason for escrow. */
export interface Advice {
  label: string;
  level: RiskAssessment["level"];
  warning?: string;
}

export function summarizeAdvice(
  { label, action, limitUsdc }: Pick<Recommendation, "label" | "action" | "limitUsdc">,
  { level, flags: [worst, ...others] }: RiskAssessment,
  score: number,
): Advice {
  const dormant = others.find(({ risk }) => risk === "dormant");
  const warning =
    [worst, dormant].flatMap((flag) => flag?.title ?? []).join(" · ") ||
    (action === "use-escrow" && explainEscrow(limitUsdc, score));
  return { label, level, ...(warning ? { warning } : {}) };
}

function explainEscrow(limitUsdc: number, score: number): string {
  if (limitUsdc > 0) return `Its record covers ${formatValue(limitUsdc)}`;
  return score < POLICY.trustedFrom ? `Overall score below ${POLICY.trustedFrom}` : "";
}

/** An agent as a possible answer to who is best for a job. */
export interface Choice extends Pick<LeaderboardRow, "recommendation" | "categoryScore"> {
  /** Undefined without a job of the category in question. */
  score: number | undefined;
}

/**
 * Whether an agent can be the answer: one to hire, or to pay with escrow if there is evidence. A score is at
 * most 100 × confidence, so a high one has at least moderate evidence.
 */
export const canAnswer = ({ recommendation, score = 0, categoryScore = score }: Choice): boolean =>
  recommendation.action === "use-escrow"
    ? categoryScore >= 100 * EVIDENCE_FROM.moderate
    : recommendation.action === "hire" && categoryScore > 0;
