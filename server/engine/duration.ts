/**
 * When something is due: at a time, or so long after it is written down. That is by the database's
 * clock, the one that all processes share: a process whose own is behind would else wait for nothing.
 */
export type Due = { at: Date } | { inMs: number };

const UNITS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };

/** Milliseconds of a duration as the SDK writes it, e.g. `2h30m10s`; null for anything else. */
export function parseDuration(text: string): number | null {
  if (!/^(\d+[wdhms])+$/.test(text)) return null;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+)([wdhms])/g)) {
    total += Number(amount) * UNITS[unit as keyof typeof UNITS];
  }
  return total;
}

/** What a duration or an ISO time stands for. Throws where it is neither. */
export function parseDue(text: string): Due {
  const inMs = parseDuration(text);
  if (inMs !== null) return { inMs };
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new Error(`\`${text}\` is neither a duration nor a time`);
  return { at };
}

/** Waits after the first, second … failed attempt, in seconds; the last one goes on. */
const BACKOFF = [10, 30, 60, 120, 300, 600, 1_200, 2_400, 3_600];

/** When a call is tried again that failed as `attempt` (0 is the first) and named no time itself. */
export function nextAttempt(attempt: number): { inMs: number } {
  const seconds = BACKOFF[Math.min(attempt, BACKOFF.length - 1)] ?? 3_600;
  return { inMs: seconds * 1_000 };
}

/** A `retry-after` header: whole seconds or an ISO time. Null where there is none or it is neither. */
export function parseRetryAfter(header: string | null): Due | null {
  if (!header) return null;
  if (/^\d+$/.test(header)) return { inMs: Number(header) * 1_000 };
  const at = new Date(header);
  return Number.isNaN(at.getTime()) ? null : { at };
}
