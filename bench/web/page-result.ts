import type { Result } from "lighthouse";
import { formatTable, mapKeys, percentile } from "@/bench/measure";

/** Lighthouse's categories, by its ids. */
export const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
type Category = (typeof CATEGORIES)[number];

/** Scores of a page, 0 to 100. */
type Scores = Record<Category, number>;

/** Lighthouse's results for one load of a page. */
export interface LoadResult {
  scores: Scores;
  /** Audits that cost points, with category and title. */
  faults: string[];
}

/** Lighthouse's codes for a recording that lacks events which the browser sends for every page. */
// cspell:ignore NAVSTART
const RECORDING_FAULTS = ["NO_TRACING_STARTED", "NO_RESOURCE_REQUEST", "NO_NAVSTART", "NO_DCL"];

/** Whether Lighthouse lost events of the browser. It then asks to be run again: the page is not at fault. */
export const isIncompleteRecording = (report: Pick<Result, "runtimeError">): boolean =>
  RECORDING_FAULTS.includes(report.runtimeError?.code ?? "");

/** Reads a report. Throws if Lighthouse could not load or score the page. */
export function readReport(
  report: Pick<Result, "runtimeError" | "categories" | "audits">,
): LoadResult {
  if (report.runtimeError) throw new Error(report.runtimeError.message);
  const scores = mapKeys(CATEGORIES, (id) => {
    const score = report.categories[id]?.score;
    if (score === null || score === undefined) throw new Error(`Lighthouse reports no ${id}`);
    return Math.round(score * 100);
  });
  const faults = CATEGORIES.flatMap((category) =>
    (report.categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const audit = report.audits[id];
      if (!audit || audit.score === null || audit.score === 1 || weight === 0) return [];
      const shown = audit.displayValue ? ` (${audit.displayValue})` : "";
      return `${category}: ${audit.title}${shown}`;
    }),
  );
  return { scores, faults };
}

/** Minimum score of every category on every page. */
export const GOAL = 95;

/** Combined scores of all loads of a page. */
export type PageResult = Scores & { page: string };

/**
 * Combines the loads of a page. The performance score varies per load, so its median counts; the rest is
 * stable, so its worst value counts.
 */
export function combineLoads(page: string, loads: LoadResult[]): PageResult {
  const scores = mapKeys(CATEGORIES, (id) => {
    const values = loads.map((load) => load.scores[id]);
    return id === "performance" ? percentile(values, 50) : Math.min(...values);
  });
  return { page, ...scores };
}

/** Describes each score below the goal. */
export const listMisses = (results: PageResult[]): string[] =>
  results.flatMap((result) =>
    CATEGORIES.filter((id) => result[id] < GOAL).map((id) => `${result.page}: ${id} ${result[id]}`),
  );

/** Formats the results as a table. */
export const formatPages = (results: PageResult[]): string =>
  formatTable(
    [
      ["page", ...CATEGORIES],
      ...results.map((result) => [result.page, ...CATEGORIES.map((id) => String(result[id]))]),
    ],
    [...CATEGORIES.keys()].map((index) => index + 1),
  );
