import { join } from "node:path";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import { openDatabase } from "./client";

/** Any number, the same for every process: two that start at once take turns. */
const MIGRATION_LOCK = 7_265_817;

/** Brings the schema up to this code's version. Safe to run from several processes at once. */
export async function migrateDatabase(url: string): Promise<void> {
  const { db, sql, close } = openDatabase(url, 1);
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await migrate(db, { migrationsFolder: join(process.cwd(), "server/db/migrations") });
  } finally {
    await close();
  }
}
