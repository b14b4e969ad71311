import { type Env, hasModel } from "./env";
import type { JudgeSetup } from "./schema";

export const JUDGE_NOTES: Record<JudgeSetup, string> = {
  "built-in":
    "No language model is configured. Code checks what it can; what it cannot check is not assessed.",
  "single-model":
    "One language model examines the work twice. Confidence is at most 0.75, because no second model (JUDGE_ESCALATION_MODEL) notices text that deceives the first.",
  "two-models":
    "Two language models examine the work at the same time, and a third examination decides if they differ. A success counts only if both models find it.",
};

export function getJudgeSetup(
  env: Pick<Env, "OPENAI_API_KEY" | "OPENAI_BASE_URL" | "JUDGE_MODEL" | "JUDGE_ESCALATION_MODEL">,
): JudgeSetup {
  if (!hasModel(env)) return "built-in";
  const { JUDGE_MODEL: first, JUDGE_ESCALATION_MODEL: second = first } = env;
  return first === second ? "single-model" : "two-models";
}
