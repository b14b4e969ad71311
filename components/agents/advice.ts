import type { Recommendation, RiskAssessment } from "@/server/explorer/schema";

/** A recommendation as lists show it, with the most serious warning. */
export interface Advice {
  label: string;
  level: RiskAssessment["level"];
  warning?: string;
}

export function summarizeAdvice(
  { label }: Pick<Recommendation, "label">,
  { level, flags: [worst] }: RiskAssessment,
): Advice {
  return { label, level, ...(worst ? { warning: worst.title } : {}) };
}
