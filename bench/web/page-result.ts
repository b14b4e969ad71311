import type { Result } from "lighthouse";
import { formatTable, mapKeys, percentile } from "@/bench/measure";

/** Lighthouse's categories, by its ids. */
export const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
export type Category = (typeof CATEGORIES)[number];

/** Ids of Lighthouse's load audits: in milliseconds, except the layout shift, which has no unit. */
export const TIMINGS = [
  "first-contentful-paint",
  "largest-contentful-paint",
  "total-blocking-time",
  "cumulative-layout-shift",
] as const;
export type Timing = (typeof TIMINGS)[number];

/** Lighthouse's results for one load of a page. */
export interface LoadResult {
  /** 0 to 100. */
  scores: Record<Category, number>;
  timings: Record<Timing, number>;
  /** Audits that cost points, with category and title. */
  faults: string[];
}

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
  const timings = mapKeys(TIMINGS, (id) => {
    const value = report.audits[id]?.numericValue;
    if (value === undefined) throw new Error(`Lighthouse measures no ${id}`);
    return value;
  });
  const faults = CATEGORIES.flatMap((category) =>
    (report.categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const audit = report.audits[id];
      if (!audit || audit.score === null || audit.score === 1 || weight === 0) return [];
      const shown = audit.displayValue ? ` (${audit.displayValue})` : "";
      return `${category}: ${audit.title}${shown}`;
    }),
  );
  return { scores, timings, faults };
}

/** Minimum score of every category on every page. */
export const GOAL = 95;

/** Combined results of all loads of a page. */
export interface PageResult extends Pick<LoadResult, "scores" | "timings"> {
  page: string;
}

/**
 * Combines the loads of a page. Timings and the performance score vary per load, so their median
 * counts; the rest is stable, so its worst value counts.
 */
export function combineLoads(page: string, loads: LoadResult[]): PageResult {
  const median = (values: number[]) => percentile(values, 50);
  return {
    page,
    scores: mapKeys(CATEGORIES, (id) => {
      const values = loads.map(({ scores }) => scores[id]);
      return id === "performance" ? median(values) : Math.min(...values);
    }),
    timings: mapKeys(TIMINGS, (id) => {
      const value = median(loads.map(({ timings }) => timings[id]));
      return id === "cumulative-layout-shift" ? Number(value.toFixed(3)) : Math.round(value);
    }),
  };
}

/** Describes each score below the goal. */
export function listMisses(results: PageResult[]): string[] {
  return results.flatMap(({ page, scores }) =>
    CATEGORIES.filter((id) => scores[id] < GOAL).map((id) => `${page}: ${id} ${scores[id]}`),
  );
}

const COLUMNS = [
  "page",
  "performance",
  "accessibility",
  "best practices",
  "SEO",
  "first paint",
  "largest paint",
  "blocked",
  "shift",
];

/** Formats the results as a table. */
export function formatPages(results: PageResult[]): string {
  const rows = results.map(({ page, scores, timings }) => [
    page,
    ...CATEGORIES.map((id) => String(scores[id])),
    ...TIMINGS.map((id) =>
      id === "cumulative-layout-shift" ? String(timings[id]) : `${timings[id]} ms`,
    ),
  ]);
  return formatTable([COLUMNS, ...rows], [...COLUMNS.keys()].slice(1));
}
