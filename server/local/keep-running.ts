import { setTimeout as pause } from "node:timers/promises";
import { isAlive } from "./process";

interface Part {
  pid: number;
  stop(): Promise<void>;
}

interface Options<P extends Part> {
  /**
   * Starts the process; on a restart `before` is the previous one, whose address must be reused.
   */
  start: (before: P | null) => Promise<P>;
  /** Called after every start but the first. */
  onRestart?: () => Promise<void>;
  /** Receives messages for the user. */
  say: (sentence: string) => void;
}

const LOOK_EVERY_MS = 250;
const NEXT_TRY_MS = 5_000;

/**
 * Starts a process and restarts it whenever it exits unexpectedly, retrying indefinitely. `stop`
 * ends the process and the restarts.
 */
export async function keepRunning<P extends Part>(
  name: string,
  { start, onRestart, say }: Options<P>,
): Promise<{ first: P; stop: () => Promise<void> }> {
  const first = await start(null);
  const stopping = new AbortController();
  const { signal } = stopping;
  let current = first;

  const looking = (async () => {
    while (!signal.aborted) {
      await rest(LOOK_EVERY_MS, signal);
      if (signal.aborted || isAlive(current.pid)) continue;
      say(`${name} ended by itself and is started again.`);
      try {
        current = await start(current);
        await onRestart?.();
        say(`${name} runs again.`);
      } catch (error) {
        say(`${name} cannot be started again: ${error instanceof Error ? error.message : error}`);
        await rest(NEXT_TRY_MS, signal);
      }
    }
  })();

  return {
    first,
    async stop() {
      stopping.abort();
      await looking;
      await current.stop();
    },
  };
}

/** Pauses for `ms` or until the signal aborts. */
const rest = (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal }).catch(() => {});
