import type { Result } from "lighthouse";

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
export interface Look {
  /** 0 to 100. */
  scores: Record<Category, number>;
  timings: Record<Timing, number>;
  /** Audits that cost points, with category and title. */
  faults: string[];
}

/** Reads a report. Throws if Lighthouse could not load or score the page. */
export function lookFrom(report: Pick<Result, "runtimeError" | "categories" | "audits">): Look {
  if (report.runtimeError) throw new Error(report.runtimeError.message);
  const scores = eachOf(CATEGORIES, (id) => {
    const score = report.categories[id]?.score;
    if (score === null || score === undefined) throw new Error(`Lighthouse gives no ${id}`);
    return Math.round(score * 100);
  });
  const timings = eachOf(TIMINGS, (id) => {
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

/** Returns a record with `value` of each key. */
export function eachOf<K extends string, V>(
  keys: readonly K[],
  value: (key: K) => V,
): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, V>;
}
