import { sql } from "drizzle-orm";
import { NonRetriableError, RetryAfterError } from "inngest";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { defineFunction } from "@/server/lib/background-function";
import { HOUR_MS } from "@/server/lib/time";
import {
  advanceTime,
  startTestEngine,
  type TestEngine,
  waitFor,
  waitForDueJob,
  waitForEndedRuns,
} from "@/server/testing/engine/engine";
import { listFailedRuns } from "./runs";

const effects: string[] = [];
const effectsOf = (prefix: string) => effects.filter((effect) => effect.startsWith(prefix));
const at = "2999-12-31T23:59:59.000Z";

let it: TestEngine;
beforeAll(async () => {
  it = await startTestEngine(() => [
    defineFunction(
      { id: "later", retries: 3, triggers: [{ event: "later" }] },
      async ({ step, attempt }) => {
        await step.run("before", () => void effects.push("later before"));
        await step.run("stubborn", () => {
          effects.push(`later ${attempt}`);
          if (attempt === 0) throw new RetryAfterError("not yet", "45m");
          if (attempt === 1) throw new RetryAfterError("at a time", new Date(at));
          if (attempt === 2) throw new Error("no time given");
        });
        await step.run("after", () => void effects.push(`later after ${attempt}`));
      },
    ),
    defineFunction({ id: "patient", retries: 1, triggers: [{ event: "patient" }] }, () => {
      throw new RetryAfterError("not yet", "45m");
    }),
    defineFunction({ id: "permanent", retries: 4, triggers: [{ event: "permanent" }] }, () => {
      effects.push("permanent");
      throw new NonRetriableError("never");
    }),
    defineFunction(
      { id: "exhausted", retries: 1, triggers: [{ event: "exhausted" }] },
      ({ attempt }) => {
        throw new Error(`attempt ${attempt}`);
      },
    ),
    defineFunction(
      { id: "caught", retries: 0, triggers: [{ event: "caught" }] },
      async ({ step }) => {
        const answer = await step
          .run("broken", () => {
            throw new Error("caught by the function");
          })
          .catch((error: Error) => error.message);
        return step.run("continues", () => answer);
      },
    ),
  ]);
});
afterAll(() => it.close());

const nextDue = (run: string, attempt: number) =>
  waitFor(async () => {
    const [job] = await it.database.db.execute<{ due: string; seconds: number }>(sql`
      select due_at as due, extract(epoch from due_at - now())::float8 as seconds
      from engine_jobs where run_id = ${run}::uuid and attempt = ${attempt} and state = 'sleeping'`);
    return job;
  });

test("the requested time of a retry is stored exactly", async () => {
  const { db } = it.database;
  await it.publish("later");
  const { run } = await waitForDueJob(db, "later");
  expect((await nextDue(run, 1)).seconds).toBeCloseTo(45 * 60, -1);
  await advanceTime(db, run);
  expect(new Date((await nextDue(run, 2)).due).toISOString()).toBe(at);
  await advanceTime(db, run);
  // No time was requested: the third wait of the engine's own schedule (10 s, 30 s, 60 s …).
  expect((await nextDue(run, 3)).seconds).toBeCloseTo(60, -1);
  await advanceTime(db, run);
  expect((await waitForEndedRuns(db, "later"))[0]?.status).toBe("completed");
  // Attempts count per step: the next step starts at 0 again.
  const attempts = [0, 1, 2, 3].map((attempt) => `later ${attempt}`);
  expect(effectsOf("later")).toEqual(["later before", ...attempts, "later after 0"]);
});

test("a retry delay is exact even if the process clock is an hour behind", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - HOUR_MS });
  try {
    await it.publish("patient");
    const { run } = await waitForDueJob(it.database.db, "patient");
    expect((await nextDue(run, 1)).seconds).toBeCloseTo(45 * 60, -1);
  } finally {
    vi.useRealTimers();
  }
});

test("a failure that is not retriable ends the run at once", async () => {
  await it.publish("permanent");
  const [run] = await waitForEndedRuns(it.database.db, "permanent");
  expect(run).toMatchObject({ status: "failed", output: { message: "never" } });
  expect(effectsOf("permanent")).toHaveLength(1);
});

test("a run without retries left fails, with its error listed", async () => {
  const { db } = it.database;
  const before = await it.engine.status();
  await it.publish("exhausted");
  await advanceTime(db, (await waitForDueJob(db, "exhausted")).run);
  const [run] = await waitForEndedRuns(db, "exhausted");
  expect(run).toMatchObject({ status: "failed", output: { message: "attempt 1" } });
  const [failed] = await listFailedRuns(it.database.db.sql, 1);
  expect(failed).toMatchObject({
    id: run?.id,
    functionId: "standing-exhausted",
    event: "exhausted",
    error: { message: "attempt 1" },
  });
  expect((await it.engine.status()).failed).toBe(before.failed + 1);
});

test("a function can catch a failed step and continue", async () => {
  await it.publish("caught");
  const [run] = await waitForEndedRuns(it.database.db, "caught");
  expect(run).toMatchObject({ status: "completed", output: "caught by the function" });
});
