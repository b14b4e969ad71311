import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";

/** Share of the time that the event loop is busy, from which on the process counts as loaded. */
const BUSY = 0.85;
/** Longer than the work for a single outcome, which must not count as load. */
const WINDOW_MS = 500;

let windowStart = performance.eventLoopUtilization();
let windowStartMs = performance.now();
let isBusy = false;

/** Returns whether the event loop had hardly any idle time lately, over at least `WINDOW_MS`. */
export function isEventLoopBusy(): boolean {
  const now = performance.now();
  if (now - windowStartMs < WINDOW_MS) return isBusy;
  const current = performance.eventLoopUtilization();
  isBusy = performance.eventLoopUtilization(current, windowStart).utilization > BUSY;
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
