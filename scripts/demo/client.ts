import { setTimeout as pause } from "node:timers/promises";
import { createClient, ProblemError, type StandingClient } from "@standing/sdk";
import { CommandError } from "@/scripts/lib/command-error.mjs";

/** The service that the demo uses. */
export interface Service {
  url: string;
  /** Reads without a key. */
  visitor: StandingClient;
}

/** Returns the service at `url`. */
export const openService = (url: string): Service => ({ url, visitor: createClient({ url }) });

/** Calls `read` every second until `isDone` returns true. Throws after `timeoutMs`. */
export async function poll<T>(
  read: () => Promise<T>,
  isDone: (value: T) => boolean,
  timeoutMs: number,
): Promise<T> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await pause(1_000)) {
    const value = await read();
    if (isDone(value)) return value;
  }
  const seconds = Math.round(timeoutMs / 1_000);
  throw new CommandError(`The service is not done after ${seconds} s: see /api/health.`);
}

/** Returns what to print if a call failed, or null if the error has another cause. */
export function describeCallError(error: unknown): string | null {
  if (error instanceof ProblemError) {
    return error.problem.type === "about:blank"
      ? `${error.message}. If it is not a Standing service, give its address with --url.`
      : `${error.status} ${error.message}`;
  }
  return error instanceof TypeError && error.message === "fetch failed"
    ? "No service responds: start it with npm start, or give its address with --url."
    : null;
}
