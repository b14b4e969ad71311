import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MIGRATIONS } from "@/server/db/migrate";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";

const RUN = "00000000-0000-7000-8000-00000000000";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  // The engine's tables as version 0017 left them, with the queue's that the migration reads.
  await database.db.sql.unsafe(`
    drop table engine_jobs, engine_crons;
    alter table engine_runs drop column key, add column slot text;
    alter table engine_steps drop column wakes_at;
    create table engine_slots (
      id bigint generated always as identity, name text, share text, job_id bigint, call json);
    create schema graphile_worker;
    create table graphile_worker._private_tasks (id int, identifier text);
    create table graphile_worker._private_jobs (
      id bigint generated always as identity, task_id int, payload json, run_at timestamptz);
    insert into graphile_worker._private_tasks
    values (1, 'engine:call'), (2, 'engine:wake'), (3, 'engine:tick'), (4, 'relay:event');
    insert into engine_events (id, name, data, ts) values ('e', 'asked', '{}', 0);
    insert into engine_runs (id, function_id, status, event_id, slot) values
      ('${RUN}1', 'standing-a', 'active', 'e', 'standing-a'),
      ('${RUN}2', 'standing-b', 'active', 'e', 'standing-b:"x"'),
      ('${RUN}3', 'standing-c', 'active', 'e', null),
      ('${RUN}4', 'standing-c', 'completed', 'e', null),
      ('${RUN}5', 'standing-c', 'active', 'e', null);
    insert into engine_steps (run_id, id) values ('${RUN}3', 'nap');
    insert into engine_slots (name, call)
    values ('standing-b', '{"run": "${RUN}2", "step": null, "attempt": 1}');
    insert into graphile_worker._private_jobs (task_id, payload, run_at) values
      (1, '{"run": "${RUN}1", "step": null, "attempt": 2}', '2030-01-01'),
      (2, '{"run": "${RUN}3", "step": "nap", "kind": "sleep"}', '2030-01-02'),
      (3, '{"functionId": "standing-c", "cron": "* * * * *"}', now()),
      (4, '{"event": {"id": "s", "name": "n", "data": {"a": 1}, "ts": 5}, "failures": 3}', '2030-01-03');
  `);
});
afterAll(() => database.close());

test("what waits in graphile-worker's tables waits in the new one", async () => {
  const { sql } = database.db;
  const text = await readFile(join(MIGRATIONS, "0018_jobs.sql"), "utf8");
  await sql.begin((tx) => tx.unsafe(text.replaceAll("--> statement-breakpoint", "")));
  const jobs = await sql`
    select right(run_id::text, 1) as run, function_id, key, event_name, state, attempt,
      to_char(due_at, 'YYYY-MM-DD') as due, due_at <= now() as is_due
    from engine_jobs where function_id <> 'outbox' order by run_id`;
  const common = { event_name: "asked", state: "sleeping" };
  expect(jobs).toMatchObject([
    { run: "1", function_id: "standing-a", key: "", attempt: 2, due: "2030-01-01", ...common },
    { run: "2", function_id: "standing-b", key: '"x"', attempt: 1, is_due: true, ...common },
    { run: "3", function_id: "standing-c", key: "", attempt: 0, due: "2030-01-02", ...common },
    // A run whose job was lost.
    { run: "5", function_id: "standing-c", key: "", attempt: 0, is_due: true, ...common },
  ]);
  expect(await sql`select to_char(wakes_at, 'YYYY-MM-DD') as wakes from engine_steps`).toEqual([
    { wakes: "2030-01-02" },
  ]);
  const sent = await sql`
    select e.id, e.data, j.attempt from engine_jobs j
    join engine_runs r on r.id = j.run_id join engine_events e on e.id = r.event_id
    where j.function_id = 'outbox'`;
  expect(sent).toEqual([
    { id: "outbox:s", data: { id: "s", name: "n", data: { a: 1 }, ts: 5 }, attempt: 3 },
  ]);
  expect(await sql`select from pg_namespace where nspname = 'graphile_worker'`).toHaveLength(0);
});
