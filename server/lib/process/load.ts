import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Shares of the time that the event loop is busy: above the first, the process counts as loaded, until
 * the share falls below the second. Work that collects leaves it idle time.
 */
const BUSY = 0.85;
const RELAXED = 0.5;
/** Longer than the work for a single outcome, which must not count as load. */
const WINDOW_MS = 500;

/**
 * Time in which pick-ups, verdicts and ended calls of background functions collect under load: ten or
 * more share a statement then.
 */
export const COLLECT_MS = 100;

let windowStart = performance.eventLoopUtilization();
let windowStartMs = performance.now();
let isBusy = false;

/** Returns whether the event loop had hardly any idle time lately, over at least `WINDOW_MS`. */
export function isEventLoopBusy(): boolean {
  const now = performance.now();
  if (now - windowStartMs < WINDOW_MS) return isBusy;
  const current = performance.eventLoopUtilization();
  const { utilization } = performance.eventLoopUtilization(current, windowStart);
  isBusy = utilization > (isBusy ? RELAXED : BUSY);
  windowStart = current;
  windowStartMs = now;
  return isBusy;
}

/**
 * Creates a pace for work that costs as much for one item as for many. Under load, a call resolves
 * `ms` after the last one at the earliest, so that items collect; otherwise at once.
 */
export function createPace(ms: number, isLoaded = isEventLoopBusy): () => Promise<void> {
  let earliest = 0;
  return async () => {
    const wait = earliest - performance.now();
    if (isLoaded() && wait > 0) await pause(wait);
    earliest = performance.now() + ms;
  };
}
