import type { Judgement, Review, ReviewInput } from "@/server/judging/judge";
import { isSameRequirement } from "./check";
import { isDecidingFailure, UNDECIDED_PPM } from "./confidence";
import { type CheckedFact, isUnfinished } from "./run-checks";

export const AUTOMATED_CHECKS = "Automated checks; no language model was used.";
const NOT_WEIGHED = "The parties' submissions were not weighed.";

/**
 * Reviews a dispute by the checks alone. A `SUCCESS` is overturned if a deciding check fails now, a
 * `FAILURE` if checks decided it and they no longer fail. A deliverable that the contractor supplied
 * is judged without regard to recorded results, which belong to another text. The parties'
 * submissions decide nothing, since code cannot weigh arguments. `judgement` is the new judgement of
 * the same texts. Pure.
 */
export function reviewByChecks(input: ReviewInput, judgement: Judgement): Review {
  const { verdict } = input.recorded;
  const failures = listFailures(judgement);
  const overturns =
    verdict === "SUCCESS" ? judgement.verdict === "FAILURE" : isFailureObsolete(input, judgement);
  const result = overturns
    ? `The recorded verdict, ${verdict}, is overturned, because ${describeCause(input, failures)}.`
    : `${describeSupport(verdict, failures)} The recorded verdict, ${verdict}, is upheld.`;
  const hasSubmissions = [input.contractor, input.requester].some(
    (brief) => brief?.statement ?? brief?.evidence,
  );
  return {
    judge: judgement.judge,
    version: judgement.detail.version,
    finalVerdict: overturns ? judgement.verdict : verdict,
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
