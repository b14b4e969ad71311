import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { createCrashEngine } from "@/server/testing/engine/crash-process";
import { waitFor } from "@/server/testing/engine/engine";
import type { Engine } from "./engine";

const EVENTS = 20;
const KILLS = 2;

let database: TestDatabase;
let publisher: Engine;
const children = new Set<ChildProcess>();
beforeEach(async () => {
  await database.db.sql`truncate effects, engine_events, engine_runs cascade`;
});
beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.sql`create table effects (
    id int generated always as identity, event text, step text, memoised boolean)`;
  publisher = createCrashEngine(database.url, database.db.sql);
});
afterAll(async () => {
  for (const child of children) await kill(child);
  await publisher.stop();
  await database.close();
});

function spawnWorker(): ChildProcess {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "server/testing/engine/crash-process.ts", database.url],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  children.add(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  children.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** Publishes events of these ids in one transaction. */
const publish = (ids: string[]) =>
  database.db.transaction((tx) =>
    publisher.publish(
      tx,
      ids.map((id) => ({ id, name: "chain", data: {} })),
    ),
  );

const waitForAllEnded = (runs: number) =>
  waitFor(async () => {
    const ended = await database.db.sql`
      select output, status from engine_runs where finished_at is not null`;
    return ended.length >= runs && ended;
  });

/** Expects that each run completed once, no stored step ran again, and nothing remains. */
async function expectCompleted(ids: string[]): Promise<void> {
  const done = await waitForAllEnded(ids.length);
  expect(done.every((run) => run.status === "completed")).toBe(true);
  expect(done.map((run) => run.output).sort()).toEqual([...ids].sort());
  const steps = await database.db.sql`select event, step, memoised from effects`;
  expect(steps.filter((step) => step.memoised)).toEqual([]);
  expect(new Set(steps.map((step) => `${step.event} ${step.step}`)).size).toBe(ids.length * 4);
  expect(await count("engine_runs")).toBe(ids.length);
  expect(await count("engine_events")).toBe(ids.length);
  await waitFor(async () => (await lockedBy()).length === 0);
  expect(await count("engine_jobs")).toBe(0);
}

const count = async (table: string) => {
  const [row] = await database.db.sql`select count(*)::int as n from ${database.db.sql(table)}`;
  return Number(row?.n);
};
const lockedBy = async () =>
  (
    await database.db.sql<{ worker: string }[]>`
      select distinct worker from engine_jobs where state = 'running'`
  ).map(({ worker }) => worker);

test("jobs of killed workers are taken over; nothing is lost and no stored step is repeated", async () => {
  let [one, two] = [spawnWorker(), spawnWorker()];
  const ids = Array.from({ length: EVENTS }, (_, n) => `chain-${n}`);
  await publish(ids);
  for (let killed = 0; killed < KILLS; killed += 1) {
    const seen = await count("effects");
    await waitFor(async () => (await count("effects")) > seen + 8);
    const before = await lockedBy();
    expect(before.length).toBeGreaterThan(0);
    await kill(one);
    [one, two] = [two, spawnWorker()];
  }
  await expectCompleted(ids);
  await kill(one);
  await kill(two);
}, 120_000);

/** Writes of the engine at which its connection breaks. */
const WRITES = [
  "update on engine_jobs",
  "insert on engine_steps",
  "update on engine_runs",
  "delete on engine_jobs",
];

test("connections that break within a transaction lose nothing and repeat no stored step", async () => {
  const { sql } = database.db;
  const ids = Array.from({ length: 12 }, (_, n) => `broken-${n}`);
  await publish(ids);
  // Not undone with the transaction, so each write breaks one connection only.
  for (const [n] of WRITES.entries()) await sql`create sequence ${sql(`broken_${n}`)}`;
  await sql.unsafe(`
    create function break_connection() returns trigger language plpgsql as $$
    begin
      if nextval(tg_argv[0]::regclass) = 3 then
        perform pg_terminate_backend(pg_backend_pid());
      end if;
      return null;
    end $$`);
  for (const [n, write] of WRITES.entries()) {
    await sql.unsafe(`create trigger break_${n} after ${write}
      for each statement execute function break_connection('broken_${n}')`);
  }
  const engine = createCrashEngine(database.url, sql);
  await engine.start(undefined);
  await expectCompleted(ids);
  for (const [n] of WRITES.entries()) {
    const [{ last_value } = {}] = await sql`select last_value::int from ${sql(`broken_${n}`)}`;
    expect(last_value, WRITES[n]).toBeGreaterThanOrEqual(3);
  }
  await engine.stop();
}, 120_000);
