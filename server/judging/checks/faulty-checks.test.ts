import { afterAll, describe, expect, test, vi } from "vitest";
import { closeWorkerPool } from "@/server/lib/process/worker-pool";
import { toCanonical } from "@/server/testing/model/canonical-case";
import { builtinJudge, runChecksOffline } from "@/server/testing/model/offline-checks";
import type { CheckResult } from "./check";
import { type CheckFault, checkTexts } from "./check-texts";
import { CUT_OFF } from "./non-answers/unfinished";
import { createCheckRunner, isUnfinished } from "./run-checks";
import { citedPagesExist } from "./sources/cited-pages";

afterAll(() => closeWorkerPool());

const INPUT = {
  task: "Evaluate the expression 5 + (4 x 10).",
  category: "research",
  text: "5 + (4 × 10) = 5 + 40 = 45\n\nThe answer is 45.",
} as const;
const CHECK = "cut-off";

test("a finished text passes its check in the worker thread", async () => {
  const facts = await runChecksOffline(INPUT);
  const { result } = facts.find(({ check }) => check === CHECK) ?? {};
  expect(result).toEqual({ outcome: "pass", observed: "ends as finished work does" });
});

describe("a check is not applicable, and the others run, if it", () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  test.each<[string, () => unknown, string]>([
    ["throws an error", () => BigInt("private words"), "SyntaxError at "],
    [
      "throws a value",
      () => {
        throw { private: "words" };
      },
      "thrown object",
    ],
    ["returns a cycle", () => circular, "TypeError at JSON.stringify"],
    ["returns a bigint", () => ({ outcome: "pass", observed: 1n }), "TypeError at JSON.stringify"],
    ["returns nothing", () => undefined, "TypeError at "],
  ])("%s", (_, run, error) => {
    const others = checkTexts(INPUT).checked.filter(({ check }) => check !== CHECK);
    vi.spyOn(CUT_OFF, "run").mockImplementation(run as () => CheckResult);
    const { checked, faults } = checkTexts(INPUT);
    expect(checked.filter(({ check }) => check !== CHECK)).toEqual(others);
    expect(checked.find(({ check }) => check === CHECK)?.result).toEqual({
      outcome: "not-applicable",
      observed: "not checked: the check failed",
      isFaulty: true,
    });
    expect(faults).toEqual([{ check: CHECK, error: expect.stringMatching(`^${error}`) }]);
    expect(JSON.stringify(faults)).not.toContain("private");
  });

  test("throws while it reads the task", () => {
    vi.spyOn(CUT_OFF, "extract").mockImplementation(() => {
      throw new Error("private words");
    });
    const { checked, faults } = checkTexts(INPUT);
    expect(checked.find(({ check }) => check === CHECK)?.result.isFaulty).toBe(true);
    expect(checked.length).toBeGreaterThan(1);
    expect(faults).toMatchObject([{ check: CHECK }]);
  });
});

describe("in the main thread, a fault is contained and reported if a check", () => {
  const run = async () => {
    const faults: CheckFault[] = [];
    const io = { fetchCitedPage: vi.fn(), runCode: vi.fn() };
    const facts = await createCheckRunner(io, (fault) => faults.push(fault))(INPUT);
    return { facts, faults };
  };
  const fail = () => {
    throw new TypeError("private words");
  };

  test("cannot observe", async () => {
    vi.spyOn(citedPagesExist, "observe").mockImplementation(fail);
    const { facts, faults } = await run();
    const { name } = citedPagesExist;
    expect(facts.filter(isUnfinished)).toMatchObject([{ check: name, text: expect.any(String) }]);
    expect(faults).toEqual([
      { check: name, error: expect.stringMatching("^TypeError at .*fail ") },
    ]);
  });

  test("observes what cannot be sent to the worker thread", async () => {
    vi.spyOn(citedPagesExist, "observe").mockResolvedValue({ page: (() => {}) as never });
    const { facts, faults } = await run();
    expect(facts.filter(isUnfinished)).toMatchObject([{ check: citedPagesExist.name }]);
    expect(faults).toHaveLength(1);
  });

  test("cannot describe its requirement", async () => {
    vi.spyOn(CUT_OFF, "describe").mockImplementation(fail);
    const { facts, faults } = await run();
    expect(facts.find(({ check }) => check === CHECK)).toMatchObject({
      text: "cut off",
      result: { outcome: "pass" },
    });
    expect(faults).toMatchObject([{ check: CHECK }]);
  });
});

test("a verdict is reached for a correct answer", async () => {
  const { task, category, text } = INPUT;
  const deliverable = { kind: "text", text, source: "content" } as const;
  expect(await builtinJudge.judge(toCanonical({ task, category, deliverable }))).toMatchObject({
    verdict: "SUCCESS",
  });
});
