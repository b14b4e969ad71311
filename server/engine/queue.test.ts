import { sql } from "drizzle-orm";
import { RetryAfterError } from "inngest";
import pino from "pino";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import {
  startTestEngine,
  type TestEngine,
  waitFor,
  waitForDueJob,
  waitForEndedRuns,
} from "@/server/testing/engine/engine";
import { TASKS } from "./jobs";
import { createPoolLocks } from "./pool-locks";

let it: TestEngine;
let isSlowRunning = false;
let endSlow = () => {};
beforeAll(async () => {
  it = await startTestEngine(({ createFunction }) => [
    createFunction({ id: "slow", triggers: [{ event: "slow" }] }, async () => {
      isSlowRunning = true;
      await new Promise<void>((resolve) => {
        endSlow = resolve;
      });
      return "ended";
    }),
    createFunction({ id: "put-off", triggers: [{ event: "put-off" }] }, () => {
      throw new RetryAfterError("not yet", "6h");
    }),
    createFunction({ id: "quick", triggers: [{ event: "quick" }] }, () => "done"),
  ]);
});
afterAll(() => it.close());

const countLivePools = async () => {
  const [found] = await it.database.db.execute<{ count: number }>(sql`
    select count(*)::int as count from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`);
  return found?.count ?? 0;
};

test("a broken pool is replaced at once, and its long job still ends", {
  timeout: 120_000,
}, async () => {
  const { db } = it.database;
  await it.publish("slow");
  await waitFor(async () => isSlowRunning);
  // Rejects a worker's update of a finished job, but not what the engine itself writes.
  await db.execute(sql`
    create function refuse() returns trigger language plpgsql as $$
    begin
      if current_query() like '%_private_jobs as jobs%' then raise exception 'no'; end if;
      return null;
    end $$`);
  await db.execute(sql`
    create trigger refuse before delete on graphile_worker._private_jobs
    for each statement execute function refuse()`);
  await it.publish("quick");
  await waitForEndedRuns(db, "quick");
  await waitFor(async () => (await countLivePools()) === 2);
  await db.execute(sql`drop trigger refuse on graphile_worker._private_jobs`);

  for (const count of [2, 3, 4]) {
    await it.publish("quick");
    await waitForEndedRuns(db, "quick", count);
  }
  endSlow();
  expect(await waitForEndedRuns(db, "slow")).toMatchObject([
    { status: "completed", output: "ended" },
  ]);
});

test("a job whose failure a broken pool could not report is picked up again by the same process", {
  timeout: 120_000,
}, async () => {
  const { db } = it.database;
  /** A call that fails because of a bug in the engine. */
  const addBrokenCall = async (payload: object) => {
    const [job] = await db.execute<{ id: string }>(sql`
      select id::text from graphile_worker.add_job(${TASKS.call}, ${JSON.stringify(payload)}::json)`);
    const attempts = async () => {
      const [found] = await db.execute<{ attempts: number }>(sql`
        select attempts from graphile_worker._private_jobs where id = ${job?.id}::text::bigint`);
      return found?.attempts ?? 0;
    };
    await waitFor(async () => (await attempts()) > 0);
    return attempts;
  };
  const unreported = await db.transaction(async (tx) => {
    await tx.execute(sql`lock table engine_runs in access exclusive mode`);
    await addBrokenCall({ run: "waits for the lock before it fails" });
    await db.execute(sql`
      create function refuse_failure() returns trigger language plpgsql as $$
      begin
        if current_query() like '%last_error =%' then raise exception 'no'; end if;
        return null;
      end $$`);
    await db.execute(sql`
      create trigger refuse_failure before update on graphile_worker._private_jobs
      for each statement execute function refuse_failure()`);
    const attempts = await addBrokenCall({});
    await waitFor(async () => (await countLivePools()) === 2);
    await db.execute(sql`drop trigger refuse_failure on graphile_worker._private_jobs`);
    return attempts;
  });
  await waitFor(async () => (await unreported()) > 1);
  await waitFor(async () => (await countLivePools()) === 1);
});

test("a job that failed in the engine is retried soon, however often it was picked up", async () => {
  const { db } = it.database;
  const isDueSoon = async (run: string) => {
    const [job] = await db.execute<{ soon: boolean }>(sql`
      select run_at < now() + interval '1 hour' as soon
      from graphile_worker._private_jobs where payload->>'run' = ${run}`);
    return job?.soon;
  };
  await it.publish("put-off");
  const postponed = await waitForDueJob(db, "put-off");
  expect(await isDueSoon(postponed.run)).toBe(false);
  await it.publish("put-off");
  const failed = await waitFor(async () => {
    const [run] = await db.execute<{ id: string }>(sql`
      select r.id from engine_runs r
      join graphile_worker._private_jobs j on j.payload->>'run' = r.id::text
      where r.id <> ${postponed.run}::uuid and r.function_id like '%put-off' and j.run_at > now()`);
    return run;
  });
  // The state in which graphile-worker leaves it after a task threw.
  await db.execute(sql`
    update graphile_worker._private_jobs set last_error = 'the database was unavailable', attempts = 10
    where payload->>'run' = ${failed.id}`);
  await waitFor(() => isDueSoon(failed.id));
  expect(await isDueSoon(postponed.run)).toBe(false);
});

const log = pino({ level: "silent" });
let database: TestDatabase;
let connection: postgres.Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = postgres(database.url, { max: 1 });
});
afterAll(async () => {
  await connection.end();
  await database.close();
});

const isConsideredDead = async (poolId: string) => {
  const [row] = await connection`
    select pg_try_advisory_xact_lock(hashtextextended('standing-pool:' || ${poolId}, 0)) as dead`;
  return row?.dead;
};

test("a pool lives until its lock is released, even if it was acquired while the session opened", async () => {
  const locks = createPoolLocks(database.url, log);
  await Promise.all([
    locks.freeDeadPools(),
    locks.acquire("pool-a"),
    locks.acquire("pool-a"),
    locks.acquire("pool-b"),
  ]);
  expect(await isConsideredDead("pool-a")).toBe(false);
  await locks.release("pool-a");
  expect(await isConsideredDead("pool-a")).toBe(true);
  expect(await isConsideredDead("pool-b")).toBe(false);
  await locks.close();
  expect(await isConsideredDead("pool-b")).toBe(true);
});

test("locks are acquired again, each once, when their session breaks", async () => {
  const locks = createPoolLocks(database.url, log);
  await locks.acquire("pool-c");
  const [session] = await connection`
    select pid from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`;
  await connection`select pg_terminate_backend(${session?.pid}, 5000)`;
  await Promise.all([
    locks.freeDeadPools().catch(() => {}),
    locks.acquire("pool-d").catch(() => {}),
  ]);
  await expect.poll(() => isConsideredDead("pool-c")).toBe(false);
  await expect.poll(() => isConsideredDead("pool-d")).toBe(false);
  for (const pool of ["pool-c", "pool-d"]) {
    await locks.release(pool);
    expect(await isConsideredDead(pool), pool).toBe(true);
  }
  await locks.close();
});
