import type { ReactNode } from "react";
import { formatCount, formatDay } from "@/components/ui/format";
import { Table } from "@/components/ui/table";
import { ACTIVITY_WEEKS, type Activity } from "@/server/explorer/schema";

type Day = Activity["days"][number];

const DAY_MS = 86_400_000;
const CELL = 12;
const SIZE = 10;
const LEFT = 26;
const TOP = 14;
/** Jobs on a day from which on the darkest shade is used. */
const SHADES = [1, 2, 4] as const;
const SHADE_CLASSES = ["opacity-40", "opacity-70", ""] as const;
const month = new Intl.DateTimeFormat("en", { month: "short", timeZone: "UTC" });

/** Shows successes as green squares, darker with their number, and failures as red diamonds. */
export function ActivityMap({ activity: { today, days } }: { activity: Activity }) {
  const end = Date.parse(today);
  // Columns are weeks from Monday to Sunday; the current one is the last.
  const thisMonday = end - ((new Date(end).getUTCDay() + 6) % 7) * DAY_MS;
  const start = thisMonday - ACTIVITY_WEEKS * 7 * DAY_MS;
  const place = (time: number) => {
    const index = Math.round((time - start) / DAY_MS);
    return { x: LEFT + Math.floor(index / 7) * CELL, y: TOP + (index % 7) * CELL };
  };
  const shown = days.filter(({ day }) => Date.parse(day) >= start);
  const [successes, failures] = [sum(shown, "successes"), sum(shown, "failures")];
  const weeks = Array.from({ length: ACTIVITY_WEEKS + 1 }, (_, n) => start + n * 7 * DAY_MS);
  return (
    <figure>
      <svg
        viewBox={`0 0 ${LEFT + weeks.length * CELL} ${TOP + 7 * CELL}`}
        className="w-full"
        role="img"
        aria-label={`${formatCount(successes, "success", "successes")} and ${formatCount(failures, "failure")} in the last 6 months`}
      >
        <g className="fill-muted text-[8px]">
          {weeks.map(
            (week, n) =>
              new Date(week).getUTCDate() <= 7 &&
              n < ACTIVITY_WEEKS && (
                <text key={week} x={place(week).x} y="8">
                  {month.format(week)}
                </text>
              ),
          )}
          {["Mon", "", "Wed", "", "Fri"].map((name, row) => (
            <text key={name || row} x="0" y={TOP + row * CELL + 8}>
              {name}
            </text>
          ))}
        </g>
        <path
          d={listDays(start, end)
            .map((time) => `M${place(time).x} ${place(time).y}h${SIZE}v${SIZE}h-${SIZE}z`)
            .join("")}
          className="fill-sunken"
        />
        {shown.map((day) => (
          <DayCell key={day.day} day={day} {...place(Date.parse(day.day))} />
        ))}
      </svg>
      <figcaption className="mt-2 flex flex-wrap items-start gap-x-5 gap-y-1 text-sm text-muted">
        <Legend label={`${formatCount(successes, "success", "successes")}`}>
          <rect width={SIZE} height={SIZE} rx="1.5" className="fill-good" />
        </Legend>
        <Legend label={formatCount(failures, "failure")}>
          <Diamond x={0} y={0} />
        </Legend>
        {shown.length > 0 && (
          <details className="ml-auto open:basis-full">
            <summary className="min-h-6 cursor-pointer">As a table</summary>
            <div className="mt-2 max-h-80 overflow-y-auto">
              <Table
                caption="Outcomes by day"
                className="text-ink"
                rows={shown.toReversed()}
                columns={[
                  ["Day", "py-1 text-left", ({ day }) => formatDay(day)],
                  ["Successes", "py-1 pl-4 text-right", ({ successes }) => successes],
                  ["Failures", "py-1 pl-4 text-right", ({ failures }) => failures],
                ]}
              />
            </div>
          </details>
        )}
      </figcaption>
    </figure>
  );
}

function DayCell({ day, x, y }: { day: Day; x: number; y: number }) {
  const shade = SHADES.findLastIndex((from) => day.successes >= from);
  return (
    <g>
      <title>
        {`${formatDay(day.day)}: ${formatCount(day.successes, "success", "successes")}, ${formatCount(day.failures, "failure")}`}
      </title>
      {shade >= 0 && (
        <rect
          x={x}
          y={y}
          width={SIZE}
          height={SIZE}
          rx="1.5"
          className={`fill-good ${SHADE_CLASSES[shade]}`}
        />
      )}
      {day.failures > 0 && <Diamond x={x} y={y} />}
    </g>
  );
}

const Diamond = ({ x, y }: { x: number; y: number }) => (
  <path
    d={`M${x + SIZE / 2} ${y}l${SIZE / 2} ${SIZE / 2}l-${SIZE / 2} ${SIZE / 2}l-${SIZE / 2}-${SIZE / 2}z`}
    className="fill-bad stroke-raised"
    strokeWidth="0.8"
  />
);

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

const sum = (days: Day[], field: "successes" | "failures") =>
  days.reduce((total, day) => total + day[field], 0);

const listDays = (start: number, end: number) =>
  Array.from({ length: Math.round((end - start) / DAY_MS) + 1 }, (_, n) => start + n * DAY_MS);
