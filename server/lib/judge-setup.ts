import { type Env, hasModel } from "./env";
import type { JudgeSetup } from "./schema";

export const JUDGE_NOTES: Record<JudgeSetup, string> = {
  "built-in":
    "No language model is configured. Code checks what it can; what it cannot check is not assessed.",
  "single-model":
    "One language model answers one criterion at a time; code computes the verdict. Confidence is at most 0.75, because no second model (JUDGE_ESCALATION_MODEL) notices text that deceives the first.",
  "two-models":
    "Two language models answer one criterion at a time; code computes the verdict. A success counts only if neither model refutes it.",
};

export function getJudgeSetup(
  env: Pick<Env, "OPENAI_API_KEY" | "OPENAI_BASE_URL" | "JUDGE_MODEL" | "JUDGE_ESCALATION_MODEL">,
): JudgeSetup {
  if (!hasModel(env)) return "built-in";
  const { JUDGE_MODEL: first, JUDGE_ESCALATION_MODEL: second = first } = env;
  return first === second ? "single-model" : "two-models";
}
