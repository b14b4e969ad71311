import { sql } from "drizzle-orm";
import type { InngestFunction } from "inngest";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { InngestClient } from "@/server/lib/inngest";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import {
  advanceTime,
  createTestEngine,
  waitFor,
  waitForDueJob,
  waitForEndedRuns,
} from "@/server/testing/engine/engine";
import { addJob, TASKS } from "./jobs";
import { retryRuns, selectFailedRuns, summarizeRuns } from "./retry";

type Define = (inngest: InngestClient) => InngestFunction.Any[];

/** A version, and the one after it, whose `record` also takes another event and which adds `added`. */
const older: Define = ({ createFunction }) => [
  createFunction({ id: "record", concurrency: 1, triggers: [{ event: "first" }] }, () => "older"),
];
const newer: Define = ({ createFunction }) => [
  createFunction(
    { id: "record", concurrency: 1, triggers: [{ event: "first" }, { event: "second" }] },
    () => "newer",
  ),
  createFunction({ id: "added", triggers: [{ event: "third" }] }, () => "added"),
  createFunction({ id: "hourly", triggers: [{ cron: "0 * * * *" }] }, () => "ticked"),
];

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
  const { engine } = createTestEngine(database.url, define);
  await engine.start();
  stops.push(() => engine.stop());
  let serial = 0;
  const publish = (name: string) =>
    database.db.transaction((tx) =>
      engine.publish(tx, [{ id: `${name}-${++serial}`, name, data: {} }]),
    );
  return { engine, publish };
}

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
    const { run } = await waitForDueJob(db, functionId);
    // A run that waits for another version holds up none that this version knows.
    await before.publish("first");
    const [first] = await waitForEndedRuns(db, "record");
    expect(first).toMatchObject({ status: "completed", output: "older" });
    await start(newer);
    const ended = await waitFor(async () => {
      await advanceTime(db, run);
      const runs = await waitForEndedRuns(db, functionId);
      return runs.find(({ id }) => id === run);
    });
    expect(ended).toMatchObject({ status: "completed", output });
  },
);

test("a version that does not know a function leaves its cron tick to one that does", async () => {
  const { db } = database;
  await start(older);
  const tick = (age: string) =>
    db.execute<{ ts: string }>(sql`select now() - ${age}::interval as ts`).then(([row]) =>
      addJob(database.sql, TASKS.tick, {
        functionId: "standing-hourly",
        cron: "0 * * * *",
        _cron: { ts: new Date(row?.ts ?? "").toISOString() },
      }),
    );
  const ticks = () =>
    db.execute<{ id: string; due: boolean }>(sql`
      select id::text, run_at <= now() as due from graphile_worker._private_jobs j
      where payload->>'functionId' = 'standing-hourly' and payload->'_cron' is not null`);
  // The function's next tick makes a missed one obsolete.
  await tick("2 hours");
  await waitFor(async () => (await ticks()).length === 0);
  await tick("1 second");
  await waitFor(async () => (await ticks()).some(({ due }) => !due));
  await start(newer);
  await db.execute(sql`
    update graphile_worker._private_jobs set run_at = now()
    where payload->>'functionId' = 'standing-hourly'`);
  const [ended] = await waitForEndedRuns(db, "hourly");
  expect(ended).toMatchObject({ status: "completed", output: "ticked" });
});

test("a run that no version takes is reported after some minutes, and not before", async () => {
  const { db } = database;
  const next = await start(newer);
  await next.engine.stopWork();
  await start(older);
  await next.publish("second");
  const { run } = await waitForDueJob(db, "record");
  expect(await db.execute(selectFailedRuns)).toHaveLength(0);
  await db.execute(sql`
    update graphile_worker._private_jobs set payload = jsonb_set(payload::jsonb, '{unknownSince}',
      to_jsonb(now() - interval '10 minutes'))::json, run_at = now()
    where payload->>'run' = ${run}`);
  await waitForDueJob(db, "record");
  const [reported] = await db.execute<{ id: string }>(selectFailedRuns);
  expect(reported?.id).toBe(run);
});

test("restarted runs are summarized: completed, or left to another version", async () => {
  const { db } = database;
  const next = await start(newer);
  await next.engine.stopWork();
  await start(older);
  await next.publish("first");
  await next.publish("second");
  await waitForEndedRuns(db, "record");
  await waitForDueJob(db, "record");
  // As an earlier version left them, which did not postpone the second one.
  await db.execute(
    sql`delete from graphile_worker._private_jobs where payload->>'run' is not null`,
  );
  await db.execute(sql`update engine_runs set status = 'failed', finished_at = now()`);
  const ids = await retryRuns(db);
  expect(ids).toHaveLength(2);
  await waitFor(
    async () =>
      (await summarizeRuns(db, ids)) ===
      "1 completed, 1 left to a version that knows their function and event",
  );
});
