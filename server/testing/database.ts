import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import { type DatabaseHandle, openDatabase } from "@/server/db/client";
import type { Database } from "@/server/lib/context";

export const TEMPLATE = "standing_template";

export interface TestDatabase extends DatabaseHandle {
  url: string;
}

/** Creates a migrated, empty database on the run's Postgres; `close` ends its pool. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject("postgresUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const admin = postgres(server, { max: 1 });
  // Copies of one template wait for each other only while they are created.
  await admin`select pg_advisory_lock(1)`;
  await admin.unsafe(`create database ${name} template ${TEMPLATE}`);
  await admin.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { ...openDatabase(url.href), url: url.href };
}

/** Deletes all rows. On tables of a few rows, this takes a small fraction of the time of `truncate`. */
export async function deleteAllRows({ db }: Pick<DatabaseHandle, "db">): Promise<void> {
  // As a replica, the database neither checks references nor runs triggers.
  await db.sql.unsafe(`
    do $$ declare relation text; begin
      set local session_replication_role = replica;
      for relation in select tablename from pg_tables where schemaname = 'public' loop
        execute format('delete from %I', relation);
      end loop;
    end $$`);
}

/** Creates an empty database and returns its URL. */
export async function createEmptyDatabase(server: string): Promise<string> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const admin = postgres(server, { max: 1 });
  // Not template1, which other tests may be copying or connected to.
  await admin.unsafe(`create database ${name} template template0`);
  await admin.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Returns how many transactions of the database wait for a lock. */
export async function countWaiting({ sql }: Pick<Database, "sql">): Promise<number> {
  const [row] = await sql<{ waiting: number }[]>`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return row?.waiting ?? 0;
}
