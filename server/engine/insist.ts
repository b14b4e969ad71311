import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";

/** Waits between attempts: a restart of the database is no reason to lose a result. */
const PAUSES_MS = [50, 250, 1_000, 3_000, 10_000, 20_000];

/**
 * Does database work that must not be lost, again while the database is away or two transactions
 * stood in each other's way. Throws what another attempt cannot mend: see `isHopeless`.
 */
export async function insist<T>(log: Logger, work: () => Promise<T>): Promise<T> {
  for (const ms of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (isHopeless(error)) throw error;
      log.warn({ err: error }, "engine: cannot write, trying again");
      await pause(ms);
    }
  }
  return work();
}

/** Postgres refused the data itself (SQLSTATE 22, 23, 42), or this process is closing. */
export function isHopeless(error: unknown): boolean {
  const code = codeOf(error) ?? codeOf((error as { cause?: unknown }).cause);
  return code !== undefined && /^(22|23|42)|^CONNECTION_ENDED$/.test(code);
}

const codeOf = (error: unknown) => (error as { code?: string } | undefined)?.code;
