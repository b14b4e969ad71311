import type { Random } from "@/scripts/lib/random";
import { DAY_SECONDS } from "@/server/lib/time";
import type { PlannedAgent, Role } from "./planned-events";

const HOUR_SECONDS = 3_600;
/** Days before the end of its period in which an agent has at least one job. */
const RECENT_DAYS = 30;

/**
 * Returns the sorted times of an agent's verdicts: fewer at night and at weekends.
 */
export function drawTimes(
  random: Random,
  { role }: PlannedAgent,
  jobs: number,
  { first, now }: { first: number; now: number },
): number[] {
  const [from, until] = getPeriod(role, { first, now });
  const times: number[] = [];
  while (times.length < jobs) {
    // The first one is recent, so that only agents that stopped seem dormant.
    const start = times.length === 0 ? Math.max(from, until - RECENT_DAYS * DAY_SECONDS) : from;
    const at = random.integer(start, until - 120);
    const hour = Math.floor((at % DAY_SECONDS) / HOUR_SECONDS);
    // 1 January 1970 was a Thursday.
    const isWeekend = [2, 3].includes(Math.floor(at / DAY_SECONDS) % 7);
    const isNight = hour < 6 || hour > 21;
    if (random.chance((isWeekend ? 0.45 : 1) * (isNight ? 0.25 : 1))) times.push(at);
  }
  return times.sort((a, b) => a - b);
}

/** Returns when agents with a role work, from and until. */
export function getPeriod(
  role: Role,
  { first, now }: { first: number; now: number },
): [number, number] {
  const periods: Record<Role, [number, number]> = {
    steady: [first, now],
    hirer: [first + 10 * DAY_SECONDS, now],
    customer: [first + 10 * DAY_SECONDS, now],
    scam: [first, now],
    overturned: [first, now],
    "single-client": [now - 80 * DAY_SECONDS, now],
    unverified: [now - 100 * DAY_SECONDS, now],
    ring: [now - 75 * DAY_SECONDS, now - 4 * DAY_SECONDS],
    quiet: [first, first + 55 * DAY_SECONDS],
    fresh: [now - 3 * DAY_SECONDS, now],
    idle: [now, now],
  };
  return periods[role];
}
