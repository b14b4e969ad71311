import { NON_ANSWER_CHECKS } from "@/server/judging/checks/check-list";
import type { CheckedFact } from "@/server/judging/checks/run-checks";
import type { Judgement } from "@/server/judging/judge";
import type { Verdict } from "@/server/lib/schema";
import type { BuiltinRun } from "@/server/pages/bench-result";

/** A labelled case with what code checked in it. */
export interface CheckedCase {
  label: Verdict;
  facts: readonly Pick<CheckedFact, "check" | "parameters" | "result" | "statement">[];
}

/** Results of one check. */
type CheckFigures = BuiltinRun["checks"][string];

export const toCheckedCase = (one: {
  label: Verdict;
  judgement: Judgement | null;
}): CheckedCase => ({ label: one.label, facts: one.judgement?.detail.checks ?? [] });

/** Every deliverable is held to these, so passing them says little. */
const GENERAL = new Set(NON_ANSWER_CHECKS.map(({ name }) => name));

/**
 * Returns the share of cases in which a check failed or a specific one passed. Passing only the
 * checks for refusals and other non-answers does not count. Null if there are no cases.
 */
export function computeCoverage(cases: readonly CheckedCase[]): number | null {
  const covered = cases.filter(({ facts }) =>
    facts.some(
      ({ check, result: { outcome } }) =>
        outcome === "fail" || (outcome === "pass" && !GENERAL.has(check)),
    ),
  );
  return cases.length === 0 ? null : covered.length / cases.length;
}

/** Counts the results of each check that decided anything, by label, sorted by name. */
export function computeCheckFigures(cases: readonly CheckedCase[]): Record<string, CheckFigures> {
  const counts = new Map<string, CheckFigures>();
  for (const { label, facts } of cases) {
    const side = label === "SUCCESS" ? "good" : "bad";
    for (const [check, hasFailed] of summariseFacts(facts)) {
      const own = counts.get(check) ?? { failed: { good: 0, bad: 0 }, passed: { good: 0, bad: 0 } };
      counts.set(check, own);
      own[hasFailed ? "failed" : "passed"][side] += 1;
    }
  }
  return Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Returns the checks that decided anything in a case, each with whether it failed. A check may
 * decide several requirements; it fails if any of them does.
 */
function summariseFacts(facts: CheckedCase["facts"]): Map<string, boolean> {
  const hasFailed = new Map<string, boolean>();
  for (const { check, result } of facts) {
    if (result.outcome === "not-applicable") continue;
    hasFailed.set(check, result.outcome === "fail" || hasFailed.get(check) === true);
  }
  return hasFailed;
}
