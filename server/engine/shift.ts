import type { Queue } from "./queue";

/** From the first job to the last, and then the end of the connections that jobs needed. */
interface Shift {
  /** Does nothing once the end has begun. */
  begin(start: () => Queue): void;
  standDown(graceMs?: number): Promise<void>;
  stop(graceMs?: number): Promise<void>;
}

const GRACE_MS = 10_000;

/** The working life of an engine or a relay. Ends may be asked for again: they are one. */
export function createShift(close: () => Promise<void>): Shift {
  let queue: Queue | null = null;
  let stoodDown: Promise<void> | null = null;
  let stopped: Promise<void> | null = null;
  const standDown: Shift["standDown"] = (graceMs = GRACE_MS) => {
    stoodDown ??= queue?.stop(graceMs) ?? Promise.resolve();
    return stoodDown;
  };
  return {
    begin(start) {
      if (!stoodDown) queue = start();
    },
    standDown,
    stop(graceMs) {
      stopped ??= standDown(graceMs).then(close);
      return stopped;
    },
  };
}
