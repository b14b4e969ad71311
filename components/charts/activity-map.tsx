import type { ReactNode } from "react";
import { formatCount } from "@/components/ui/format";
import { Table } from "@/components/ui/table";
import type { Activity } from "@/server/explorer/schema";
import { createCalendar, packDays, sumByMonth } from "./activity-calendar";
import { ActivityGrid } from "./activity-grid";

/** Shows an agent's outcomes by day as a grid of weeks, with the months as a table. */
export function ActivityMap({ activity: { today, days } }: { activity: Activity }) {
  const { start, end } = createCalendar(today);
  const shown = days.filter(({ day }) => Date.parse(day) >= start);
  const months = sumByMonth(shown);
  const successes = months.reduce((sum, month) => sum + month.successes, 0);
  const failures = months.reduce((sum, month) => sum + month.failures, 0);
  const [good, bad] = [
    formatCount(successes, "success", "successes"),
    formatCount(failures, "failure"),
  ];
  return (
    <figure>
      <ActivityGrid
        start={start}
        end={end}
        days={packDays(shown, start)}
        label={`${good} and ${bad} in the last 6 months`}
      />
      <figcaption className="mt-2 flex flex-wrap items-start gap-x-5 gap-y-1 text-sm text-muted">
        <Legend label={good}>
          <path d="M0 0h10v10H0z" className="fill-good" />
        </Legend>
        <Legend label={bad}>
          <path d="M5 0l5 5-5 5-5-5z" className="fill-bad" />
        </Legend>
        {months.length > 0 && (
          <details className="ml-auto open:basis-full">
            <summary className="min-h-6 cursor-pointer">By month</summary>
            <Table
              caption="Outcomes by month"
              className="mt-2 text-ink"
              rows={months}
              columns={[
                ["Month", "py-1 text-left", ({ name }) => name],
                ["Successes", "py-1 text-right", (month) => month.successes],
                ["Failures", "py-1 text-right", (month) => month.failures],
              ]}
            />
          </details>
        )}
      </figcaption>
    </figure>
  );
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
