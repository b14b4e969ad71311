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

/** Between two renderings, in which the process handles the requests that arrived. */
const PAUSE_MS = 20;

interface WarmUp {
  /** Renders a page without counting towards any limit. */
  render: RenderPage;
  /** The `Host` of the requests. */
  host: string;
  log: Logger;
  /** Aborts when the service stops. */
  signal: AbortSignal;
}

/**
 * Renders public pages after a start, one at a time, so that their first visitors don't wait for
 * compilers, modules and query plans. Never rejects: if a rendering fails, it logs a warning and ends.
 */
export async function warmUp({ render, host, log, signal }: WarmUp): Promise<void> {
  try {
    for (const path of PAGES) {
      const { status } = await render(path, { host });
      if (status !== 200) throw new Error(`${path} returned ${status}`);
      await pause(PAUSE_MS, undefined, { signal, ref: false });
    }
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, "the warm-up of the pages failed");
  }
}
