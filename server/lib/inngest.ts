import { Inngest } from "inngest";
import type { Logger } from "pino";

/** The application's id at the engine; the prefix of function ids. */
export const APP_ID = "standing";

export type InngestClient = Inngest;

export function createInngest(options: {
  isDev: boolean;
  baseUrl?: string;
  eventKey?: string;
  signingKey?: string;
  signingKeyFallback?: string;
  /** Replaces the console as the destination of the SDK's messages. */
  logger?: Logger;
}): InngestClient {
  return new Inngest({ id: APP_ID, checkpointing: true, ...options });
}
