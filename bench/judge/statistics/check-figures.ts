import { type CheckConfidence, checkConfidenceSchema } from "@/server/judging/checks/confidence";
import type { CheckedFact } from "@/server/judging/checks/run-checks";
import type { Judgement } from "@/server/judging/judge";
import type { Verdict } from "@/server/lib/schema";
import type { BuiltinRun } from "@/server/pages/bench-result";

/** A labelled case with what code checked in it. */
export interface CheckedCase {
  label: Verdict;
  facts: readonly Pick<CheckedFact, "check" | "result">[];
}

/** Results by name of the check. */
type CheckFigures = BuiltinRun["checks"];

export const toCheckedCase = (one: {
  label: Verdict;
  judgement: Judgement | null;
}): CheckedCase => ({ label: one.label, facts: one.judgement?.detail.checks ?? [] });

/** Counts the results of each check that decided anything, by label, sorted by name. */
export function computeCheckFigures(cases: readonly CheckedCase[]): CheckFigures {
  const counts: CheckFigures = {};
  for (const { label, facts } of cases) {
    const side = label === "SUCCESS" ? "good" : "bad";
    const decided = facts.filter(({ result }) => result.outcome !== "not-applicable");
    for (const [check, results] of Map.groupBy(decided, (fact) => fact.check)) {
      // A check may decide several requirements; it fails if any of them does.
      const hasFailed = results.some(({ result }) => result.outcome === "fail");
      counts[check] ??= { failed: { good: 0, bad: 0 }, passed: { good: 0, bad: 0 } };
      counts[check][hasFailed ? "failed" : "passed"][side] += 1;
    }
  }
  return Object.fromEntries(Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Counts how often the results of each check were right, for the table behind its confidence. */
export function fitCheckConfidence(
  cases: readonly CheckedCase[],
  version: string,
): CheckConfidence {
  const checks = Object.entries(computeCheckFigures(cases)).map(([check, { failed, passed }]) => [
    check,
    {
      ...count("fail", failed.bad, failed.bad + failed.good),
      ...count("pass", passed.good, passed.bad + passed.good),
    },
  ]);
  return checkConfidenceSchema.parse({ version, checks: Object.fromEntries(checks) });
}

const count = (result: "fail" | "pass", right: number, cases: number) =>
  cases === 0 ? {} : { [result]: { cases, right } };
