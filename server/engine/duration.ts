/**
 * When something is due: at a time, or a delay after it is stored. Delays use the database's clock,
 * which all processes share, so a process with a wrong clock does not skip its waits.
 */
export type Due = { at: Date } | { inMs: number };

const UNITS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };

/**
 * Parses a duration as the SDK writes it, e.g. `2h30m10s`, to milliseconds. Returns null for
 * anything else.
 */
export function parseDuration(text: string): number | null {
  if (!/^(\d+[wdhms])+$/.test(text)) return null;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+)([wdhms])/g)) {
    total += Number(amount) * UNITS[unit as keyof typeof UNITS];
  }
  return total;
}

/** Parses a duration or an ISO time. Throws if the text is neither. */
export function parseDue(text: string): Due {
  const inMs = parseDuration(text);
  if (inMs !== null) return { inMs };
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new Error(`\`${text}\` is neither a duration nor a time`);
  return { at };
}

/** Seconds to wait after the first, second … failed attempt; the last value repeats. */
const BACKOFF = [10, 30, 60, 120, 300, 600, 1_200, 2_400, 3_600];

/**
 * Returns the backoff after failed attempt `attempt` (from 0) of a call that named no retry time.
 */
export function nextAttempt(attempt: number): { inMs: number } {
  const seconds = BACKOFF[Math.min(attempt, BACKOFF.length - 1)] ?? 3_600;
  return { inMs: seconds * 1_000 };
}

/**
 * Parses a `retry-after` header: whole seconds or an ISO time. Returns null if it is missing or
 * neither.
 */
export function parseRetryAfter(header: string | null): Due | null {
  if (!header) return null;
  if (/^\d+$/.test(header)) return { inMs: Number(header) * 1_000 };
  const at = new Date(header);
  return Number.isNaN(at.getTime()) ? null : { at };
}
