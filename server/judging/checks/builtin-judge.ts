import { hashJson } from "@/server/judging/evidence";
import type { Canonical, Finding, Judge, Judgement } from "@/server/judging/judge";
import type { Met } from "@/server/judging/schema";
import { CHECK_CONFIDENCE, deriveFromFacts, isDecidingFailure, UNDECIDED_PPM } from "./confidence";
import { AUTOMATED_CHECKS, reviewByChecks } from "./review-by-checks";
import { type CheckedFact, type CheckRunner, isUnfinished } from "./run-checks";

export const BUILTIN_JUDGE_ID = "builtin-checks/v2";

/**
 * Creates the judge that is used if no model is configured. Checks in code decide alone, and its
 * reasoning says what they found. If they decide nothing, its verdict is a `SUCCESS` without weight.
 */
export function createBuiltinJudge(runChecks: CheckRunner): Judge {
  const judge: Judge["judge"] = async (input, options) =>
    deriveJudgement(input, await runChecks(toCheckInput(input), options));
  return {
    kind: "heuristic",
    version: BUILTIN_JUDGE_ID,
    id: BUILTIN_JUDGE_ID,
    calibration: CHECK_CONFIDENCE.version,
    judge,
    review: async (input, options) => reviewByChecks(input, await judge(input, options)),
  };
}

export const toCheckInput = ({ task, category, deliverable }: Canonical) => ({
  task,
  category,
  text: deliverable.text,
});

const MET: Record<CheckedFact["result"]["outcome"], Met> = {
  pass: "yes",
  fail: "no",
  "not-applicable": "cannot_verify",
};

/** Derives the judgement from the facts. Pure. */
export function deriveJudgement(
  { flags }: Pick<Canonical, "flags">,
  facts: readonly CheckedFact[],
): Judgement {
  const derived = deriveFromFacts(facts);
  const { verdict } = derived;
  // A text made to stop the check that it fails must not win by another.
  const isIncomplete = verdict === "SUCCESS" && facts.some(isUnfinished);
  const confidencePpm = isIncomplete ? UNDECIDED_PPM : derived.confidencePpm;
  const failed = facts.filter((fact) => isDecidingFailure(fact));
  const doubtful = facts.filter(
    (fact) => fact.result.outcome === "fail" && !isDecidingFailure(fact),
  );
  const passed = facts.filter(({ result }) => result.outcome === "pass");
  const hasPassedEasily = passed.some(({ isEasy }) => isEasy);
  const sentences = [
    AUTOMATED_CHECKS,
    failed.length > 0 ? `Failed: ${listFacts(failed)}.` : "",
    passed.length > 0 ? `Passed: ${listFacts(passed)}.` : "",
    doubtful.length > 0 ? `Doubtful: ${listFacts(doubtful)}.` : "",
    failed.length === 0 && passed.length > 0 ? "Nothing else was assessed." : "",
    isIncomplete ? "A check could not be completed, so the verdict has no weight in a score." : "",
    confidencePpm === UNDECIDED_PPM && !isIncomplete
      ? `${hasPassedEasily ? "Nearly any text passes these checks" : "No check could decide anything about this work"}, so its correctness was not assessed and the verdict has no weight in a score.`
      : "",
    flags.includes("not-normalised") ? "Unicode normalisation was not applied." : "",
  ];
  const findings = facts
    .filter(({ result }) => result.outcome !== "not-applicable")
    .map(
      ({ id, text, result }): Finding => ({
        id,
        text: `${text}: ${result.observed}`,
        met: MET[result.outcome],
      }),
    );
  return {
    judge: { kind: "heuristic", id: BUILTIN_JUDGE_ID },
    verdict,
    confidencePpm,
    reasoning: sentences.filter(Boolean).join(" "),
    detail: {
      version: BUILTIN_JUDGE_ID,
      findings,
      checks: [...facts],
      hashes: { checks: hashJson(facts) },
      calibration: CHECK_CONFIDENCE.version,
    },
  };
}

function listFacts(facts: readonly CheckedFact[]): string {
  return facts.map(({ text, result }) => `${text} (${result.observed})`).join("; ");
}
