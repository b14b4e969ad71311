import { setTimeout as pause } from "node:timers/promises";
import type { GetStepTools, Inngest } from "inngest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defineFunction } from "@/server/lib/background-function";
import { HOUR_MS, MINUTE_MS } from "@/server/lib/time";
import {
  advanceTime,
  startTestEngine,
  type TestEngine,
  waitFor,
  waitForDueJob,
  waitForEndedRuns,
} from "@/server/testing/engine/engine";

/** External effects of the functions, which a stored step must not repeat. */
const effects: string[] = [];
const record = <T>(effect: string, result: T): T => {
  effects.push(effect);
  return result;
};
const effectsOf = (prefix: string) => effects.filter((effect) => effect.startsWith(prefix)).sort();

/** Defined outside of the function, so that the registration does not detect the step. */
const waitForReply = (step: GetStepTools<Inngest>) =>
  step.waitForEvent("reply", { event: "reply", timeout: "1d" });

let it: TestEngine;
beforeAll(async () => {
  it = await startTestEngine(() => [
    defineFunction(
      { retries: 3, id: "sequence", triggers: [{ event: "sequence" }] },
      async ({ step, event }) => {
        const a = await step.run("a", () => record("sequence a", Number(event.data.n)));
        const b = await step.run("b", () => record("sequence b", a + 1));
        return step.run("c", () => record("sequence c", { z: b, a: "x\u0000y", none: undefined }));
      },
    ),
    defineFunction(
      { retries: 3, id: "unbuffered", checkpointing: false, triggers: [{ event: "unbuffered" }] },
      async ({ step }) => {
        const a = await step.run("a", () => record("unbuffered a", 1));
        return a + (await step.run("b", () => record("unbuffered b", 2)));
      },
    ),
    defineFunction(
      { retries: 3, id: "slow", checkpointing: { maxRuntime: 1 }, triggers: [{ event: "slow" }] },
      async ({ step }) => {
        const a = await step.run("a", async () => {
          await pause(20);
          return record("slow a", 1);
        });
        return a + (await step.run("b", () => record("slow b", 2)));
      },
    ),
    defineFunction(
      { retries: 3, id: "sleeper", triggers: [{ event: "sleeper" }] },
      async ({ step, event }) => {
        await step.run("before", () => record("sleeper before", null));
        await step.sleepUntil("nap", new Date(event.data.until));
        await step.sleepUntil("until", new Date("2999-01-01T00:00:00Z"));
        return "awake";
      },
    ),
    defineFunction(
      { retries: 3, id: "unstorable", checkpointing: false, triggers: [{ event: "unstorable" }] },
      // Postgres stores no NUL in a text.
      ({ event, step }) => step.run({ id: "a", name: event.data.name }, () => event.data.name),
    ),
    defineFunction({ retries: 3, id: "parallel", triggers: [{ event: "parallel" }] }, ({ step }) =>
      Promise.all([step.run("left", () => "left"), step.run("right", () => "right")]),
    ),
    defineFunction({ retries: 3, id: "waiter", triggers: [{ event: "waiter" }] }, ({ step }) =>
      waitForReply(step as GetStepTools<Inngest>),
    ),
  ]);
});
afterAll(() => it.close());

test("steps run once each, and their results are returned byte for byte", async () => {
  await it.publish("sequence", { n: 1 });
  const [run] = await waitForEndedRuns(it.database.db, "sequence");
  expect(run).toMatchObject({ status: "completed", output: { z: 2, a: "x\u0000y" } });
  expect(JSON.stringify(run?.output)).toBe('{"z":2,"a":"x\\u0000y"}');
  expect(effectsOf("sequence")).toEqual(["sequence a", "sequence b", "sequence c"]);
});

test("a function without checkpointing is called once for each step", async () => {
  await it.publish("unbuffered");
  const [run] = await waitForEndedRuns(it.database.db, "unbuffered");
  expect(run?.output).toBe(3);
  expect(effectsOf("unbuffered")).toEqual(["unbuffered a", "unbuffered b"]);
});

test("a step after a slow one runs in another call", async () => {
  await it.publish("slow");
  const [run] = await waitForEndedRuns(it.database.db, "slow");
  expect(run).toMatchObject({ status: "completed", output: 3 });
  expect(effectsOf("slow")).toEqual(["slow a", "slow b"]);
});

test("sleeps are stored as due times, and the steps before are not repeated", async () => {
  const { db } = it.database;
  const until = new Date(Date.now() + HOUR_MS);
  await it.publish("sleeper", { until });
  const nap = await waitForDueJob(db, "sleeper");
  expect(Math.abs(nap.due.getTime() - until.getTime())).toBeLessThan(MINUTE_MS);
  await advanceTime(db, nap.run);
  const long = await waitFor(async () => {
    const job = await waitForDueJob(db, "sleeper");
    return job.due.getTime() !== nap.due.getTime() && job;
  });
  expect(long.due.toISOString()).toBe("2999-01-01T00:00:00.000Z");
  await advanceTime(db, nap.run);
  expect((await waitForEndedRuns(db, "sleeper"))[0]?.output).toBe("awake");
  expect(effectsOf("sleeper")).toEqual(["sleeper before"]);
});

test.each([
  ["parallel", "StepPlanned"],
  ["waiter", "WaitForEvent"],
])("a step that the engine does not support fails the run and is named: %s", async (fn, op) => {
  await it.publish(fn);
  const [run] = await waitForEndedRuns(it.database.db, fn);
  expect(run?.status).toBe("failed");
  expect(JSON.stringify(run?.output)).toContain(op);
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
