import { formatMonth } from "@/components/ui/format";
import type { ScoreSeries } from "@/server/explorer/schema";

const CAUSES = ["day", "outcome", "dispute", "refund", "superseded", "anchor", "takeover"] as const;

/** A point as Unix seconds, score, and position in `CAUSES`: a chart has hundreds of them. */
export type PackedPoint = [seconds: number, score: number, cause: number];

export const packPoints = (points: ScoreSeries): PackedPoint[] =>
  points.map(({ at, score, cause }) => [Date.parse(at) / 1000, score, CAUSES.indexOf(cause)]);

export const unpackPoints = (points: PackedPoint[]): ScoreSeries =>
  points.map(([seconds, score, cause]) => ({
    at: new Date(seconds * 1000).toISOString(),
    score,
    cause: CAUSES[cause] ?? "day",
  }));

/** Lowest, highest and last score of a month. */
export interface MonthOfScores {
  name: string;
  lowest: number;
  highest: number;
  last: number;
}

/** Summarizes points, oldest first, by month (UTC), newest first. */
export function summarizeMonths(points: ScoreSeries): MonthOfScores[] {
  const months: MonthOfScores[] = [];
  for (const { at, score } of points) {
    const name = formatMonth(at);
    const current = months[0];
    if (current?.name === name) {
      current.lowest = Math.min(current.lowest, score);
      current.highest = Math.max(current.highest, score);
      current.last = score;
    } else months.unshift({ name, lowest: score, highest: score, last: score });
  }
  return months;
}
