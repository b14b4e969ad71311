import type { Recommendation, RiskAssessment } from "@/server/explorer/risk/schema";
import { POLICY } from "@/server/reputation/policy";

/** Which score decides, also in a category. */
export const NO_ESCROW_RULE = `Hiring without escrow takes an overall score of ${POLICY.trustedFrom}.`;

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
