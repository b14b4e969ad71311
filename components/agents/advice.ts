import type { Recommendation, RiskAssessment } from "@/server/explorer/risk/schema";

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
