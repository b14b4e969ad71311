import type { ReactNode } from "react";
import { formatCount, formatMonth } from "@/components/ui/format";
import { Table } from "@/components/ui/table";
import { ACTIVITY_WEEKS, type Activity } from "@/server/explorer/schema";
import { ActivityGrid } from "./activity-grid";
import { DAY_MS } from "./time-axis";

/** Shows an agent's outcomes by day as a grid of weeks, with the months as a table. */
export function ActivityMap({ activity: { today, days } }: { activity: Activity }) {
  const { start, end } = createCalendar(today);
  const shown = days.filter(({ day }) => Date.parse(day) >= start);
  // Days are oldest first, and months newest first.
  const months = [...Map.groupBy(shown, ({ day }) => formatMonth(day))].toReversed();
  const good = formatCount(sum(shown, "successes"), "success", "successes");
  const bad = formatCount(sum(shown, "failures"), "failure");
  const unassessed = sum(shown, "unassessed");
  return (
    <figure>
      <ActivityGrid
        start={start}
        end={end}
        days={shown.map(({ day, successes, failures, unassessed }) => [
          Math.round((Date.parse(day) - start) / DAY_MS),
          successes,
          failures,
          unassessed,
        ])}
        label={`${good}, ${bad} and ${unassessed} not assessed in the last 6 months`}
      />
      <figcaption className="mt-2 flex flex-wrap items-start gap-x-5 gap-y-1 text-sm text-muted">
        <Legend label={good}>
          <path d="M0 0h10v10H0z" className="fill-good" />
        </Legend>
        <Legend label={bad}>
          <path d="M5 0l5 5-5 5-5-5z" className="fill-bad" />
        </Legend>
        {unassessed > 0 && (
          <Legend label={`${unassessed} not assessed`}>
            <path d="M3 3h4v4H3z" className="fill-muted" />
          </Legend>
        )}
        {months.length > 0 && (
          <details className="ml-auto open:basis-full">
            <summary className="min-h-6 cursor-pointer">By month</summary>
            <Table
              caption="Outcomes by month"
              className="mt-2 text-ink"
              rows={months}
              columns={[
                ["Month", "py-1 text-left", ([name]) => name],
                ["Successes", "py-1 text-right", ([, own]) => sum(own, "successes")],
                ["Failures", "py-1 text-right", ([, own]) => sum(own, "failures")],
                ["Not assessed", "py-1 text-right", ([, own]) => sum(own, "unassessed")],
              ]}
            />
          </details>
        )}
      </figcaption>
    </figure>
  );
}

const sum = (days: Activity["days"], result: "successes" | "failures" | "unassessed") =>
  days.reduce((total, day) => total + day[result], 0);

/** Returns the first day, a Monday, and the last day in milliseconds; columns are weeks. */
function createCalendar(today: string): { start: number; end: number } {
  const end = Date.parse(today);
  const thisMonday = end - ((new Date(end).getUTCDay() + 6) % 7) * DAY_MS;
  return { start: thisMonday - ACTIVITY_WEEKS * 7 * DAY_MS, end };
}

function Legend({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="inline-flex min-h-6 items-center gap-1.5">
      <svg viewBox="-1 -1 12 12" className="size-3.5" aria-hidden="true">
        {children}
      </svg>
      {label}
    </span>
  );
}
