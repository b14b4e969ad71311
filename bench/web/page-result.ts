import { percentile } from "@/bench/rounds";
import { CATEGORIES, eachOf, type Look, TIMINGS } from "./look";

/** Minimum score of every category on every page. */
export const GOAL = 95;

/** Combined results of all loads of a page. */
export interface PageResult extends Pick<Look, "scores" | "timings"> {
  page: string;
}

/**
 * Combines the loads of a page. Timings and the performance score vary per load, so their median
 * counts; the rest is stable, so its worst value counts.
 */
export function pageResult(page: string, looks: Look[]): PageResult {
  const median = (values: number[]) => percentile(values, 50);
  return {
    page,
    scores: eachOf(CATEGORIES, (id) => {
      const values = looks.map(({ scores }) => scores[id]);
      return id === "performance" ? median(values) : Math.min(...values);
    }),
    timings: eachOf(TIMINGS, (id) => {
      const value = median(looks.map(({ timings }) => timings[id]));
      return id === "cumulative-layout-shift" ? Number(value.toFixed(3)) : Math.round(value);
    }),
  };
}

/** Describes each score below the goal. */
export function missedBy(results: PageResult[]): string[] {
  return results.flatMap(({ page, scores }) =>
    CATEGORIES.filter((id) => scores[id] < GOAL).map((id) => `${page}: ${id} ${scores[id]}`),
  );
}

const COLUMNS = [
  ...["page", "performance", "accessibility", "best practices", "SEO"],
  ...["first paint", "largest paint", "blocked", "shift"],
];

/** Formats the results as a table. */
export function webTable(results: PageResult[]): string {
  const rows = results.map(({ page, scores, timings }) => [
    page,
    ...CATEGORIES.map((id) => String(scores[id])),
    ...TIMINGS.map((id) =>
      id === "cumulative-layout-shift" ? String(timings[id]) : `${timings[id]} ms`,
    ),
  ]);
  const all = [COLUMNS, ...rows];
  const widths = COLUMNS.map((_, c) => Math.max(...all.map((row) => row[c]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, c) => (c === 0 ? cell.padEnd(widths[c] ?? 0) : cell.padStart(widths[c] ?? 0)))
        .join("  "),
    )
    .join("\n");
}
