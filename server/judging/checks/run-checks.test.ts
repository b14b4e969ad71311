import { afterAll, expect, test, vi } from "vitest";
import { closeWorkerPool } from "@/server/lib/process/worker-pool";
import { runChecksOffline } from "@/server/testing/model/offline-checks";
import type { CheckInput, CheckResult } from "./check";
import { type CheckFault, checkTexts } from "./check-texts";
import { CUT_OFF } from "./non-answers/unfinished";
import { createCheckRunner, isUnfinished } from "./run-checks";
import { citedPagesExist } from "./sources/cited-pages";

// Threads start slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });
afterAll(() => closeWorkerPool());

/** Just below the size of the thread for ordinary texts. */
const LONG_TEXT = "The river carries water to the sea, and the delta grows. ".repeat(400);
const toInput = (task: string, text: string): CheckInput => ({ task, category: "content", text });
const INPUT = toInput('Name a river. Include the word "Rhine".', "The Rhine is a river.");

test("text checks run in the worker thread", async () => {
  const facts = await runChecksOffline(INPUT);
  expect(facts.map(({ id, check, result }) => [id, check, result.outcome])).toEqual([
    ["k1", "refusal", "pass"],
    ["k2", "cut-off", "pass"],
    ["k3", "stated-limit", "pass"],
    ["k4", "cited-pages-exist", "not-applicable"],
    ["k5", "quotations-on-pages", "not-applicable"],
  ]);
});

test("beside texts with many requirements from one address, another waits for at most one", async () => {
  const order: string[] = [];
  await runChecksOffline(INPUT);
  const task = Array.from({ length: 200 }, (_, n) => `Include the word "term${n}x".`).join("\n");
  const flood = Array.from({ length: 4 }, (_, n) =>
    runChecksOffline(toInput(task.slice(0, 1_900), `${LONG_TEXT}${n}`), {
      queueKey: ["an address", "a wallet"],
    }).then(() => order.push("flood")),
  );
  const innocent = runChecksOffline(INPUT, {
    queueKey: ["another address", "another wallet"],
  }).then(() => order.push("innocent"));
  await Promise.all([...flood, innocent]);
  expect(order.indexOf("innocent")).toBeLessThanOrEqual(1);
});

const fail = () => {
  throw new TypeError("private words");
};

test.each<[string, "run" | "extract" | "describe", () => unknown, string]>([
  ["throws an error", "run", fail, "TypeError at .*fail "],
  ["throws while it reads the task", "extract", fail, "TypeError"],
  ["throws while it describes what it demands", "describe", fail, "TypeError"],
])("a check that %s is unfinished, and the others run", (_, method, implementation, error) => {
  const others = checkTexts(INPUT).checked.filter(({ check }) => check !== CUT_OFF.name);
  vi.spyOn(CUT_OFF, method).mockImplementation(implementation as () => never);
  const { checked, faults } = checkTexts(INPUT);
  expect(checked.filter(({ check }) => check !== CUT_OFF.name)).toEqual(others);
  expect(checked.find(({ check }) => check === CUT_OFF.name)?.result).toEqual({
    outcome: "not-applicable",
    observed: "the check could not be completed",
    isUnfinished: true,
  } satisfies CheckResult);
  expect(faults).toEqual([{ check: CUT_OFF.name, error: expect.stringMatching(`^${error}`) }]);
  expect(JSON.stringify(faults)).not.toContain("private");
});

test.each<[string, () => unknown]>([
  ["cannot observe", fail],
  [
    "observes what cannot be sent to the worker thread",
    async () => ({ page: (() => {}) as never }),
  ],
])("a check that %s is unfinished", async (_, observe) => {
  vi.spyOn(citedPagesExist, "observe").mockImplementation(observe as () => never);
  const faults: CheckFault[] = [];
  const io = { fetchCitedPage: vi.fn(), runCode: vi.fn() };
  const facts = await createCheckRunner(io, (fault) => faults.push(fault))(INPUT);
  expect(facts.filter(isUnfinished)).toMatchObject([{ check: citedPagesExist.name }]);
  expect(faults).toMatchObject([{ check: citedPagesExist.name }]);
});
