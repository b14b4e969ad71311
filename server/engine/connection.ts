import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type postgres from "postgres";
import { isPermanentError } from "@/server/db/permanent-error";

/** Pauses between attempts: a restart of the database must not lose a result. */
const PAUSES_MS = [50, 250, 1_000, 3_000, 10_000, 20_000];

/**
 * Runs database work that must not be lost, and retries it while the database is unavailable or
 * after transactions conflicted. Throws errors that a retry cannot fix: see `isPermanentError`.
 */
export async function retryTransient<T>(log: Logger, work: () => Promise<T>): Promise<T> {
  for (const ms of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (isPermanentError(error)) throw error;
      log.warn({ err: error }, "engine: write failed, retrying");
      await pause(ms);
    }
  }
  return work();
}

/**
 * A connection or transaction of postgres.js. The engine's few statements run constantly, so they
 * are prepared once per connection, which drizzle's `execute` never does.
 */
export type Sql = postgres.ISql;
