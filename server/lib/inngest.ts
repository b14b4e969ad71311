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
  return new Inngest({ id: APP_ID, checkpointing: true, ...options });
}
