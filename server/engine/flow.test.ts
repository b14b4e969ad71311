import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  advanceTime,
  startTestEngine,
  type TestEngine,
  waitFor,
  waitForDueJob,
  waitForEndedRuns,
} from "@/server/testing/engine/engine";

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

/** Waits until `held` calls hold a slot and `queued` are queued for one. */
const waitForSlots = (held: number, queued: number) =>
  waitFor(async () => {
    const [row] = await it.database.db.execute<{ held: number; all: number }>(sql`
      select count(job_id)::int as held, count(*)::int as all from engine_slots`);
    return row?.held === held && row.all === held + queued;
  });

let it: TestEngine;
beforeAll(async () => {
  it = await startTestEngine(({ createFunction }) => [
    createFunction(
      { id: "one", concurrency: { limit: 1, key: "event.data.key" }, triggers: [{ event: "one" }] },
      async ({ event, step }) => {
        await step.run("a", () => enter(`${event.data.name} a`));
        await step.run("b", () => enter(`${event.data.name} b`));
      },
    ),
    createFunction({ id: "two", concurrency: 2, triggers: [{ event: "two" }] }, ({ event }) =>
      enter(event.data.name),
    ),
    createFunction(
      {
        id: "shared",
        concurrency: [{ limit: 3 }, { limit: 2, key: "event.data.client" }],
        triggers: [{ event: "shared" }],
      },
      ({ event }) => enter(event.data.name),
    ),
    createFunction(
      { id: "blocked", concurrency: 1, retries: 1, triggers: [{ event: "blocked" }] },
      ({ attempt }) => {
        if (attempt === 0) throw new Error("retried after ten seconds");
      },
    ),
    createFunction({ id: "hourly", triggers: [{ cron: "0 * * * *" }] }, ({ event }) => event.name),
  ]);
});
afterAll(() => it.close());

test("calls under one key run one at a time, independently of other keys", async () => {
  for (const name of ["1", "2", "3", "4"]) await it.publish("one", { key: "A", name });
  await waitForSlots(1, 3);
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
  await waitForSlots(0, 0);
});

test("a limit of two runs two at a time, never three", async () => {
  await Promise.all([1, 2, 3, 4, 5, 6].map((n) => it.publish("two", { name: `${n}` })));
  await waitForSlots(2, 4);
  await waitFor(async () => inside.length === 2);
  expect((await openGates(6, 2)).sort()).toEqual(["1", "2", "3", "4", "5", "6"]);
  await waitForEndedRuns(it.database.db, "two", 6);
  await waitForSlots(0, 0);
});

test("many calls of one client leave slots to others, who then take turns with it", async () => {
  const publish = (client: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        it.publish("shared", { client, name: `${client}${n}` }),
      ),
    );
  await publish("flood", 6);
  await waitForSlots(2, 4);
  await publish("a", 1);
  await waitForSlots(3, 4);
  await waitFor(async () => inside.length === 3);
  expect(inside.map(({ name }) => name)).toContain("a0");
  // Later than the flood, and first when a slot is free.
  await publish("b", 2);
  await waitForSlots(3, 6);
  const flood = inside.findIndex(({ name }) => name.startsWith("flood"));
  inside.splice(flood, 1)[0]?.open();
  await waitFor(async () => inside.length === 3);
  expect(inside.map(({ name }) => name[0]).sort()).toEqual(["a", "b", "f"]);
  await openGates(8, 3);
  await waitForEndedRuns(it.database.db, "shared", 9);
  await waitForSlots(0, 0);
});

test("a call that waits for its retry holds no slot", async () => {
  const { db } = it.database;
  await it.publish("blocked");
  const { run } = await waitForDueJob(db, "blocked");
  expect(await db.execute(sql`select 1 from engine_slots`)).toHaveLength(0);
  await advanceTime(db, run);
  expect((await waitForEndedRuns(db, "blocked"))[0]?.status).toBe("completed");
});

test("a tick a day in the future is reset, one a minute ahead is not", async () => {
  const { db } = it.database;
  const getLead = async (identifier: string) => {
    const [row] = await db.execute<{ seconds: number | null }>(sql`
      select extract(epoch from last_execution - now())::float8 as seconds
      from graphile_worker._private_known_crontabs where identifier = ${identifier}`);
    return row;
  };
  const hourly = "standing-hourly:0 * * * *";
  await waitFor(async () => (await getLead(hourly)) && (await getLead("engine:prune")));
  await db.execute(sql`
    update graphile_worker._private_known_crontabs
    set last_execution = now() + case identifier when ${hourly} then interval '1 day'
      else interval '1 minute' end`);
  // Then the tick of the next minute is later than the stored one.
  await waitFor(async () => ((await getLead(hourly))?.seconds ?? 1) <= 0);
  expect((await getLead("engine:prune"))?.seconds).toBeGreaterThan(0);
});

test("one tick of a cron starts one run, even if several processes fire it", async () => {
  const { db } = it.database;
  const known = await waitFor(async () => {
    const rows = await db.execute<{ identifier: string }>(sql`
      select identifier from graphile_worker._private_known_crontabs order by identifier`);
    return rows.length > 0 && rows;
  });
  expect(known.map((row) => row.identifier)).toContain("standing-hourly:0 * * * *");
  const tick = (ts: string) =>
    db.execute(
      sql`select graphile_worker.add_job('engine:tick', ${JSON.stringify({
        functionId: "standing-hourly",
        cron: "0 * * * *",
        _cron: { ts },
      })}::json)`,
    );
  await Promise.all(["12", "12", "13"].map((hour) => tick(`2999-01-01T${hour}:00:00.000Z`)));
  const runs = await waitForEndedRuns(db, "hourly", 2);
  expect(runs.map((run) => run.output)).toEqual([
    "inngest/scheduled.timer",
    "inngest/scheduled.timer",
  ]);
  await waitFor(async () => (await it.engine.status()).running === 0);
  const all = await db.execute(sql`
    select 1 from engine_runs where function_id = 'standing-hourly'`);
  expect(all).toHaveLength(2);
});
