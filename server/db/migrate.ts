import { join } from "node:path";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import { openDatabase } from "./client";

/** Any number, the same for every process: two that start at once take turns. */
export const MIGRATION_LOCK = 7_265_817;

/** Where this code's migrations are. */
export const MIGRATIONS = join(process.cwd(), "server/db/migrations");

/**
 * Brings the schema up to this code's version, or to that of another `folder`. Safe to run from
 * several processes at once; a schema that is newer already is left as it is.
 */
export async function migrateDatabase(url: string, folder = MIGRATIONS): Promise<void> {
  const { db, sql, close } = openDatabase(url, 1);
  try {
    // The lock ends with its session. One whose host vanished would otherwise last for hours.
    await sql`select set_config('tcp_keepalives_idle', '30', false),
      set_config('tcp_keepalives_interval', '10', false)`;
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await migrate(db, { migrationsFolder: folder });
  } finally {
    await close();
  }
}
