import { type ELDHistogram, monitorEventLoopDelay } from "node:perf_hooks";

/** By how many milliseconds timers ran late. */
export interface EventLoopDelay {
  p99Ms: number;
  maxMs: number;
}

export interface EventLoopWatch {
  /** The delay over the last 30 to 60 seconds. */
  read(): EventLoopDelay;
  stop(): void;
}

const WINDOW_MS = 30_000;
const RESOLUTION_MS = 10;

/** Measures how long this process's event loop is blocked. */
export function watchEventLoop(): EventLoopWatch {
  // Two histograms that are reset in turn, so that one always covers a whole window.
  let [older, newer] = [startHistogram(), startHistogram()];
  const rotation = setInterval(() => {
    older.reset();
    [older, newer] = [newer, older];
  }, WINDOW_MS);
  rotation.unref();
  return {
    read: () => ({ p99Ms: toTimerDelayMs(older.percentile(99)), maxMs: toTimerDelayMs(older.max) }),
    stop() {
      clearInterval(rotation);
      older.disable();
      newer.disable();
    },
  };
}

function startHistogram(): ELDHistogram {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return histogram;
}

/** Returns the milliseconds beyond a timer's interval, from the nanoseconds between two runs. */
function toTimerDelayMs(nanoseconds: number): number {
  const delay = nanoseconds / 1e6 - RESOLUTION_MS;
  return Number.isFinite(delay) ? Math.max(0, Math.round(delay * 10) / 10) : 0;
}
