import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { RenderPage } from "./render-page";

/**
 * The pages in order. The first rendering of a process takes 190 ms of CPU, because it loads
 * Next's modules; the eighth takes 30. Statements use the connections of the pool in turn, and the first
 * search of each loads the text index. Hardly any agent matches the term, so the search is cheap.
 */
const PAGES = [
  ...Array<string>(8).fill("/leaderboard"),
  ...Array<string>(4).fill("/search?q=quixotically"),
];

/** Share of a moment above which a process is busy. A client that sends one search after another takes 0.3. */
const BUSY = 0.1;
const MOMENT_MS = 50;
/** After as many busy moments, about a minute, requests have done what the warm-up would do. */
const MAX_MOMENTS = 1_200;

interface WarmUp {
  /** Renders a page without counting towards any limit. */
  render: RenderPage;
  /** The `Host` of the requests. */
  host: string;
  log: Logger;
  /** Aborts when the service stops. */
  signal: AbortSignal;
  /** Returns the share of a short time during which this process worked; tests replace it. */
  measureLoad?: () => Promise<number>;
}

/**
 * Renders public pages after a start, one at a time, so that their first visitors don't wait for
 * compilers, modules and query plans. The first rendering begins at once; each further one waits until
 * the process has nothing else to do. Never rejects: if a rendering fails, it logs a warning and ends.
 */
export async function warmUp({
  render,
  host,
  log,
  signal,
  measureLoad = measureEventLoop,
}: WarmUp): Promise<void> {
  try {
    for (const [n, path] of PAGES.entries()) {
      if (n > 0 && !(await waitUntilIdle(measureLoad, signal))) return;
      const { status } = await render(path, { host });
      if (status !== 200) throw new Error(`${path} returned ${status}`);
    }
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, "the warm-up of the pages failed");
  }
}

/** Resolves to false if the process stays busy for long, or stops. */
async function waitUntilIdle(
  measureLoad: () => Promise<number>,
  signal: AbortSignal,
): Promise<boolean> {
  for (let moment = 0; moment < MAX_MOMENTS && !signal.aborted; moment++) {
    if ((await measureLoad()) < BUSY) return !signal.aborted;
  }
  return false;
}

async function measureEventLoop(): Promise<number> {
  const before = performance.eventLoopUtilization();
  await pause(MOMENT_MS, undefined, { ref: false });
  return performance.eventLoopUtilization(before).utilization;
}
