import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type postgres from "postgres";

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
 * Returns whether Postgres rejected the data itself (SQLSTATE 22, 23, 42) or this process is
 * closing.
 */
export function isPermanentError(error: unknown): boolean {
  const code = codeOf(error) ?? codeOf((error as { cause?: unknown }).cause);
  return code !== undefined && /^(22|23|42)|^CONNECTION_ENDED$/.test(code);
}

const codeOf = (error: unknown) => (error as { code?: string } | undefined)?.code;

/**
 * A connection or transaction of postgres.js. The engine's few statements run constantly, so they
 * are prepared once per connection, which drizzle's `execute` never does.
 */
export type Sql = postgres.ISql;
