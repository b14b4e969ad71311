import type { Runtime } from "./boot";

export type { Runtime } from "./boot";

const SLOT = Symbol.for("standing.runtime");

/**
 * Returns the one runtime of this process. `server.ts` stores it before Next starts, so that pages
 * and routes, which Next bundles separately, use the same pools and caches.
 */
export async function getRuntime(): Promise<Runtime> {
  const opened = (globalThis as { [SLOT]?: Runtime })[SLOT];
  if (!opened)
    throw new Error("The service isn't running: Next serves its pages within server.ts.");
  return opened;
}

/** Makes `opened` the process's runtime. */
export function setRuntime(opened: Runtime): void {
  (globalThis as { [SLOT]?: Runtime })[SLOT] = opened;
}
