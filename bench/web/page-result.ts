import { percentile } from "@/bench/rounds";
import { CATEGORIES, eachOf, type Look, TIMINGS } from "./look";

/** Every category of every page has to reach it. */
export const GOAL = 95;

/** What came of all looks at a page. */
export interface PageResult extends Pick<Look, "scores" | "timings"> {
  page: string;
}

/**
 * How a page loads differs from load to load: of that the median counts. The rest is the same each
 * time, so there the worst look does.
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

/** What misses the goal, in words. */
export function missedBy(results: PageResult[]): string[] {
  return results.flatMap(({ page, scores }) =>
    CATEGORIES.filter((id) => scores[id] < GOAL).map((id) => `${page}: ${id} ${scores[id]}`),
  );
}

const COLUMNS = [
  ...["page", "performance", "accessibility", "best practices", "SEO"],
  ...["first paint", "largest paint", "blocked", "shift"],
];

/** The results as a table for people. */
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
