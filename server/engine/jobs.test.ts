import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { defineFunction } from "@/server/lib/background-function";
import { parseEnv } from "@/server/lib/env";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { createTestEngine } from "@/server/testing/engine/engine";
import { openPool } from "./connection";
import { toRegistered } from "./function-table";
import { freeDeadJobs, lockPickups, lockWorker, takeJobs } from "./jobs";

const shared = defineFunction(
  { id: "shared", retries: 0, concurrency: { limit: 2 }, triggers: [{ event: "shared" }] },
  () => {},
);
const functions = [toRegistered(shared, parseEnv({}))];

let database: TestDatabase;
let pool: ReturnType<typeof openPool>;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.url, 4);
});
afterAll(async () => {
  await pool.end();
  await database.close();
});
beforeEach(async () => {
  await database.db.sql`truncate engine_events, engine_runs cascade`;
});

async function publish(count: number): Promise<void> {
  const engine = createTestEngine(database.url, [shared]);
  await database.db.transaction((tx) =>
    engine.publish(
      tx,
      Array.from({ length: count }, (_, n) => ({ id: `${n}`, name: "shared", data: {} })),
    ),
  );
  await engine.stop();
}

const take = (worker: string, limit: number) =>
  pool.begin(async (tx) => {
    await lockPickups(tx);
    return takeJobs(tx, { functions, worker, limit });
  });

test("jobs that two processes take at once share the limit", async () => {
  await publish(3);
  // Makes the transactions overlap.
  await database.db.sql.unsafe(`
    create function delay() returns trigger language plpgsql as $$
    begin perform pg_sleep(0.2); return null; end $$;
    create trigger delay before update on engine_jobs execute function delay()`);
  const taken = await Promise.all(["a", "b", "c"].map((worker) => take(worker, 1)));
  await database.db.sql`drop trigger delay on engine_jobs`;
  expect(taken.flat()).toHaveLength(2);
});

test("a process takes no more than it can run, and the jobs of one that lives are its own", async () => {
  await publish(2);
  expect(await take("dead", 1)).toHaveLength(1);
  const lock = (worker: string) =>
    database.db.sql`select pg_advisory_lock(hashtextextended(${`standing-worker:${worker}`}, 0))`;
  await lock("alive");
  expect(await take("alive", 5)).toHaveLength(1);
  expect(await freeDeadJobs(pool, "another")).toBe(1);
  const rows = await database.db.sql`select worker, state from engine_jobs order by worker`;
  expect(rows).toEqual([
    { worker: "alive", state: "running" },
    { worker: null, state: "ready" },
  ]);
});

test.each([
  ["that takes jobs", lockPickups],
  ["that shows that its process is alive", lockWorker],
])("a session %s ends if its process hangs or vanishes", async (_, lock) => {
  const settings = await pool.begin(async (tx) => {
    await lock(tx, "a worker");
    return tx`select name, setting from pg_settings
      where name in ('idle_in_transaction_session_timeout', 'tcp_keepalives_idle', 'tcp_keepalives_interval')
      order by name`;
  });
  expect(settings).toEqual([
    { name: "idle_in_transaction_session_timeout", setting: "10000" },
    { name: "tcp_keepalives_idle", setting: "30" },
    { name: "tcp_keepalives_interval", setting: "10" },
  ]);
});
