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

let it: TestEngine;
beforeAll(async () => {
  it = await startTestEngine(() => [
    defineFunction(
      { retries: 3, id: "sequence", triggers: [{ event: "sequence" }] },
      async ({ step, event }) => {
        const a = await step.run("a", () => record("sequence a", Number(event.data.n)));
        const b = await step.run("b", () => record("sequence b", a + 1));
        return step.run("c", () => record("sequence c", { z: b, a: "x\u0000y" }));
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
