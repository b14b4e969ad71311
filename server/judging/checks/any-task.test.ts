import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { closeWorkerPool } from "@/server/lib/process/worker-pool";
import { anyTask } from "@/server/testing/fixtures/any-task";
import { scaleRuns } from "@/server/testing/scale-runs";
import { CHECKS } from "./check-list";
import type { CheckFault } from "./check-texts";
import { createCheckRunner, isUnfinished } from "./run-checks";

afterAll(() => closeWorkerPool());

const RUNS = scaleRuns(50);
/** The same tasks in every run; another seed makes others. */
const SEED = 7;
/** The others need code or pages that hardly any generated deliverable has. */
const MIN_APPLIED_SHARE = 0.8;

test("every check returns JSON through the worker thread, for generated tasks", async () => {
  const faults: CheckFault[] = [];
  const applied = new Set<string>();
  const runChecks = createCheckRunner(
    {
      fetchCitedPage: async () => ({ kind: "page", text: "The Rhine flows.", isPartial: false }),
      runCode: async () => ({ kind: "unavailable", reason: "not started" }),
    },
    (fault) => faults.push(fault),
  );
  await fc.assert(
    fc.asyncProperty(anyTask, async (input) => {
      const facts = await runChecks(input);
      expect(faults).toEqual([]);
      expect(facts.filter(isUnfinished)).toEqual([]);
      expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
      for (const { check, result } of facts) {
        if (result.outcome !== "not-applicable") applied.add(check);
      }
    }),
    // Shrinking would repeat the runs hundreds of times.
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
  expect(applied.size / CHECKS.length).toBeGreaterThan(MIN_APPLIED_SHARE);
}, 300_000);
