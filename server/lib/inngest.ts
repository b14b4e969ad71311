import { Inngest } from "inngest";
import type { Logger } from "pino";
import type { Core } from "./context";

/** The application's id at the engine; the prefix of function ids. */
export const APP_ID = "standing";

export type InngestClient = Inngest;

/** The dependencies of every background function. */
export interface FunctionCore extends Core {
  /** Work that outlives the step that started it; shutdown waits for it. */
  backgroundWork?: Set<Promise<unknown>>;
}

/** The SDK's own substitute for `AsyncLocalStorage` in runtimes that lack it. */
const NO_CONTEXT = { getStore: () => undefined, run: (_: unknown, work: () => unknown) => work() };

/**
 * Lets the SDK run functions without `AsyncLocalStorage`: once one is in use, Node 20 calls hooks for every
 * promise of the process (`docs/decisions/async-hooks.md`). Only `group.parallel()` and
 * `group.experiment()` need it, and refuse to run without.
 */
function disableAsyncContext(): void {
  const cache = { promise: Promise.resolve(NO_CONTEXT), resolved: NO_CONTEXT, isFallback: true };
  Object.assign(globalThis, { [Symbol.for("inngest:als")]: cache });
}

export function createInngest(options: {
  isDev: boolean;
  baseUrl?: string;
  eventKey?: string;
  signingKey?: string;
  signingKeyFallback?: string;
  fetch?: typeof fetch;
  /** Replaces the console as the destination of the SDK's messages. */
  logger?: Logger;
}): InngestClient {
  disableAsyncContext();
  return new Inngest({ id: APP_ID, checkpointing: true, ...options });
}
