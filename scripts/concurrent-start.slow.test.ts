import { readFileSync } from "node:fs";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { type ServiceProcess, startInstance } from "@/scripts/testing/npm-start";
import { MIGRATION_LOCK, MIGRATIONS } from "@/server/db/migrate";
import { type LocalChain, startAnvil } from "@/server/local/anvil";
import { findFreePort } from "@/server/local/process";
import { createEmptyDatabase } from "@/server/testing/database";
import { waitFor } from "@/server/testing/engine/engine";
import { ensureBuild } from "./lib/build.mjs";

/** The first start may have to build, and the machine may be busy. */
const TIMEOUT_MS = 600_000;
/** Advisory lock that a test holds to pause a migration. */
const GATE = 4_711;

let chain: LocalChain;
beforeAll(async () => {
  await ensureBuild();
  chain = await startAnvil();
}, TIMEOUT_MS);
afterAll(() => chain.stop());

let url: string;
let sql: postgres.Sql;
const running: ServiceProcess[] = [];
beforeEach(async () => {
  url = await createEmptyDatabase(inject("postgresUrl"));
  sql = postgres(url, { max: 2 });
});
afterEach(async () => {
  for (const service of running.splice(0)) {
    service.child.kill("SIGTERM");
    await service.ended;
  }
  await sql.end();
}, TIMEOUT_MS);

async function start(): Promise<{ port: number; service: ServiceProcess }> {
  const port = await findFreePort();
  const service = startInstance(port, url, chain);
  running.push(service);
  return { port, service };
}

/** Waits until `count` sessions of this database wait for an advisory lock. */
const waitForLockWaiters = (lock: number, count: number) =>
  waitFor(async () => {
    const rows = await sql`
      select from pg_locks where locktype = 'advisory' and not granted and objid = ${lock}
        and database = (select oid from pg_database where datname = current_database())`;
    return rows.length === count;
  });

const getHealthStatus = (port: number) =>
  fetch(`http://127.0.0.1:${port}/api/health`).then(
    ({ status }) => status,
    () => 0,
  );
const waitUntilServing = (port: number) =>
  waitFor(async () => (await getHealthStatus(port)) === 200);

/** Expects every migration to be applied once. */
async function expectCompleteSchema(): Promise<void> {
  const { entries } = JSON.parse(readFileSync(`${MIGRATIONS}/meta/_journal.json`, "utf8"));
  expect(await sql`select from drizzle.__drizzle_migrations`).toHaveLength(entries.length);
}

test(
  "two processes that start during a migration wait for it and then serve",
  async () => {
    const migrating = await sql.reserve();
    await migrating`select pg_advisory_lock(${MIGRATION_LOCK})`;
    const ports = [(await start()).port, (await start()).port];
    await waitForLockWaiters(MIGRATION_LOCK, 2);
    expect(await Promise.all(ports.map(getHealthStatus))).toEqual([0, 0]);
    expect(await sql`select from pg_tables where schemaname = 'public'`).toHaveLength(0);
    await migrating`select pg_advisory_unlock(${MIGRATION_LOCK})`;
    migrating.release();
    for (const port of ports) await waitUntilServing(port);
    await expectCompleteSchema();
  },
  TIMEOUT_MS,
);

test(
  "a process killed during a migration leaves nothing behind, and the next one migrates completely",
  async () => {
    // Creating the first index waits for the gate; by then, tables exist.
    await sql.unsafe(`
      create function pause_migration() returns event_trigger language plpgsql as
        $$ begin
          while not pg_try_advisory_xact_lock_shared(${GATE}) loop perform pg_sleep(0.02); end loop;
        end $$;
      create event trigger pause_migration on ddl_command_start when tag in ('CREATE INDEX')
        execute function pause_migration();`);
    const gate = await sql.reserve();
    await gate`select pg_advisory_lock(${GATE})`;
    const { service: first } = await start();
    await waitFor(async () => {
      const paused = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep'`;
      return paused.length > 0;
    });
    const { port } = await start();
    await waitForLockWaiters(MIGRATION_LOCK, 1);
    first.signalAll("SIGKILL");
    await first.ended;
    expect(await getHealthStatus(port)).toBe(0);
    await gate`select pg_advisory_unlock(${GATE})`;
    gate.release();
    await waitUntilServing(port);
    await expectCompleteSchema();
  },
  TIMEOUT_MS,
);
