import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defineFunction } from "@/server/lib/background-function";
import {
  startTestEngine,
  type TestEngine,
  waitFor,
  waitForEndedRuns,
} from "@/server/testing/engine/engine";

/** Running calls of the step or the function, each with a callback that ends it. */
const inside: { serial: number; leave: () => void }[] = [];
/** Log lines of the engine. */
const lines: string[] = [];
let serial = 0;
const enter = () => {
  serial += 1;
  const current = serial;
  return new Promise<number>((resolve) => {
    inside.push({ serial: current, leave: () => resolve(current) });
  });
};

let it: TestEngine;
beforeAll(async () => {
  const log = pino({ level: "warn" }, { write: (line) => void lines.push(line) });
  it = await startTestEngine(define, { log });
});
afterAll(() => it.close());

function define() {
  return [
    defineFunction(
      { retries: 3, id: "checkpointed", triggers: [{ event: "step" }] },
      async ({ step }) => {
        const entered = await step.run("enter", enter);
        return step.run("after", () => entered);
      },
    ),
    defineFunction({ retries: 3, id: "bare", triggers: [{ event: "bare" }] }, enter),
  ];
}

test.each([
  ["in a step that is checkpointed", "step", "checkpointed"],
  ["in a function without steps", "bare", "bare"],
])(
  "a worker considered dead %s loses its job, and its result is discarded",
  async (_, event, fn) => {
    const { db } = it.database;
    const { sql } = db;
    inside.length = 0;
    lines.length = 0;
    await it.publish(event);
    const [slow] = await waitFor(async () => inside.length === 1 && inside);
    // As another process frees them.
    await sql`update engine_jobs set state = 'ready', worker = null where state = 'running'`;
    const [, second] = await waitFor(async () => inside.length === 2 && inside);
    slow?.leave();
    await waitFor(async () => lines.some((line) => line.includes("taken over")));
    const stored = await sql`select 1 from engine_steps`;
    expect(stored).toHaveLength(0);
    second?.leave();
    const [run] = await waitForEndedRuns(db, fn);
    expect(run?.output).toBe(second?.serial);
    await sql`delete from engine_runs`;
  },
);
