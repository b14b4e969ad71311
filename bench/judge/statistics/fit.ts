import type { MeasuredCase } from "@/bench/judge/measure-judge";
import { formatPercent } from "@/bench/measure";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import {
  type Calibration,
  type CalibrationTable,
  findBin,
  getConfidencePpm,
} from "@/server/judging/examination/calibration";
import type { Verdict } from "@/server/lib/schema";
import { type DecidedCase, expectedCalibrationError, isCorrect } from "./metrics";

/** Minimum number of cases in each half. */
const MIN_CASES = 10;

/** Prior of both tables in every fit, independent of earlier fits: otherwise the same cases would count twice. */
const PRIOR: CalibrationTable = {
  least: 500_000,
  most: 900_000,
  bins: [
    { from: 0.5, ppm: 550_000 },
    { from: 0.6, ppm: 600_000 },
    { from: 0.7, ppm: 700_000 },
    { from: 0.8, ppm: 800_000 },
    { from: 0.9, ppm: 900_000 },
  ],
};

/**
 * Fits the calibration tables to the cases at even positions in the set and evaluates it on those at
 * odd positions. Only cases decided by examinations count. Throws a `CommandError` if there are too few.
 */
export function fitTable(measured: readonly MeasuredCase[], version: string) {
  const samples = measured.map(toSample);
  const half = (parity: 0 | 1) =>
    samples.filter((one, index) => index % 2 === parity && one) as Sample[];
  // Positions count from 1.
  const [fitting, heldOut] = [half(1), half(0)];
  if (fitting.length < MIN_CASES || heldOut.length < MIN_CASES) {
    throw new CommandError(
      `A table needs at least ${2 * MIN_CASES} cases decided by examinations, half of them at even positions of the set.`,
    );
  }
  const table = fitCalibration(fitting, version.slice(0, 60));
  const fitted = heldOut.map((one) => ({
    ...one,
    confidence: getConfidencePpm(one.verdict, one.stated, table) / 1e6,
  }));
  return {
    table,
    /** Number of cases used for the fit, and of those held out. */
    fittedTo: fitting.length,
    triedOn: heldOut.length,
    /**
     * Expected calibration error on the held-out cases, with the judge's own table and the new one.
     */
    before: expectedCalibrationError(heldOut) ?? 0,
    after: expectedCalibrationError(fitted) ?? 0,
  };
}

/** Returns null unless the judge's tables gave the confidence. */
function toSample({ judgement, verdict, label, confidence }: MeasuredCase): Sample | null {
  const stated = judgement?.detail.stated;
  if (verdict === null || stated === undefined) return null;
  return { label, verdict, confidence, stated };
}

/** Formats the result of a fit. */
export function formatFit({
  table,
  fittedTo,
  triedOn,
  before,
  after,
}: ReturnType<typeof fitTable>): string {
  const listBins = ({ bins }: CalibrationTable) =>
    bins.map(({ from, ppm }) => `${from}: ${(ppm / 1e6).toFixed(3)}`).join("  ");
  return `Calibration ${table.version}, fitted to the ${fittedTo} cases at even positions
Confidence in SUCCESS by stated confidence   ${listBins(table.SUCCESS)}
Confidence in FAILURE by stated confidence   ${listBins(table.FAILURE)}
On the other ${triedOn} cases, the calibration error is ${formatPercent(after)}; it was ${formatPercent(before)}.`;
}

/** A labelled case with a verdict, and the mean confidence that its examinations stated. */
export type Sample = DecidedCase & { stated: number };

/** Weight of the prior in each bin, in cases, so that few samples change it little. */
const PRIOR_CASES = 10;
const FITTED = { least: 500_000, most: 990_000 };

/** Fits one table per verdict to the samples with that verdict. */
export function fitCalibration(samples: readonly Sample[], version: string): Calibration {
  const fitFor = (verdict: Verdict) =>
    fitOneTable(samples.filter((sample) => sample.verdict === verdict));
  return { version, SUCCESS: fitFor("SUCCESS"), FAILURE: fitFor("FAILURE") };
}

/**
 * Fits the table to `samples`: the share of correct verdicts per bin, shrunk towards the prior's
 * confidence, then made monotonic in the stated confidence (pool adjacent violators: Ayer et al., 1955).
 */
function fitOneTable(samples: readonly Sample[]): CalibrationTable {
  const cells = PRIOR.bins.map(({ ppm: expected }, at) => {
    const inBin = samples.filter((sample) => findBin(sample.stated, PRIOR) === at);
    const correct = inBin.filter(isCorrect).length;
    const weight = inBin.length + PRIOR_CASES;
    return { value: (correct * 1e6 + PRIOR_CASES * expected) / weight, weight };
  });
  const monotonic = poolAdjacentViolators(cells);
  const bins = PRIOR.bins.map(({ from }, at) => ({
    from,
    ppm: Math.round(Math.min(FITTED.most, Math.max(FITTED.least, monotonic[at] ?? 0))),
  }));
  return { ...FITTED, bins };
}

/** Returns the values made monotonic: adjacent values that decrease share their weighted mean. */
function poolAdjacentViolators(cells: readonly { value: number; weight: number }[]): number[] {
  const pools: { value: number; weight: number; size: number }[] = [];
  for (const cell of cells) {
    let pool = { ...cell, size: 1 };
    for (let last = pools.at(-1); last && last.value > pool.value; last = pools.at(-1)) {
      const weight = last.weight + pool.weight;
      pool = {
        value: (last.value * last.weight + pool.value * pool.weight) / weight,
        weight,
        size: last.size + pool.size,
      };
      pools.pop();
    }
    pools.push(pool);
  }
  return pools.flatMap(({ value, size }) => Array<number>(size).fill(value));
}
