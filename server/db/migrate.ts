import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import type { Logger } from "pino";
import { openDatabase } from "./client";

/** Key of the advisory lock that serializes migrations; an arbitrary number. */
export const MIGRATION_LOCK = 7_265_817;

/** The first PostgreSQL with `uuidv7()`, and with `old` and `new` in `returning`. */
const MIN_VERSION = 18;

/** The folder of this code's migrations. */
export const MIGRATIONS = join(process.cwd(), "server/db/migrations");

/**
 * How long a migration waits for a table lock, since every later query of the table queues behind
 * it. After that it is rolled back and retried.
 */
const LOCK_TIMEOUT = "2s";
const RETRY_PAUSE_MS = 1_000;

/**
 * Migrates the schema to this code's version, or to that of another `folder`. Safe to run from
 * several processes at once, and while others serve; leaves a newer schema as it is. Throws before
 * any change if PostgreSQL is too old.
 */
export async function migrateDatabase(
  url: string,
  { folder = MIGRATIONS, log }: { folder?: string; log?: Logger } = {},
): Promise<void> {
  const { db, sql, close } = openDatabase(url, 1);
  try {
    // The lock ends with its session. Without keepalives, the session of a lost host would last for
    // hours.
    await sql`select set_config('tcp_keepalives_idle', '30', false),
      set_config('tcp_keepalives_interval', '10', false)`;
    const version = String(sql.parameters.server_version);
    if (Number.parseInt(version, 10) < MIN_VERSION) {
      throw new Error(
        `PostgreSQL ${version} is too old; Standing needs version ${MIN_VERSION} or later`,
      );
    }
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, false)`;
    for (;;) {
      try {
        // All pending migrations run in one transaction, so a failed attempt changes nothing.
        await migrate(db, { migrationsFolder: folder });
        return;
      } catch (error) {
        if (!isLockConflict(error)) throw error;
        log?.warn({ err: error }, "a table is in use; the migration will be retried");
        await pause(RETRY_PAUSE_MS);
      }
    }
  } finally {
    await close();
  }
}

/** Whether the error is a lock time-out or a deadlock. */
function isLockConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: string };
  return code === "55P03" || code === "40P01" || isLockConflict(error.cause);
}
