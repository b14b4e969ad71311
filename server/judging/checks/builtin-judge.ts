import { hashJson } from "@/server/judging/evidence";
import {
  type Canonical,
  type Finding,
  type Judge,
  type Judgement,
  JudgeUnavailable,
  type Review,
  type ReviewInput,
} from "@/server/judging/judge";
import type { Met } from "@/server/judging/schema";
import { isSameRequirement } from "./check";
import { NON_ANSWER_CHECKS } from "./check-list";
import {
  CHECK_CONFIDENCE,
  type CheckConfidence,
  deriveFromFacts,
  isDecidingFailure,
  UNDECIDED_PPM,
} from "./confidence";
import { type CheckedFact, type CheckRunner, isUnfinished } from "./run-checks";

export const BUILTIN_JUDGE_ID = "builtin-checks/v3";

/**
 * Creates the judge that is used if no model is configured. Checks in code decide alone, and its
 * reasoning says what they found. If they decide nothing, its verdict is a `SUCCESS` without weight.
 */
export function createBuiltinJudge(
  runChecks: CheckRunner,
  table: CheckConfidence = CHECK_CONFIDENCE,
): Judge {
  const judge: Judge["judge"] = async (input, options) => {
    // They were agreed while a model was configured.
    if (input.agreed) throw new JudgeUnavailable("Agreed criteria need a language model.");
    return deriveJudgement(input, await runChecks(toCheckInput(input), options), table);
  };
  return {
    kind: "heuristic",
    setup: "built-in",
    version: BUILTIN_JUDGE_ID,
    id: BUILTIN_JUDGE_ID,
    models: [],
    endpoint: "",
    probe: async () => {},
    calibration: table.version,
    judge,
    review: async (input, options) => reviewByChecks(input, await judge(input, options), table),
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
  "not-applicable": "unclear",
};

/** Derives the judgement from the facts. Pure. */
export function deriveJudgement(
  { flags }: Pick<Canonical, "flags">,
  facts: readonly CheckedFact[],
  table: CheckConfidence = CHECK_CONFIDENCE,
): Judgement {
  const derived = deriveFromFacts(facts, table);
  const isDeciding = (fact: CheckedFact) => isDecidingFailure(fact, table);
  const { verdict } = derived;
  // A text made to stop the check that it fails must not win by another.
  const isIncomplete = verdict === "SUCCESS" && facts.some(isUnfinished);
  const confidencePpm = isIncomplete ? UNDECIDED_PPM : derived.confidencePpm;
  const findings = facts.filter(isTelling).map(({ id, text: demand, result }): Finding => {
    const text = `${demand}: ${result.observed}`;
    return { id, text, met: MET[result.outcome], shown: { text, note: null } };
  });
  return {
    judge: { kind: "heuristic", id: BUILTIN_JUDGE_ID },
    verdict,
    confidencePpm,
    reasoning: [
      verdict === "FAILURE"
        ? summarizeFailures(facts.filter(isDeciding).length)
        : summarizeSuccess(confidencePpm, isIncomplete),
      ...facts
        .filter(isTelling)
        .toSorted((one, other) => Number(isDeciding(other)) - Number(isDeciding(one)))
        .map((fact) => describeFact(fact, isDeciding(fact))),
      ...(flags.includes("not-normalised") ? ["Unicode normalisation was not applied."] : []),
    ].join("\n"),
    detail: {
      version: BUILTIN_JUDGE_ID,
      findings,
      checks: [...facts],
      hashes: { checks: hashJson(facts) },
      calibration: table.version,
    },
  };
}

const NON_ANSWERS = new Set(NON_ANSWER_CHECKS.map(({ name }) => name));

/** Returns whether a fact says something: nearly every text passes the checks for non-answers. */
const isTelling = ({ check, result }: CheckedFact): boolean =>
  result.outcome === "fail" || (result.outcome === "pass" && !NON_ANSWERS.has(check));

function summarizeFailures(count: number): string {
  const checks = count === 1 ? "a check" : `${count} checks`;
  return `${AUTOMATED_CHECKS} The work fails ${checks}, which decides the verdict. How good the rest is was not assessed.`;
}

function summarizeSuccess(confidencePpm: number, isIncomplete: boolean): string {
  if (confidencePpm > UNDECIDED_PPM) {
    return `${AUTOMATED_CHECKS} The code was run on examples of the task and does what they say. How good it is otherwise was not assessed.`;
  }
  const why = isIncomplete
    ? "a check could not be completed"
    : "automatic checks can't tell whether this work is good";
  return `Not assessed: ${why}. Success is only the default then, without weight. No language model was used.`;
}

function describeFact({ text, result }: CheckedFact, isDeciding: boolean): string {
  if (result.outcome === "pass") return `Passed: ${text} (${result.observed}).`;
  return isDeciding
    ? `Failed: ${text} (${result.observed}).`
    : `Seems not met, without effect on the verdict: ${text} (${result.observed}).`;
}

export const AUTOMATED_CHECKS = "Automated checks; no language model was used.";
const NOT_WEIGHED = "Code cannot weigh the parties' statements.";

/**
 * Reviews a dispute by the checks alone. A `SUCCESS` is overturned if a deciding check fails now, a
 * `FAILURE` if checks decided it and they no longer fail. A deliverable that the contractor supplied
 * is judged without regard to recorded results, which belong to another text. The parties'
 * submissions decide nothing, since code cannot weigh arguments. `judgement` is the new judgement of
 * the same texts. Pure.
 */
export function reviewByChecks(
  input: ReviewInput,
  judgement: Judgement,
  table: CheckConfidence = CHECK_CONFIDENCE,
): Review {
  const { verdict } = input.recorded;
  const isDeciding = (fact: CheckedFact) => isDecidingFailure(fact, table);
  const failures = (judgement.detail.checks ?? []).filter(isDeciding);
  const overturns =
    verdict === "SUCCESS"
      ? judgement.verdict === "FAILURE"
      : isFailureObsolete(input, judgement, isDeciding);
  const result = overturns
    ? `The recorded verdict, ${verdict.toLowerCase()}, is overturned, because ${describeCause(input, judgement, failures)}.`
    : `${describeSupport(verdict, failures)} The recorded verdict, ${verdict.toLowerCase()}, is upheld.`;
  const hasSubmissions = [input.contractor, input.requester].some(
    (brief) => brief?.statement ?? brief?.evidence,
  );
  const finalVerdict = overturns ? judgement.verdict : verdict;
  return {
    judge: judgement.judge,
    version: judgement.detail.version,
    finalVerdict,
    assessed: judgement.verdict === finalVerdict && judgement.confidencePpm > UNDECIDED_PPM,
    explanation: `${AUTOMATED_CHECKS} ${result}${hasSubmissions ? ` ${NOT_WEIGHED}` : ""}`,
    detail: {
      method: judgement.detail.version,
      findings: judgement.detail.findings,
      checks: judgement.detail.checks ?? [],
    },
  };
}

/** Returns whether checks alone decided a recorded `FAILURE`, and would not decide it today. */
function isFailureObsolete(
  { recorded, isSupplied }: ReviewInput,
  { verdict, confidencePpm, detail: { checks = [] } }: Judgement,
  isDeciding: (fact: CheckedFact) => boolean,
): boolean {
  if (verdict === "FAILURE" || recorded.isByModel) return false;
  // A text made to stop a check must not win.
  if (isSupplied) return !checks.some(isUnfinished);
  const failures = recorded.checks?.filter(({ result }) => result.outcome === "fail") ?? [];
  const causes = failures.filter(isDeciding);
  if (failures.length === 0) return confidencePpm > UNDECIDED_PPM;
  return (causes.length > 0 ? causes : failures).every((failure) => {
    const now = checks.find((fact) => isSameRequirement(fact, failure));
    return now === undefined || now.result.outcome === "pass";
  });
}

function describeCause(
  { recorded, isSupplied }: ReviewInput,
  { detail: { checks = [] }, confidencePpm }: Judgement,
  failures: readonly CheckedFact[],
): string {
  if (recorded.verdict === "SUCCESS") return `a check fails: ${describeFacts(failures)}`;
  if (!isSupplied) return "no check that decided it fails any more";
  const passed = checks.filter(({ result }) => result.outcome === "pass");
  return confidencePpm > UNDECIDED_PPM
    ? `the deliverable supplied in the dispute passes: ${describeFacts(passed)}`
    : "no check fails for the deliverable supplied in the dispute. How good it is was not assessed";
}

function describeSupport(verdict: ReviewInput["recorded"]["verdict"], failures: CheckedFact[]) {
  if (verdict === "SUCCESS") return "No check contradicts it.";
  return failures.length > 0
    ? `A check still fails: ${describeFacts(failures)}.`
    : "No check contradicts it.";
}

const describeFacts = (facts: readonly CheckedFact[]): string =>
  facts.map(({ text, result }) => `${text} (${result.observed})`).join("; ");
