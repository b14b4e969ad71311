const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** Distances between ticks, up to a month; beyond that ticks are the first days of months. */
const STEPS = [1, 3, 6, 12, 24, 48, 7 * 24, 14 * 24].map((hours) => hours * HOUR_MS);
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120];
/** Most steps between two ticks that fit side by side. */
const MAX_STEPS = 6;

const formats = {
  hour: new Intl.DateTimeFormat("en", {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: "UTC",
  }),
  day: new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" }),
  month: new Intl.DateTimeFormat("en", { month: "short", timeZone: "UTC" }),
  year: new Intl.DateTimeFormat("en", { month: "short", year: "numeric", timeZone: "UTC" }),
};

/** Returns up to seven round times (UTC) between `start` and `end`, each with its label. */
export function listTimeTicks(start: number, end: number): { at: number; label: string }[] {
  const step = STEPS.find((length) => (end - start) / length <= MAX_STEPS);
  if (step === undefined) return listMonths(start, end);
  const first = Math.ceil(start / step) * step;
  const count = Math.max(0, Math.floor((end - first) / step) + 1);
  return Array.from({ length: count }, (_, n) => first + n * step).map((at) => ({
    at,
    // Midnight is named by the day that it starts.
    label: (at % DAY_MS === 0 ? formats.day : formats.hour).format(at),
  }));
}

function listMonths(start: number, end: number) {
  const [from, to] = [start, end].map((time) => {
    const date = new Date(time);
    return date.getUTCFullYear() * 12 + date.getUTCMonth();
  }) as [number, number];
  const step = MONTH_STEPS.find((months) => (to - from) / months <= MAX_STEPS) ?? 240;
  const ticks: { at: number; label: string }[] = [];
  for (let month = Math.ceil((from + 1) / step) * step; month <= to; month += step) {
    const at = Date.UTC(Math.floor(month / 12), month % 12);
    const format = month % 12 === 0 || to - from > 12 ? formats.year : formats.month;
    ticks.push({ at, label: format.format(at) });
  }
  return ticks;
}
