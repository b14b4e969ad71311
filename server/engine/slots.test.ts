import { randomUUID } from "node:crypto";
import type { InngestFunction } from "inngest";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { InngestClient } from "@/server/lib/inngest";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import {
  advanceTime,
  createTestEngine,
  waitFor,
  waitForDueJob,
  waitForEndedRuns,
} from "@/server/testing/engine/engine";
import type { Sql } from "./connection";
import { addJob, TASKS } from "./jobs";
import { acquireSlots } from "./slots";

const FUNCTION = "standing-newer";

/** The version that has the function, limited to one call at a time, and the version before it. */
const newer = ({ createFunction }: InngestClient): InngestFunction.Any[] => [
  createFunction({ id: "newer", concurrency: 1, triggers: [{ event: "newer" }] }, () => "done"),
];
const older = ({ createFunction }: InngestClient): InngestFunction.Any[] => [
  createFunction({ id: "older", triggers: [{ event: "older" }] }, () => "done"),
];

let database: TestDatabase;
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  // Creates the queue's own tables.
  const engine = await startEngine(older);
  await engine.stop();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.sql`truncate engine_runs, engine_slots cascade`;
});

async function startEngine(define: typeof newer) {
  const { engine } = createTestEngine(database.url, define);
  await engine.start();
  stops.push(() => engine.stop());
  return engine;
}

/** Inserts a run of the function as its starting event creates it. */
async function insertRun(tx: Sql, status = "active"): Promise<string> {
  const [run] = await tx<{ id: string }[]>`
    with event as (
      insert into engine_events (id, name, data, ts)
      values (gen_random_uuid()::text, 'newer', '{}', 0) returning id
    )
    insert into engine_runs (function_id, status, event_id, slot)
    select ${FUNCTION}::text, ${status}::text, id, ${FUNCTION}::text from event returning id`;
  return run?.id ?? "";
}

/**
 * Inserts the rows that a killed process leaves: a run with this status, and its call as a job that
 * holds a slot.
 */
const insertCrashedCall = (status: "active" | "failed") =>
  database.sql.begin(async (tx) => {
    const run = await insertRun(tx, status);
    const job = await addJob(tx, TASKS.call, { run, step: null, attempt: 0 });
    await tx`insert into engine_slots (name, job_id) values (${FUNCTION}, ${job}::text::bigint)`;
    return run;
  });

/** Inserts a run whose call is queued for a slot. */
const queueCall = () =>
  database.sql.begin(async (tx) => {
    const run = await insertRun(tx);
    const call = JSON.stringify({ run, step: null, attempt: 0 });
    await tx`insert into engine_slots (name, call) values (${FUNCTION}, ${call}::text::json)`;
    return run;
  });

const readSlots = () => database.sql`select job_id from engine_slots`;

test("a call that an older version postpones keeps no slot, and runs later", async () => {
  const { db } = database;
  const crashed = await insertCrashedCall("active");
  const waiting = await queueCall();
  const before = await startEngine(older);
  expect((await waitForDueJob(db, "newer")).run).toBe(crashed);
  await waitFor(async () => (await readSlots()).length === 0);
  await before.stop();
  await startEngine(newer);
  await advanceTime(db, crashed);
  await advanceTime(db, waiting);
  const ended = await waitForEndedRuns(db, "newer", 2);
  expect(ended.map(({ status }) => status)).toEqual(["completed", "completed"]);
  expect(ended.map(({ id }) => id).sort()).toEqual([crashed, waiting].sort());
  await waitFor(async () => (await readSlots()).length === 0);
});

test.each([
  ["its own version", newer],
  ["an older one", older],
])("a call whose run has ended transfers its slot when taken over by %s", async (_, version) => {
  await insertCrashedCall("failed");
  const waiting = await queueCall();
  const engine = await startEngine(version);
  await waitFor(async () => (await readSlots()).every(({ job_id }) => job_id !== null));
  await engine.stop();
  await startEngine(newer);
  await waitFor(async () => {
    await advanceTime(database.db, waiting);
    return (await readSlots()).length === 0;
  });
  const [ended] = await waitForEndedRuns(database.db, "newer");
  expect(ended).toMatchObject({ id: waiting, status: "completed" });
});

test("calls that start in two processes at once share the limit", async () => {
  const { sql } = database;
  // Makes the transactions overlap.
  await sql.unsafe(`
    create function delay() returns trigger language plpgsql as $$
    begin perform pg_sleep(0.2); return null; end $$;
    create trigger delay before insert on engine_slots execute function delay()`);
  const takeJob = async (call: number) => {
    const payload = { call };
    const id = await addJob(sql, TASKS.call, payload);
    await sql`
      update graphile_worker._private_jobs set attempts = 1, locked_at = now(), locked_by = 'a-pool'
      where id = ${id}::text::bigint`;
    return { id, attempts: 1, pool: "a-pool", payload };
  };
  const started = await Promise.all([1, 2, 3].map(takeJob));
  const runId = randomUUID();
  const key = { name: "shared", limit: 2, share: "", perShare: 2 };
  const running = await Promise.all(started.map((job) => acquireSlots(sql, [{ job, runId, key }])));
  await sql`drop trigger delay on engine_slots`;
  expect(running.flat().filter(({ hasSlot }) => hasSlot)).toHaveLength(2);
  const queued = await sql`select call from engine_slots where job_id is null`;
  expect(queued).toHaveLength(1);
  const jobs = await sql`delete from graphile_worker._private_jobs returning id`;
  expect(jobs).toHaveLength(2);
});
