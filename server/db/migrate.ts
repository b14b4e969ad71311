import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { Logger } from "pino";
import type { Database } from "@/server/lib/context";
import { StartupError } from "@/server/lib/errors";
import { openDatabase } from "./client";
import { requireSessions } from "./require-sessions";

/** Key of the advisory lock that serializes migrations; an arbitrary number. */
export const MIGRATION_LOCK = 7_265_817;

/** The first PostgreSQL with `uuidv7()`, and with `old` and `new` in `returning`. */
const MIN_VERSION = 18;

/** The folders of this code's migrations, and of the files that define its functions and triggers. */
export const MIGRATIONS = join(process.cwd(), "server/db/migrations");
export const FUNCTIONS = join(process.cwd(), "server/db/functions");

/**
 * How long a migration waits for a table lock, since every later query of the table queues behind
 * it. After that it is rolled back and retried.
 */
const LOCK_TIMEOUT = "2s";
const RETRY_PAUSE_MS = 1_000;

/** What to migrate to: the folders of this code, unless a test has its own. */
interface MigrateOptions {
  folder?: string;
  functions?: string;
  log?: Logger;
  /** Shows the operator what it waits for, after `silentMs`: by default five seconds. */
  notify?: ((message: string) => void) | undefined;
  silentMs?: number;
}

/**
 * Migrates tables, functions and triggers to this code's version. Safe to run from several processes
 * at once, and while others serve; leaves a newer schema as it is. Throws before any change if
 * PostgreSQL is too old, a pooler in front of it keeps no sessions, or the database is older than the
 * first migration.
 */
export async function migrateDatabase(
  url: string,
  {
    folder = MIGRATIONS,
    functions = FUNCTIONS,
    log,
    notify,
    silentMs = 5_000,
  }: MigrateOptions = {},
): Promise<void> {
  await requireSessions(url);
  const startedAt = Date.now();
  const { db, close } = openDatabase(url, 1);
  const say = (reason: string) => notify?.(`Waiting for a lock of the database: ${reason}.`);
  const waiting = setTimeout(say, silentMs, "another process migrates, restores or rebuilds it");
  try {
    // The lock ends with its session. Without keepalives, the session of a lost host would last for
    // hours.
    await db.sql`select set_config('tcp_keepalives_idle', '30', false),
      set_config('tcp_keepalives_interval', '10', false)`;
    const version = String(db.sql.parameters.server_version);
    if (Number.parseInt(version, 10) < MIN_VERSION) {
      throw new Error(
        `PostgreSQL ${version} is too old; Standing needs version ${MIN_VERSION} or later`,
      );
    }
    await db.sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    clearTimeout(waiting);
    await db.sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, false)`;
    for (let isSaid = false; ; ) {
      try {
        await applyChanges(db, folder, functions);
        return;
      } catch (error) {
        if (!isLockConflict(error)) throw error;
        log?.warn({ err: error }, "a table is in use; the migration will be retried");
        if (!isSaid && Date.now() - startedAt > silentMs) {
          say("a table to be migrated is in use");
          isSaid = true;
        }
        await pause(RETRY_PAUSE_MS);
      }
    }
  } finally {
    clearTimeout(waiting);
    await close();
  }
}

/**
 * Runs the pending migrations and the changed files of functions in one transaction, so that a failed
 * attempt changes nothing. Keeps drizzle's journal, whose own migrator opens a transaction that
 * nothing else can join.
 */
async function applyChanges(db: Database, folder: string, functions: string): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  await db.transaction(async (tx) => {
    await tx.execute(sql`create schema if not exists drizzle`);
    await tx.execute(sql`create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at bigint)`);
    await tx.execute(sql`create table if not exists drizzle.function_files (
      name text primary key, hash text not null)`);
    const [last] = await tx.execute<{ at: string | null }>(
      sql`select max(created_at) as at from drizzle.__drizzle_migrations`,
    );
    const lastAt = Number(last?.at ?? 0);
    if (lastAt > 0 && lastAt < (migrations[0]?.folderMillis ?? 0)) {
      throw new StartupError(
        "The database is of an earlier version, whose tables and registry differ. Use an empty database, and a chain with this version's registry; in local mode, delete the data folder (DATA_DIR).",
      );
    }
    for (const { folderMillis, hash, sql: statements } of migrations) {
      if (folderMillis <= lastAt) continue;
      for (const statement of statements) await tx.execute(sql.raw(statement));
      await tx.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at)
        values (${hash}, ${folderMillis})`);
    }
    // A newer version, which still serves, may have replaced the functions.
    if (lastAt > (migrations.at(-1)?.folderMillis ?? 0)) return;
    const stored = await tx.execute<{ name: string; hash: string }>(
      sql`select name, hash from drizzle.function_files`,
    );
    const hashes = new Map(stored.map(({ name, hash }) => [name, hash]));
    for (const name of readdirSync(functions).sort()) {
      const text = readFileSync(join(functions, name), "utf8");
      const hash = createHash("sha256").update(text).digest("hex");
      if (hashes.get(name) === hash) continue;
      await tx.execute(sql.raw(text));
      await tx.execute(sql`insert into drizzle.function_files (name, hash) values (${name}, ${hash})
        on conflict (name) do update set hash = excluded.hash`);
    }
  });
}

/** Whether the error is a lock time-out or a deadlock. */
function isLockConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: string };
  return code === "55P03" || code === "40P01" || isLockConflict(error.cause);
}
