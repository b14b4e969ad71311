import type { Judgement, Review, ReviewInput } from "@/server/judging/judge";
import { isSameRequirement } from "./check";
import type { CheckedBrief } from "./claims/check-briefs";
import { describeBrief } from "./claims/describe-brief";
import { isDecidingFailure, UNDECIDED_PPM } from "./confidence";
import { type CheckedFact, isUnfinished } from "./run-checks";

export const AUTOMATED_CHECKS = "Automated checks; no language model was used.";

/**
 * Reviews a dispute by the checks alone. A `SUCCESS` is overturned if a deciding check fails now, a
 * `FAILURE` if checks decided it and they no longer fail. A deliverable that the contractor supplied
 * is judged without regard to recorded results, which belong to another text. The content of
 * `briefs` is reported but decides nothing, since code cannot weigh arguments. `judgement` is the new
 * judgement of the same texts. Pure.
 */
export function reviewByChecks(
  input: ReviewInput,
  judgement: Judgement,
  briefs: readonly CheckedBrief[],
): Review {
  const { verdict } = input.recorded;
  const failures = listFailures(judgement);
  const overturns =
    verdict === "SUCCESS" ? judgement.verdict === "FAILURE" : isFailureObsolete(input, judgement);
  const result = overturns
    ? `The recorded verdict, ${verdict}, is overturned, because ${describeCause(input, failures)}.`
    : `${describeSupport(verdict, failures)} The recorded verdict, ${verdict}, is upheld.`;
  const submitted = [input.contractor, input.requester].filter(
    (brief) => brief?.statement ?? brief?.evidence,
  );
  const weighed =
    submitted.length > 0 && briefs.length === 0
      ? ["The parties' submissions exceed the limits of time or memory and were not weighed."]
      : briefs
          .filter(({ party }) => input[party]?.statement ?? input[party]?.evidence)
          .map(describeBrief);
  return {
    judge: judgement.judge,
    version: judgement.detail.version,
    finalVerdict: overturns ? judgement.verdict : verdict,
    explanation: [`${AUTOMATED_CHECKS} ${result}`, ...weighed].join("\n"),
    detail: {
      method: judgement.detail.version,
      findings: judgement.detail.findings,
      checks: judgement.detail.checks ?? [],
      briefs,
    },
  };
}

/** Returns whether checks alone decided a recorded `FAILURE`, and would not decide it today. */
function isFailureObsolete(
  { recorded, isSupplied }: ReviewInput,
  { verdict, confidencePpm, detail: { checks = [] } }: Judgement,
): boolean {
  if (verdict === "FAILURE" || recorded.rubric !== null) return false;
  // A text made to stop a check must not win.
  if (isSupplied) return !checks.some(isUnfinished);
  const failures = recorded.checks?.filter(({ result }) => result.outcome === "fail") ?? [];
  const causes = failures.filter((fact) => isDecidingFailure(fact));
  if (failures.length === 0) return confidencePpm > UNDECIDED_PPM;
  return (causes.length > 0 ? causes : failures).every((failure) => {
    const now = checks.find((fact) => isSameRequirement(fact, failure));
    return now === undefined || now.result.outcome === "pass";
  });
}

const listFailures = ({ detail }: Judgement): CheckedFact[] =>
  (detail.checks ?? []).filter((fact) => isDecidingFailure(fact));

function describeCause(
  { recorded, isSupplied }: ReviewInput,
  failures: readonly CheckedFact[],
): string {
  if (recorded.verdict === "SUCCESS") return `a check fails: ${describeFacts(failures)}`;
  return isSupplied
    ? "no check fails for the deliverable supplied in the dispute"
    : "no check that decided it fails any more";
}

function describeSupport(verdict: ReviewInput["recorded"]["verdict"], failures: CheckedFact[]) {
  if (verdict === "SUCCESS") return "No check contradicts it.";
  return failures.length > 0
    ? `A check still fails: ${describeFacts(failures)}.`
    : "No check contradicts it.";
}

const describeFacts = (facts: readonly CheckedFact[]): string =>
  facts.map(({ text, result }) => `${text} (${result.observed})`).join("; ");
