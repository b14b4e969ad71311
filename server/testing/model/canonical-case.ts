import { canonicaliseCase } from "@/server/judging/canonicalise-case";
import type { Canonical, JudgeInput } from "@/server/judging/judge";

/** Returns a case with a text in the form that judges receive, skipping the pre-check. */
export function toCanonical<Input extends JudgeInput>(submitted: Input): Canonical<Input> {
  return canonicaliseCase(submitted).input as Canonical<Input>;
}
