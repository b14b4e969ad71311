import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createEmptyDatabase } from "@/server/testing/database";
import { waitFor } from "@/server/testing/engine/engine";
import { MIGRATION_LOCK, MIGRATIONS, migrateDatabase } from "./migrate";

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

test("changes nothing when run again", async () => {
  const before = await tables();
  await migrateDatabase(url);
  expect(await tables()).toEqual(before);
  expect(await applied()).toBe(journal.entries.length);
});

test("waits while another process migrates", async () => {
  const migrating = await sql.reserve();
  await migrating`select pg_advisory_lock(${MIGRATION_LOCK})`;
  let done = false;
  const second = migrateDatabase(url).then(() => {
    done = true;
  });
  await waitFor(async () => {
    const waiting = await sql`
      select from pg_locks where locktype = 'advisory' and not granted
        and objid = ${MIGRATION_LOCK}
        and database = (select oid from pg_database where datname = current_database())`;
    return waiting.length === 1;
  });
  expect(done).toBe(false);
  await migrating`select pg_advisory_unlock(${MIGRATION_LOCK})`;
  migrating.release();
  await second;
});
