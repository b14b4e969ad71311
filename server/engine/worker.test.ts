import { afterAll, beforeAll, expect, test } from "vitest";
import { defineFunction } from "@/server/lib/background-function";
import {
  startTestEngine,
  type TestEngine,
  waitFor,
  waitForEndedRuns,
} from "@/server/testing/engine/engine";

let it: TestEngine;
let calls = 0;
let endSlow = () => {};
beforeAll(async () => {
  it = await startTestEngine(() => [
    defineFunction({ id: "slow", retries: 0, triggers: [{ event: "slow" }] }, async () => {
      calls += 1;
      await new Promise<void>((resolve) => {
        endSlow = resolve;
      });
      return "ended";
    }),
    defineFunction({ id: "quick", retries: 0, triggers: [{ event: "quick" }] }, () => "done"),
  ]);
});
afterAll(() => it.close());

/** Whether the worker of the slow job seems dead to another process. */
async function isConsideredDead(): Promise<boolean> {
  const [row] = await it.database.db.sql<{ dead: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended('standing-worker:' || worker, 0)) as dead
    from engine_jobs where function_id = 'standing-slow'`;
  return row?.dead ?? true;
}

test("a worker whose connections all break goes on, and is considered alive again", async () => {
  const { db } = it.database;
  const { sql } = db;
  await it.publish("slow");
  await waitFor(async () => calls === 1);
  expect(await isConsideredDead()).toBe(false);
  await sql`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  await waitFor(async () => !(await isConsideredDead().catch(() => true)));
  for (const count of [1, 2, 3]) {
    await waitFor(() => it.publish("quick").catch(() => null));
    await waitForEndedRuns(db, "quick", count);
  }
  endSlow();
  expect(await waitForEndedRuns(db, "slow")).toMatchObject([
    { status: "completed", output: "ended" },
  ]);
  expect(calls).toBe(1);
});

test("a worker that stops frees what it could not finish, and its lock", async () => {
  const { sql } = it.database.db;
  await it.publish("slow");
  await waitFor(async () => calls === 2);
  const lock = await sql<{ worker: string }[]>`select worker from engine_jobs`;
  await it.engine.stopWork(50);
  expect(await sql`select state, worker from engine_jobs`).toEqual([
    { state: "ready", worker: null },
  ]);
  const isFree = async () => {
    const [row] = await sql`
      select pg_try_advisory_xact_lock(
        hashtextextended(${`standing-worker:${lock[0]?.worker}`}, 0)) as free`;
    return row?.free;
  };
  await waitFor(isFree);
});
