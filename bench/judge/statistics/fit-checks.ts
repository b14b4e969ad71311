import { formatPercent } from "@/bench/measure";
import {
  type CheckConfidence,
  checkConfidenceSchema,
  deriveFromFacts,
} from "@/server/judging/checks/confidence";
import { type CheckedCase, computeCheckFigures } from "./check-figures";
import { type DecidedCase, expectedCalibrationError } from "./metrics";

/** A labelled case with its task, which both deliverables of a pair share. */
export interface FitCase extends CheckedCase {
  task: string;
}

/**
 * Counts the right results per check on all cases. The calibration error comes
 * from two further tables, each fitted to every other task and tried on the rest.
 */
export function fitCheckConfidence(cases: readonly FitCase[], version: string) {
  const tasks = [...new Set(cases.map(({ task }) => task))];
  const parity = new Map(tasks.map((task, index) => [task, index % 2]));
  const half = (wanted: number) => cases.filter(({ task }) => parity.get(task) === wanted);
  const tried = [0, 1].flatMap((wanted) => {
    const table = countResults(half(1 - wanted), version);
    return half(wanted).map((one) => judgeBy(one, table));
  });
  const errorOf = (wanted: DecidedCase["verdict"]) =>
    expectedCalibrationError(tried.filter(({ verdict }) => verdict === wanted));
  return {
    table: countResults(cases, version),
    fittedTo: cases.length,
    /** Expected calibration error on tasks that the table was not fitted to, per verdict. */
    heldOut: { SUCCESS: errorOf("SUCCESS"), FAILURE: errorOf("FAILURE") },
  };
}

/** Formats the result of a fit. */
export function formatCheckFit(fit: ReturnType<typeof fitCheckConfidence>): string {
  const { table, fittedTo, heldOut } = fit;
  const errors = Object.entries(heldOut).map(
    ([verdict, error]) => `${verdict} ${error === null ? "-" : formatPercent(error)}`,
  );
  return `Confidence of ${Object.keys(table.checks).length} checks, version ${table.version}, fitted to ${fittedTo} cases
Calibration error on tasks that a table was not fitted to: ${errors.join(", ")}`;
}

function judgeBy({ facts, label }: FitCase, table: CheckConfidence): DecidedCase {
  const { verdict, confidencePpm } = deriveFromFacts(facts, table);
  return { label, verdict, confidence: confidencePpm / 1e6 };
}

/** Counts how often the results of each check were right. */
function countResults(cases: readonly CheckedCase[], version: string): CheckConfidence {
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
