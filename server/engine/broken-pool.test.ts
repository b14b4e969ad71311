import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endedRuns, type TestEngine, testEngine, until } from "@/server/testing/engine";

let it: TestEngine;
let isSlowRunning = false;
let end = () => {};
const untilTold = new Promise<void>((resolve) => {
  end = resolve;
});
beforeAll(async () => {
  it = await testEngine(({ createFunction }) => [
    createFunction({ id: "slow", triggers: [{ event: "slow" }] }, async () => {
      isSlowRunning = true;
      await untilTold;
      return "ended";
    }),
    createFunction({ id: "quick", triggers: [{ event: "quick" }] }, () => "done"),
  ]);
});
afterAll(() => it.close());

test("a pool that broke is replaced at once, and its job that goes on for long is ended all the same", {
  timeout: 120_000,
}, async () => {
  const { db } = it.database;
  await it.publish("slow");
  await until(async () => isSlowRunning);
  // Refuses what a worker says of a job that is done, and not what the engine itself writes.
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
  await endedRuns(db, "quick");
  await db.execute(sql`drop trigger refuse on graphile_worker._private_jobs`);

  for (const count of [2, 3, 4]) {
    await it.publish("quick");
    await endedRuns(db, "quick", count);
  }
  end();
  expect(await endedRuns(db, "slow")).toMatchObject([{ status: "completed", output: "ended" }]);
});
