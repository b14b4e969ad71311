import { formatDuration } from "@/components/disputes/describe-dispute";
import { formatClock, formatCount, formatDay } from "@/components/ui/format";
import { MINUTE_MS } from "@/server/lib/time";
import type { Incident, StatusDay } from "@/server/operations/status-days";

const DESCRIPTIONS: Record<Incident["part"], string> = {
  service: "Service not running",
  chain: "Chain down",
  judge: "Verdicts paused",
  queue: "Work delayed",
};

/** Bars are taller the worse a day was, so that colour is not needed to tell them apart. */
const BARS = {
  unknown: { height: 4, className: "fill-line" },
  up: { height: 16, className: "fill-good" },
  delayed: { height: 24, className: "fill-notice-ink" },
  down: { height: 32, className: "fill-bad" },
};
const STEP = 4;

/** Shows a bar for each of the last 90 days, and a list of what was down. */
export function StatusHistory({ days }: { days: StatusDay[] }) {
  const measured = days.filter(({ incidents }) => incidents !== null);
  const incidents = days
    .flatMap(({ day, incidents }) => (incidents ?? []).map((incident) => ({ day, ...incident })))
    .reverse();
  const summary =
    incidents.length === 0
      ? `No incidents in ${formatCount(measured.length, "day")} on record`
      : `${formatCount(incidents.length, "incident")} in ${formatCount(measured.length, "day")} on record`;
  return (
    <section className="mt-10">
      <h2 className="text-2xl font-semibold">Last 90 days</h2>
      <p className="mt-1 text-sm text-muted">
        {summary}, times in UTC. Grey days aren't on record.
      </p>
      <svg
        viewBox={`0 0 ${days.length * STEP - 1} 32`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Status of each day: ${summary.toLowerCase()}. Listed below.`}
        className="mt-4 h-10 w-full"
      >
        {days.map((day, index) => {
          const { height, className } = BARS[getState(day)];
          return (
            <g key={day.day}>
              <rect x={index * STEP} y={32 - height} width={STEP - 1} {...{ height, className }} />
              <rect x={index * STEP} width={STEP} height={32} fill="transparent">
                <title>{`${formatDay(day.day)}: ${describeDay(day)}`}</title>
              </rect>
            </g>
          );
        })}
      </svg>
      <p className="mt-1 flex justify-between text-sm text-muted">
        {[days[0], days.at(-1)].map(
          (day) => day && <span key={day.day}>{formatDay(day.day)}</span>,
        )}
      </p>
      <ul className="mt-4 divide-y divide-line">
        {incidents.map((incident) => (
          <li
            key={incident.day + incident.part}
            className="grid gap-x-6 py-2 sm:grid-cols-[13rem_1fr]"
          >
            <span className="text-muted">{formatDay(incident.day)}</span>
            {describeIncident(incident)}
          </li>
        ))}
      </ul>
    </section>
  );
}

function getState({ incidents }: StatusDay): keyof typeof BARS {
  if (incidents === null) return "unknown";
  if (incidents.length === 0) return "up";
  return incidents.every(({ part }) => part === "queue") ? "delayed" : "down";
}

function describeDay({ incidents }: StatusDay): string {
  if (incidents === null) return "not on record";
  return incidents.map(describeIncident).join(". ") || "up";
}

function describeIncident({ part, minutes, from, to }: Incident): string {
  const times =
    from && to && from !== to
      ? ` between ${formatClock(from)} and ${formatClock(Date.parse(to) + MINUTE_MS)}`
      : "";
  return `${DESCRIPTIONS[part]} for ${formatDuration(minutes * MINUTE_MS)}${times}`;
}
