import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { createEmptyDatabase } from "@/server/testing/database";
import { waitFor } from "@/server/testing/engine/engine";
import { FUNCTIONS, MIGRATION_LOCK, MIGRATIONS, migrateDatabase } from "./migrate";

let url: string;
let sql: postgres.Sql;
beforeAll(async () => {
  url = await createEmptyDatabase(inject("postgresUrl"));
  sql = postgres(url, { max: 2 });
});
afterAll(() => sql.end());

const journal = JSON.parse(readFileSync(`${MIGRATIONS}/meta/_journal.json`, "utf8"));

const tables = async () => {
  const rows = await sql`
    select table_name as name from information_schema.tables where table_schema = 'public' order by 1`;
  return rows.map(({ name }) => name as string);
};
const applied = async () => (await sql`select from drizzle.__drizzle_migrations`).length;

test("applies each migration once if several processes start at once", async () => {
  await Promise.all([1, 2, 3].map(() => migrateDatabase(url)));
  expect(await applied()).toBe(journal.entries.length);
  expect((await tables()).length).toBeGreaterThan(10);
});

test("refuses an older PostgreSQL, and names its version, before it writes anything", async () => {
  const empty = await createEmptyDatabase(inject("postgresUrl"));
  const older = await startRenamedDatabase(empty, "17");
  await expect(migrateDatabase(older.url)).rejects.toThrow(
    /^PostgreSQL 17\.\d+.* is too old; Standing needs version 18 or later$/,
  );
  await older.close();
  const check = postgres(empty, { max: 1 });
  expect(await check`select from pg_namespace where nspname = 'drizzle'`).toHaveLength(0);
  expect(await check`select from pg_tables where schemaname = 'public'`).toHaveLength(0);
  await check.end();
});

/** Starts a proxy for the database at `url` which reports another major version of two digits. */
async function startRenamedDatabase(url: string, major: string) {
  const { hostname, port } = new URL(url);
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    client.pipe(server);
    server.on("data", (data) => {
      const text = data.toString("latin1");
      const renamed = text.replace(/(server_version\0)\d\d/, `$1${major}`);
      client.write(Buffer.from(renamed, "latin1"));
    });
    server.on("close", () => client.destroy());
  });
  await new Promise<void>((ready) => proxy.listen(0, "127.0.0.1", ready));
  const reachable = new URL(url);
  reachable.port = String((proxy.address() as AddressInfo).port);
  return {
    url: reachable.href,
    close: () => new Promise((closed) => proxy.close(closed)),
  };
}

test("refuses a database that is older than the first migration, and says what to do", async () => {
  const old = await createEmptyDatabase(inject("postgresUrl"));
  await migrateDatabase(old);
  const db = postgres(old, { max: 1 });
  await db`update drizzle.__drizzle_migrations set created_at = created_at - 1`;
  await expect(migrateDatabase(old)).rejects.toThrow(/earlier version.*delete the data folder/);
  await db.end();
});

test("changes nothing when run again", async () => {
  const before = await tables();
  await migrateDatabase(url);
  expect(await tables()).toEqual(before);
  expect(await applied()).toBe(journal.entries.length);
});

/** Returns this code's functions with one more file, which defines `answer()`. */
function addFunction(body: string): string {
  const folder = mkdtempSync(join(tmpdir(), "functions-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(FUNCTIONS, folder, { recursive: true });
  writeFileSync(
    join(folder, "zz.sql"),
    `create or replace function answer() returns integer language sql as $$ ${body} $$;`,
  );
  return folder;
}

/** Returns a folder with these of the migrations. */
function copyMigrations(entries: unknown[]): string {
  const folder = mkdtempSync(join(tmpdir(), "migrations-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(MIGRATIONS, folder, { recursive: true });
  writeFileSync(join(folder, "meta/_journal.json"), JSON.stringify({ ...journal, entries }));
  return folder;
}

/** Returns a folder with one more migration, as a later version of the code would have. */
function addMigration(statement: string, versionsLater = 1): string {
  const last = journal.entries.at(-1);
  const entry = { ...last, idx: last.idx + 1, when: last.when + versionsLater, tag: "next" };
  const folder = copyMigrations([...journal.entries, entry]);
  writeFileSync(join(folder, "next.sql"), statement);
  return folder;
}

const answer = async () => (await sql`select answer()`)[0]?.answer;

test("replaces functions when their file changes, and only then", async () => {
  await migrateDatabase(url, { functions: addFunction("select 1") });
  expect(await answer()).toBe(1);
  await migrateDatabase(url, { functions: addFunction("select 2") });
  expect(await answer()).toBe(2);
  const version = () =>
    sql`select xmin from pg_proc where proname ~ '^(answer|explorer_|network_)'`;
  const before = await version();
  await migrateDatabase(url, { functions: addFunction("select 2") });
  expect(await version()).toEqual(before);
});

test("changes neither tables nor functions if a file of functions fails", async () => {
  const folder = addMigration("create table half_done ()");
  const functions = addFunction("select missing from nowhere");
  await expect(migrateDatabase(url, { folder, functions })).rejects.toThrow();
  expect(await tables()).not.toContain("half_done");
  expect(await answer()).toBe(2);
});

test("an older version leaves the functions of a newer one", async () => {
  const newer = addMigration("create table newer ()");
  await migrateDatabase(url, { folder: newer, functions: addFunction("select 3") });
  await migrateDatabase(url, { functions: addFunction("select 2") });
  expect(await answer()).toBe(3);
});

test("waits while another process migrates or uses a table, and says so after some seconds", async () => {
  const notices: string[] = [];
  const migrating = await sql.reserve();
  await migrating`select pg_advisory_lock(${MIGRATION_LOCK})`;
  const folder = addMigration("alter table agents add column waited_for integer", 2);
  let done = false;
  const notify = (message: string) => notices.push(message);
  const second = migrateDatabase(url, { folder, notify, silentMs: 500 }).then(() => {
    done = true;
  });
  await waitFor(async () => {
    const waiting = await sql`
      select from pg_locks where locktype = 'advisory' and not granted
        and objid = ${MIGRATION_LOCK}
        and database = (select oid from pg_database where datname = current_database())`;
    return waiting.length === 1;
  });
  const first =
    "Waiting for a lock of the database: another process migrates, restores or rebuilds it.";
  await expect.poll(() => notices).toEqual([first]);
  await sql.begin(async (user) => {
    await user`select from agents`;
    await migrating`select pg_advisory_unlock(${MIGRATION_LOCK})`;
    const last = "Waiting for a lock of the database: a table to be migrated is in use.";
    await expect.poll(() => notices).toEqual([first, last]);
  });
  expect(done).toBe(false);
  migrating.release();
  await second;
});
