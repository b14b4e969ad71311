import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defineFunction } from "@/server/lib/background-function";
import {
  createTestEngine,
  startTestEngine,
  type TestEngine,
  waitFor,
  waitForEndedRuns,
} from "@/server/testing/engine/engine";
import { pruneRuns } from "./runs";

let it: TestEngine;
let pending: (() => void)[] = [];
beforeAll(async () => {
  it = await startTestEngine(define);
});
afterAll(() => it.close());

function define() {
  return [
    defineFunction(
      { retries: 3, id: "echo", triggers: [{ event: "echo" }] },
      ({ event }) => event.data,
    ),
    defineFunction(
      { retries: 3, id: "unstorable", triggers: [{ event: "unstorable" }] },
      async ({ event, step }) => {
        // Postgres stores no NUL in a text.
        await step.sleepUntil(event.data.name, new Date(0));
        return event.data.name;
      },
    ),
    defineFunction({ retries: 3, id: "held", triggers: [{ event: "held" }] }, async ({ step }) => {
      await step.run("wait", () => new Promise<void>((open) => pending.push(open)));
    }),
  ];
}

const count = async (table: string) => {
  const [row] = await it.database.db.execute<{ n: number }>(
    sql`select count(*)::int as n from ${sql.raw(table)}`,
  );
  return row?.n ?? 0;
};
const counts = () => Promise.all(["engine_events", "engine_runs", "engine_jobs"].map(count));

test("a rolled back transaction publishes nothing", async () => {
  const before = await counts();
  const failing = it.database.db.transaction(async (tx) => {
    await it.publishIn(tx, [{ id: "undone", name: "echo", data: {} }]);
    throw new Error("the change did not happen");
  });
  await expect(failing).rejects.toThrow("did not happen");
  expect(await counts()).toEqual(before);
});

test("events with the same id are one event, even if published concurrently", async () => {
  const event = { id: "same", name: "echo", data: { n: 1 } };
  const publish = () => it.database.db.transaction((tx) => it.publishIn(tx, [event, event]));
  await Promise.all([publish(), publish(), publish()]);
  await publish();
  const [run] = await waitForEndedRuns(it.database.db, "echo");
  expect(run?.output).toEqual({ n: 1 });
  await waitFor(async () => (await count("engine_jobs")) === 0);
  expect(await count("engine_runs")).toBe(1);
});

test("a result that the database rejects fails its own run, not those that end at the same time", async () => {
  const { db } = it.database;
  const names = ["1", "2", "3", "4", "with\u0000NUL", "5", "6", "7"];
  await Promise.all(names.map((name) => it.publish("unstorable", { name })));
  const runs = await waitForEndedRuns(db, "unstorable", names.length);
  const failed = runs.filter(({ status }) => status === "failed");
  expect(failed).toMatchObject([
    { output: { message: expect.stringMatching(/^the result cannot be stored/) } },
  ]);
  const outputs = runs.filter(({ status }) => status === "completed").map(({ output }) => output);
  expect(outputs.sort()).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
});

test("two processes share the jobs", async () => {
  const url = it.database.url;
  const others = [1, 2].map(() => createTestEngine(url, define(), { concurrency: 1 }));
  await it.engine.stop();
  await Promise.all(others.map((engine) => engine.start(undefined)));
  pending = [];
  const [one, two] = others;
  if (!one || !two) throw new Error("two engines");
  await it.database.db.transaction((tx) =>
    one.publish(
      tx,
      ["h1", "h2"].map((id) => ({ id, name: "held", data: {} })),
    ),
  );
  // Each engine runs one job at a time, so two running calls mean that both engines work.
  await waitFor(async () => pending.length === 2);
  // Stopping waits for running calls.
  const stopped = Promise.all(others.map((engine) => engine.stop()));
  for (const open of pending) open();
  await stopped;
  const runs = await waitForEndedRuns(it.database.db, "held", 2);
  expect(runs.map((run) => run.status)).toEqual(["completed", "completed"]);
});

test("a call that outlasts the grace period is repeated by another process", async () => {
  const { url, db } = it.database;
  pending = [];
  const slow = createTestEngine(url, define());
  await slow.start(undefined);
  await db.transaction((tx) => slow.publish(tx, [{ id: "long", name: "held", data: {} }]));
  await waitFor(async () => pending.length === 1);
  await slow.stop(100);
  const next = createTestEngine(url, define());
  await next.start(undefined);
  await db.execute(sql`update engine_jobs set due_at = now()`);
  await waitFor(async () => pending.length === 2);
  for (const open of pending) open();
  const runs = await waitForEndedRuns(db, "held", 3);
  expect(runs.at(-1)?.status).toBe("completed");
  await next.stop();
});

test("prunes old runs and events that no active run needs", async () => {
  const { db } = it.database;
  await db.execute(sql`insert into engine_events (id, name, data, ts, created_at) values
    ('old', 'x', '{}', 0, now() - interval '31 days'),
    ('old-but-needed', 'x', '{}', 0, now() - interval '31 days')`);
  await db.execute(sql`insert into engine_runs (function_id, status, event_id, finished_at) values
    ('pruned', 'completed', 'old', now() - interval '31 days'),
    ('kept', 'completed', 'old', now() - interval '29 days'),
    ('kept', 'active', 'old-but-needed', null)`);
  await pruneRuns(it.database.db.sql, 30);
  const left = await db.execute(sql`
    select function_id from engine_runs where function_id in ('kept', 'pruned')`);
  expect(left).toEqual([{ function_id: "kept" }, { function_id: "kept" }]);
  const events = await db.execute(sql`select id from engine_events where name = 'x'`);
  expect(events).toEqual([{ id: "old-but-needed" }]);
});
