import { afterAll, beforeAll, expect, test } from "vitest";
import { defineFunction } from "@/server/lib/background-function";
import { startTestEngine, type TestEngine, waitForEndedRuns } from "@/server/testing/engine/engine";
import { retryRuns } from "./work";

let it: TestEngine;
let broken = true;
const calls: string[] = [];
beforeAll(async () => {
  it = await startTestEngine(define);
});
afterAll(() => it.close());

function define() {
  return [
    defineFunction(
      { id: "two-steps", triggers: [{ event: "two-steps" }], retries: 0 },
      async ({ step }) => {
        await step.run("first", () => calls.push("first"));
        return step.run("second", () => {
          calls.push("second");
          if (broken) throw new Error("broken");
          return "repaired";
        });
      },
    ),
  ];
}

test("a retried run continues at its failed step; other runs do not change", async () => {
  await it.publish("two-steps");
  const [failed] = await waitForEndedRuns(it.database.db, "two-steps");
  expect(failed?.status).toBe("failed");
  expect(await retryRuns(it.database.db, "00000000-0000-7000-8000-000000000000")).toEqual([]);
  broken = false;
  expect(await retryRuns(it.database.db, failed?.id)).toEqual([failed?.id]);
  const [ended] = await waitForEndedRuns(it.database.db, "two-steps");
  expect(ended).toEqual({ id: failed?.id, status: "completed", output: "repaired" });
  expect(calls).toEqual(["first", "second", "second"]);
  expect(await retryRuns(it.database.db)).toEqual([]);
});
