import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defineFunction } from "@/server/lib/background-function";
import { parseEnv } from "@/server/lib/env";
import {
  advanceTime,
  startTestEngine,
  type TestEngine,
  waitFor,
  waitForDueJob,
  waitForEndedRuns,
} from "@/server/testing/engine/engine";
import { openPool } from "./connection";
import { addCrons, fireCrons, getCrons } from "./crons";
import { toRegistered } from "./function-table";

/** Running calls in the order they started; each runs until its gate is opened. */
const inside: { name: string; open: () => void }[] = [];
const enter = (name: string) => new Promise<void>((open) => inside.push({ name, open }));

/** Lets `count` calls finish, one after the other. Returns their order. */
async function openGates(count: number, atATime: number): Promise<string[]> {
  const order: string[] = [];
  while (order.length < count) {
    const first = await waitFor(async () => inside[0]);
    expect(inside.length).toBeLessThanOrEqual(atATime);
    inside.shift();
    order.push(first.name);
    first.open();
  }
  return order;
}

/** Waits until this many calls are running, and this many wait for a permit. */
const waitForCalls = (running: number, waiting: number) =>
  waitFor(async () => {
    const [row] = await it.database.db.execute<{ running: number; waiting: number }>(sql`
      select count(*) filter (where state = 'running')::int as running,
        count(*) filter (where state = 'ready')::int as waiting
      from engine_jobs`);
    return row?.running === running && row.waiting === waiting;
  });

const minutely = defineFunction(
  { id: "minutely", retries: 3, triggers: [{ cron: "* * * * *" }] },
  ({ event }) => event.name,
);

let it: TestEngine;
beforeAll(async () => {
  it = await startTestEngine(() => [
    defineFunction(
      {
        retries: 3,
        id: "one",
        concurrency: { field: "key", perValue: 1 },
        triggers: [{ event: "one" }],
      },
      async ({ event, step }) => {
        await step.run("a", () => enter(`${event.data.name} a`));
        await step.run("b", () => enter(`${event.data.name} b`));
      },
    ),
    defineFunction(
      { retries: 3, id: "two", concurrency: { limit: 2 }, triggers: [{ event: "two" }] },
      ({ event }) => enter(event.data.name),
    ),
    defineFunction(
      {
        retries: 3,
        id: "shared",
        concurrency: { limit: 3, field: "client", perValue: 2 },
        triggers: [{ event: "shared" }],
      },
      ({ event }) => enter(event.data.name),
    ),
    defineFunction(
      { id: "blocked", concurrency: { limit: 1 }, retries: 1, triggers: [{ event: "blocked" }] },
      ({ attempt }) => {
        if (attempt === 0) throw new Error("retried after ten seconds");
      },
    ),
    minutely,
  ]);
});
afterAll(() => it.close());

test("calls under one key run one at a time, independently of other keys", async () => {
  for (const name of ["1", "2", "3", "4"]) await it.publish("one", { key: "A", name });
  await waitForCalls(1, 3);
  await waitFor(async () => inside.length === 1);
  await it.publish("one", { key: "B", name: "other" });
  const other = await waitFor(async () => inside[1]);
  expect(other.name).toBe("other a");
  inside.pop();
  other.open();
  const last = await waitFor(async () => inside[1]);
  inside.pop();
  last.open();
  const order = await openGates(8, 1);
  for (let n = 0; n < 8; n += 2) expect(order[n + 1]).toBe(order[n]?.replace("a", "b"));
  await waitForEndedRuns(it.database.db, "one", 5);
  await waitForCalls(0, 0);
});

test("a limit of two runs two at a time, never three", async () => {
  await Promise.all([1, 2, 3, 4, 5, 6].map((n) => it.publish("two", { name: `${n}` })));
  await waitForCalls(2, 4);
  await waitFor(async () => inside.length === 2);
  expect((await openGates(6, 2)).sort()).toEqual(["1", "2", "3", "4", "5", "6"]);
  await waitForEndedRuns(it.database.db, "two", 6);
  await waitForCalls(0, 0);
});

test("many calls of one client leave permits to others, who then take turns with it", async () => {
  const publish = (client: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        it.publish("shared", { client, name: `${client}${n}` }),
      ),
    );
  await publish("flood", 6);
  await waitForCalls(2, 4);
  await publish("a", 1);
  await waitForCalls(3, 4);
  await waitFor(async () => inside.length === 3);
  expect(inside.map(({ name }) => name)).toContain("a0");
  // Later than the flood, and first when a permit is free.
  await publish("b", 2);
  await waitForCalls(3, 6);
  const flood = inside.findIndex(({ name }) => name.startsWith("flood"));
  inside.splice(flood, 1)[0]?.open();
  await waitFor(async () => inside.length === 3);
  expect(inside.map(({ name }) => name[0]).sort()).toEqual(["a", "b", "f"]);
  await openGates(8, 3);
  await waitForEndedRuns(it.database.db, "shared", 9);
  await waitForCalls(0, 0);
});

test("a call that waits for its retry holds no permit", async () => {
  const { db } = it.database;
  await it.publish("blocked");
  const { run } = await waitForDueJob(db, "blocked");
  await waitForCalls(0, 0);
  await it.publish("blocked");
  await waitFor(async () => {
    const [row] = await db.execute<{ sleeping: number }>(sql`
      select count(*)::int as sleeping from engine_jobs where state = 'sleeping'`);
    return row?.sleeping === 2;
  });
  await advanceTime(db, run);
  expect((await waitForEndedRuns(db, "blocked"))[0]?.status).toBe("completed");
});

const countTicks = async () => {
  const rows = await it.database.db.execute(sql`
    select from engine_runs where function_id = 'standing-minutely'`);
  return rows.length;
};

test("a cron fires at its minute, once across processes", async () => {
  const { db } = it.database;
  const fire = (id: string, lastTick: string) =>
    db.execute(
      sql`update engine_crons set last_tick = now() + ${lastTick}::interval where id = ${id}`,
    );
  const before = await countTicks();
  const crons = getCrons([toRegistered(minutely, parseEnv({}))]);
  await fire("standing-minutely:*", "-1 minute");
  const pool = openPool(it.database.url, 4);
  const fired = await Promise.all([1, 2, 3, 4].map(() => fireCrons(pool, crons)));
  await pool.end();
  // Of four processes and the engine, one starts a run; another one if the minute has ended.
  expect(fired.flat().filter((id) => id === "standing-minutely:*").length).toBeLessThanOrEqual(2);
  const [run] = await waitForEndedRuns(db, "minutely", before + 1);
  expect(run?.output).toBe("inngest/scheduled.timer");
  expect(await countTicks()).toBeLessThanOrEqual(before + 2);
});

test("a cron whose minute is another one fires only if a tick was missed", async () => {
  const { sql: pool } = it.database.db;
  const [clock] = await pool<{ minute: number }[]>`
    select extract(minute from now() + interval '30 minutes')::int as minute`;
  const crons = [{ id: "later", minute: clock?.minute ?? 0, schedule: "", fn: null }];
  await addCrons(pool, crons);
  await pool`update engine_crons set last_tick = now() - interval '1 hour' where id = 'later'`;
  expect(await fireCrons(pool, crons)).toEqual([]);
  // A tick was missed.
  await pool`update engine_crons set last_tick = now() - interval '2 hours' where id = 'later'`;
  expect(await fireCrons(pool, crons)).toEqual(["later"]);
  expect(await fireCrons(pool, crons)).toEqual([]);
});

test("a tick a day in the future is reset, one a minute ahead is not", async () => {
  const { sql: pool } = it.database.db;
  const crons = ["day", "minute"].map((id) => ({ id, minute: null, schedule: "", fn: null }));
  await addCrons(pool, crons);
  await pool`update engine_crons set last_tick = now() + ('1 ' || id)::interval where id in ('day', 'minute')`;
  expect(await fireCrons(pool, crons)).toEqual(["day"]);
});
