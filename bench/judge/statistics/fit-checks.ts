import { formatPercent } from "@/bench/measure";
import {
  type CheckConfidence,
  checkConfidenceSchema,
  deriveFromFacts,
} from "@/server/judging/checks/confidence";
import { type CheckedCase, computeCheckFigures } from "./check-figures";
import { type DecidedCase, expectedCalibrationError } from "./metrics";

/** A check that decided fewer cases of an outcome keeps the share of unfitted checks. */
const MIN_CASES = 5;

/** A labelled case with the name of its task, which both deliverables of a pair share. */
export interface FitCase extends CheckedCase, Pick<DecidedCase, "id" | "category"> {
  task: string;
}

/**
 * Fits the shares of good and bad deliverables per check to all cases. The calibration error comes
 * from two further tables, each fitted to every other task and tried on the rest.
 */
export function fitCheckConfidence(cases: readonly FitCase[], version: string) {
  const tasks = [...new Set(cases.map(({ task }) => task))];
  const parity = new Map(tasks.map((task, index) => [task, index % 2]));
  const half = (wanted: number) => cases.filter(({ task }) => parity.get(task) === wanted);
  const tried = [0, 1].flatMap((wanted) => {
    const table = countShares(half(1 - wanted), version);
    return half(wanted).map((one) => judgeBy(one, table));
  });
  const errorOf = (wanted: DecidedCase["verdict"]) =>
    expectedCalibrationError(tried.filter(({ verdict }) => verdict === wanted));
  return {
    table: countShares(cases, version),
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

function judgeBy({ facts, ...one }: FitCase, table: CheckConfidence): DecidedCase {
  const { verdict, confidencePpm } = deriveFromFacts(facts, table);
  return { ...one, verdict, confidence: confidencePpm / 1e6 };
}

/**
 * Returns shares with a uniform prior, (k + 1) / (n + 2), so that a few cases prove little. Leaves
 * out checks that were passed, but that filler passes too.
 */
function countShares(cases: readonly CheckedCase[], version: string): CheckConfidence {
  const telling = cases.map((one) => ({ ...one, facts: one.facts.filter((fact) => !fact.isEasy) }));
  const figures = Object.entries(computeCheckFigures(telling));
  const checks = figures.flatMap(([check, { failed, passed }]) => {
    const fail = estimateShare(failed.bad, failed.bad + failed.good);
    const pass = estimateShare(passed.good, passed.bad + passed.good);
    return fail === null && pass === null ? [] : [[check, dropNulls({ fail, pass })] as const];
  });
  return checkConfidenceSchema.parse({ version, checks: Object.fromEntries(checks) });
}

function estimateShare(part: number, whole: number): number | null {
  return whole < MIN_CASES ? null : Number(((part + 1) / (whole + 2)).toFixed(3));
}

const dropNulls = (shares: Record<string, number | null>) =>
  Object.fromEntries(Object.entries(shares).filter(([, share]) => share !== null));
