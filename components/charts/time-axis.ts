import { formatDayOfYear, formatMonth, formatMonthName } from "@/components/ui/format";
import { DAY_MS, HOUR_MS } from "@/server/lib/time";

/** Distances between ticks, up to a month; beyond that ticks are the first days of months. */
const STEPS = [1, 3, 6, 12, 24, 48, 7 * 24, 14 * 24].map((hours) => hours * HOUR_MS);
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120];
/** Most steps between two ticks that fit side by side. */
const MAX_STEPS = 6;

/** Returns up to seven round times (UTC) between `start` and `end`, each with its label. */
export function listTimeTicks(start: number, end: number): { at: number; label: string }[] {
  const step = STEPS.find((length) => (end - start) / length <= MAX_STEPS);
  if (step === undefined) return listMonths(start, end);
  const first = Math.ceil(start / step) * step;
  const count = Math.max(0, Math.floor((end - first) / step) + 1);
  return Array.from({ length: count }, (_, n) => first + n * step).map((at) => ({
    at,
    // Midnight is named by the day that it starts.
    label: at % DAY_MS === 0 ? formatDayOfYear(at) : new Date(at).toISOString().slice(11, 16),
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
    const withYear = month % 12 === 0 || to - from > 12;
    ticks.push({ at, label: withYear ? formatMonth(at) : formatMonthName(at) });
  }
  return ticks;
}
