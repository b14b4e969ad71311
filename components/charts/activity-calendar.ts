import { formatMonth } from "@/components/ui/format";
import { ACTIVITY_WEEKS, type Activity } from "@/server/explorer/schema";
import { DAY_MS } from "./time-axis";

type Day = Activity["days"][number];

/** A day as its distance from the first one, and its outcomes: a year has hundreds of them. */
export type PackedDay = [index: number, successes: number, failures: number];

/** Returns the first day, a Monday, and the last day in milliseconds; columns are weeks. */
export function createCalendar(today: string): { start: number; end: number } {
  const end = Date.parse(today);
  const thisMonday = end - ((new Date(end).getUTCDay() + 6) % 7) * DAY_MS;
  return { start: thisMonday - ACTIVITY_WEEKS * 7 * DAY_MS, end };
}

export const packDays = (days: Day[], start: number): PackedDay[] =>
  days.map(({ day, successes, failures }) => [
    Math.round((Date.parse(day) - start) / DAY_MS),
    successes,
    failures,
  ]);

/** Sums days, oldest first, by month (UTC), newest first. */
export function sumByMonth(days: Day[]) {
  const months: { name: string; successes: number; failures: number }[] = [];
  for (const { day, successes, failures } of days) {
    const name = formatMonth(day);
    const current = months[0];
    if (current?.name === name) {
      current.successes += successes;
      current.failures += failures;
    } else months.unshift({ name, successes, failures });
  }
  return months;
}
