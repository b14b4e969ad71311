import type { Job } from "@/components/compare/job";
import type { Recommendation, RiskAssessment } from "@/server/explorer/risk/schema";
import { buildUrl } from "@/server/lib/build-url";
import { POLICY } from "@/server/reputation/policy";

/** Which score decides, also in a category. */
export const NO_ESCROW_RULE = `Hiring without escrow takes an overall score of ${POLICY.trustedFrom}.`;

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

/** A recommendation as lists show it, with the most serious warning, and whether it stopped working. */
export interface Advice {
  label: string;
  level: RiskAssessment["level"];
  warning?: string;
}

export function summarizeAdvice(
  { label }: Pick<Recommendation, "label">,
  { level, flags: [worst, ...others] }: RiskAssessment,
): Advice {
  const dormant = others.find(({ risk }) => risk === "dormant");
  const warning = [worst, dormant].flatMap((flag) => flag?.title ?? []).join(" · ");
  return { label, level, ...(warning ? { warning } : {}) };
}
