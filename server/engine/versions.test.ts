import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type BackgroundFunction, defineFunction } from "@/server/lib/background-function";
import type { Database } from "@/server/lib/context";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { createTestEngine, waitFor, waitForEndedRuns } from "@/server/testing/engine/engine";
import { failedRuns, retryRuns, summarizeRuns } from "./work";

type Define = () => BackgroundFunction[];

/** A version, and the one after it, whose `record` also takes another event and which adds `added`. */
const older: Define = () => [
  defineFunction(
    { retries: 3, id: "record", concurrency: { limit: 1 }, triggers: [{ event: "first" }] },
    () => "older",
  ),
];
const newer: Define = () => [
  defineFunction(
    {
      retries: 3,
      id: "record",
      concurrency: { limit: 1 },
      triggers: [{ event: "first" }, { event: "second" }],
    },
    () => "newer",
  ),
  defineFunction({ retries: 3, id: "added", triggers: [{ event: "third" }] }, () => "added"),
  defineFunction({ retries: 3, id: "minutely", triggers: [{ cron: "* * * * *" }] }, () => "ticked"),
];

const selectFailed = failedRuns.waiting?.select(new Date()) ?? sql``;

let database: TestDatabase;
const stops: (() => Promise<void>)[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await database.close();
});

async function start(define: Define) {
  const engine = createTestEngine(database.url, define());
  await engine.start(undefined);
  stops.push(() => engine.stop());
  let serial = 0;
  const publish = (name: string) =>
    database.db.transaction((tx) =>
      engine.publish(tx, [{ id: `${name}-${++serial}`, name, data: {} }]),
    );
  return { engine, publish };
}

/** Waits until the function has a job that is due, and returns its run. */
const waitForLeftRun = (db: Database, functionId: string) =>
  waitFor(async () => {
    const [job] = await db.execute<{ run: string }>(sql`
      select run_id as run from engine_jobs
      where function_id = ${`standing-${functionId}`} and state = 'ready'`);
    return job?.run;
  });

/** Makes the engine look for jobs that no version takes. */
const markUnknown = (db: Database) =>
  db.execute(sql`
    update engine_crons set last_tick = now() - interval '1 hour' where id = 'engine:mark-unknown'`);

test.each([
  ["an event", "second", "record", "newer"],
  ["a function", "third", "added", "added"],
])(
  "a version that does not know %s leaves the run to one that does",
  async (_, event, functionId, output) => {
    const { db } = database;
    const next = await start(newer);
    await next.engine.stopWork();
    const before = await start(older);
    await next.publish(event);
    const run = await waitForLeftRun(db, functionId);
    // A run that waits for another version holds up none that this version knows.
    await before.publish("first");
    const [first] = await waitForEndedRuns(db, "record");
    expect(first).toMatchObject({ status: "completed", output: "older" });
    await start(newer);
    const ended = await waitFor(async () => {
      const runs = await waitForEndedRuns(db, functionId);
      return runs.find(({ id }) => id === run);
    });
    expect(ended).toMatchObject({ status: "completed", output });
  },
);

test("a version that does not know a function leaves its cron tick to one that does", async () => {
  const { db } = database;
  const next = await start(newer);
  await next.engine.stopWork();
  await start(older);
  await db.execute(sql`
    update engine_crons set last_tick = now() - interval '1 hour' where id like 'standing-%'`);
  const wasOlder = async () => {
    const [cron] = await db.execute<{ due: boolean }>(sql`
      select last_tick < now() - interval '30 seconds' as due from engine_crons
      where id = 'standing-minutely:*'`);
    return cron?.due;
  };
  // The older version has polled twice: it has fired its own crons since.
  for (const _ of [1, 2]) {
    await markUnknown(db);
    await waitFor(async () => {
      const [own] = await db.execute<{ fired: boolean }>(sql`
        select last_tick > now() - interval '5 minutes' as fired from engine_crons
        where id = 'engine:mark-unknown'`);
      return own?.fired;
    });
  }
  expect(await wasOlder()).toBe(true);
  await start(newer);
  const [ended] = await waitForEndedRuns(db, "minutely");
  expect(ended).toMatchObject({ status: "completed", output: "ticked" });
});

test("a run that no version takes is reported after some minutes, and not before", async () => {
  const { db } = database;
  const next = await start(newer);
  await next.engine.stopWork();
  await start(older);
  await next.publish("second");
  const run = await waitForLeftRun(db, "record");
  await markUnknown(db);
  expect(await db.execute(selectFailed)).toHaveLength(0);
  await db.execute(sql`
    update engine_jobs set due_at = now() - interval '10 minutes' where run_id = ${run}::uuid`);
  await markUnknown(db);
  const reported = await waitFor(async () => (await db.execute<{ id: string }>(selectFailed))[0]);
  expect(reported.id).toBe(run);
});

test("restarted runs are summarized: completed, or left to another version", async () => {
  const { db } = database;
  const next = await start(newer);
  await next.engine.stopWork();
  await start(older);
  await next.publish("first");
  await next.publish("second");
  await waitForEndedRuns(db, "record");
  await waitForLeftRun(db, "record");
  await db.execute(sql`delete from engine_jobs`);
  await db.execute(sql`update engine_runs set status = 'failed', finished_at = now()`);
  const ids = await retryRuns(db);
  expect(ids).toHaveLength(2);
  await db.execute(sql`
    update engine_jobs set due_at = now() - interval '10 minutes' where event_name = 'second'`);
  await markUnknown(db);
  await waitFor(
    async () =>
      (await summarizeRuns(db, ids)) ===
      "1 completed, 1 left to a version that knows their function and event",
  );
});
