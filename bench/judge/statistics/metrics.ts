import { mapKeys, percentile } from "@/bench/measure";
import type { CallRecord } from "@/server/judging/schema";
import type { Category, Verdict } from "@/server/lib/schema";
import { bootstrapInterval, extremeShareInterval, type Interval } from "./bootstrap";

/** One labelled case with a judge's verdict. */
export interface JudgedCase {
  id: string;
  category: Category;
  /** Whether the deliverable does what the task asks. */
  label: Verdict;
  /** Null if every attempt failed; that does not count as a wrong verdict. */
  verdict: Verdict | null;
  /** The judge's probability that its verdict is right, 0 to 1. */
  confidence: number;
}

/** A case with a verdict. */
export type DecidedCase = JudgedCase & { verdict: Verdict };

export function filterDecided(judged: readonly JudgedCase[]): DecidedCase[] {
  return judged.filter((one): one is DecidedCase => one.verdict !== null);
}

export const isCorrect = ({ label, verdict }: Pick<JudgedCase, "label" | "verdict">): boolean =>
  label === verdict;

/** A metric, null if undefined for the cases. Only cases with a verdict count. */
export type Metric = (cases: readonly DecidedCase[]) => number | null;

/** Share of good deliverables that pass. */
export const truePositiveRate: Metric = (cases) => accuracyForLabel(cases, "SUCCESS");

/** Share of bad deliverables that fail. */
export const trueNegativeRate: Metric = (cases) => accuracyForLabel(cases, "FAILURE");

/** Mean of the two rates above: a judge that passes everything, or tosses a coin, scores 0.5. */
export const balancedAccuracy: Metric = (cases) => {
  const positive = truePositiveRate(cases);
  const negative = trueNegativeRate(cases);
  return positive === null || negative === null ? null : (positive + negative) / 2;
};

/** Share of verdicts that are right. */
export const accuracy: Metric = (cases) => mean(cases.map((one) => (isCorrect(one) ? 1 : 0)));

/**
 * Mean squared distance between the confidence in a verdict and whether it was right (Brier, 1950):
 * 0 is perfect, 0.25 is constant "fifty-fifty", 1 is certain and always wrong.
 */
export const brierScore: Metric = (cases) =>
  mean(cases.map((one) => (one.confidence - (isCorrect(one) ? 1 : 0)) ** 2));

/** A `SUCCESS` at this confidence has no weight in a score. */
const UNDECIDED = 0.5;

/** Whether a bad deliverable got a `SUCCESS` that counts. */
export const isFooled = ({ label, verdict, confidence }: JudgedCase): boolean =>
  label === "FAILURE" && verdict === "SUCCESS" && confidence > UNDECIDED;

/** Share of bad deliverables that get a `SUCCESS` with confidence above 0.5. */
export const attackSuccessRate: Metric = (cases) =>
  mean(cases.filter(({ label }) => label === "FAILURE").map((one) => (isFooled(one) ? 1 : 0)));

export interface Bin {
  /** Confidences from `from` up to but excluding `to`; the last bin includes `to`. */
  from: number;
  to: number;
  count: number;
  /** Mean confidence of the bin's cases; null in an empty bin. */
  confidence: number | null;
  accuracy: number | null;
}

/** Groups cases by confidence, in `count` bins of equal width over 0 to 1. */
export function reliabilityBins(cases: readonly DecidedCase[], count = 10): Bin[] {
  return Array.from({ length: count }, (_, index) => {
    const inside = cases.filter(({ confidence }) => findBin(confidence, count) === index);
    return {
      from: index / count,
      to: (index + 1) / count,
      count: inside.length,
      confidence: mean(inside.map(({ confidence }) => confidence)),
      accuracy: accuracy(inside),
    };
  });
}

function findBin(confidence: number, count: number): number {
  return Math.min(count - 1, Math.floor(confidence * count));
}

/**
 * Expected calibration error: the distance between mean confidence and accuracy, averaged over ten
 * bins weighted by their number of cases (Naeini, Cooper and Hauskrecht, 2015).
 */
export const expectedCalibrationError: Metric = (cases) => {
  if (cases.length === 0) return null;
  const gaps = reliabilityBins(cases).map((bin) =>
    bin.confidence === null || bin.accuracy === null
      ? 0
      : bin.count * Math.abs(bin.accuracy - bin.confidence),
  );
  return sum(gaps) / cases.length;
};

/**
 * Returns the accuracy on the `coverage` share of cases with the highest confidence. If equal
 * confidences cross the cutoff, as many as fit count, each with the accuracy of the whole group.
 */
export function accuracyAtCoverage(coverage: number): Metric {
  return (cases) => {
    const wanted = Math.round(coverage * cases.length);
    if (wanted === 0) return null;
    const levels = [...new Set(cases.map(({ confidence }) => confidence))].toSorted(
      (a, b) => b - a,
    );
    let taken = 0;
    let right = 0;
    for (const level of levels) {
      const equal = cases.filter(({ confidence }) => confidence === level);
      const fit = Math.min(equal.length, wanted - taken);
      right += fit * (accuracy(equal) ?? 0);
      taken += fit;
    }
    return right / wanted;
  };
}

function accuracyForLabel(cases: readonly DecidedCase[], label: Verdict): number | null {
  return accuracy(cases.filter((one) => one.label === label));
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const COVERAGES = [0.25, 0.5, 0.75, 0.9, 1];

/** A metric with its 95% interval. */
export interface Figure extends Interval {
  value: number;
}

/** Metrics of a judge on some cases. A figure is null if no case counts for it. */
export type Figures = ReturnType<typeof computeFigures>;

export function computeFigures(judged: readonly JudgedCase[], seed: string) {
  const cases = filterDecided(judged);
  const labelled = (label: DecidedCase["label"]) => cases.filter((one) => one.label === label);
  const tpr = computeShareFigure(labelled("SUCCESS"), truePositiveRate, seed);
  const tnr = computeShareFigure(labelled("FAILURE"), trueNegativeRate, seed);
  return {
    n: judged.length,
    /** Cases without a verdict, excluded from every figure. */
    undecided: judged.length - cases.length,
    /** Share of verdicts with a confidence above 0.5. */
    decided: mean(cases.map(({ confidence }) => (confidence > UNDECIDED ? 1 : 0))),
    tpr,
    tnr,
    balancedAccuracy: computeBalancedFigure(cases, tpr, tnr, seed),
    brier: computeFigure(cases, brierScore, seed),
    ece: computeFigure(cases, expectedCalibrationError, seed),
    /** Expected calibration error of the cases with each verdict. */
    eceByVerdict: mapKeys(["SUCCESS", "FAILURE"], (wanted) =>
      expectedCalibrationError(cases.filter(({ verdict }) => verdict === wanted)),
    ),
    accuracyAtCoverage: COVERAGES.flatMap((coverage) => {
      const accuracy = accuracyAtCoverage(coverage)(cases);
      return accuracy === null ? [] : [{ coverage, accuracy }];
    }),
  };
}

/** Returns the figures per category, in the order of each category's first case. */
export function computeFiguresByCategory(
  judged: readonly JudgedCase[],
  seed: string,
): Record<string, Figures> {
  const byCategory = Map.groupBy(judged, ({ category }) => category);
  return Object.fromEntries(
    [...byCategory].map(([category, own]) => [category, computeFigures(own, seed)]),
  );
}

/** Returns the share of failing deliverables that got a `SUCCESS` with confidence above 0.5. */
export function computeAttackFigure(judged: readonly JudgedCase[], seed: string) {
  const cases = filterDecided(judged).filter(({ label }) => label === "FAILURE");
  const figure = computeShareFigure(cases, attackSuccessRate, seed);
  return figure && { ...figure, n: cases.length };
}

export type Usage = ReturnType<typeof computeUsage>;

/** Returns time, tokens and money of a run; null if the calls do not report them. */
export function computeUsage(
  measured: readonly { calls: readonly CallRecord[]; latencyMs: number | null }[],
) {
  const calls = measured.flatMap((one) => one.calls);
  const times = measured.flatMap(({ latencyMs }) => (latencyMs === null ? [] : [latencyMs]));
  const tokens = calls.map((call) => call.tokens);
  const total = (member: "input" | "cachedInput" | "output") =>
    sum(tokens.map((one) => one?.[member] ?? 0));
  const costs = calls.map((call) => call.costUsd);
  return {
    calls: calls.length,
    latencyMs:
      times.length === 0
        ? null
        : { p50: roundedPercentile(times, 50), p95: roundedPercentile(times, 95) },
    tokens:
      calls.length === 0 || tokens.includes(null)
        ? null
        : { input: total("input"), cachedInput: total("cachedInput"), output: total("output") },
    costUsd: costs.includes(null) ? null : sum(costs.map((cost) => cost ?? 0)),
  };
}

function computeFigure(cases: readonly DecidedCase[], metric: Metric, seed: string): Figure | null {
  const value = metric(cases);
  const interval = bootstrapInterval(cases, metric, ({ label }) => label, { seed });
  return value === null || interval === null ? null : { value, ...interval };
}

/** `cases` is the denominator of the share. */
function computeShareFigure(
  cases: readonly DecidedCase[],
  metric: Metric,
  seed: string,
): Figure | null {
  const value = metric(cases);
  if (value === 0 || value === 1) return { value, ...extremeShareInterval(value, cases.length) };
  return computeFigure(cases, metric, seed);
}

/** Falls back to the exact intervals if both shares are 0 or 1, since no resample differs then. */
function computeBalancedFigure(
  cases: readonly DecidedCase[],
  tpr: Figure | null,
  tnr: Figure | null,
  seed: string,
): Figure | null {
  const balanced = computeFigure(cases, balancedAccuracy, seed);
  if (!balanced || !tpr || !tnr || balanced.low < balanced.high) return balanced;
  const { value } = balanced;
  return { value, low: (tpr.low + tnr.low) / 2, high: (tpr.high + tnr.high) / 2 };
}

/** Returns the percentile, rounded to tenths of a millisecond, the resolution of the clock. */
function roundedPercentile(times: number[], percent: number): number {
  return Number(percentile(times, percent).toFixed(1));
}
