import { describe, expect, test } from "vitest";
import type { CheckOutcome } from "@/server/judging/checks/check";
import { type CheckedCase, computeCheckFigures, computeCoverage } from "./check-figures";
import { fitCheckConfidence } from "./fit-checks";

type Results = [check: string, outcome: CheckOutcome][];

const one = (label: CheckedCase["label"], ...results: Results): CheckedCase => ({
  label,
  facts: results.map(([check, outcome]) => ({
    check,
    parameters: {},
    statement: "stated",
    result: { outcome, observed: "" },
  })),
});
const repeat = (count: number, of: CheckedCase) => Array<CheckedCase>(count).fill(of);

describe("figures of checks", () => {
  const figures = computeCheckFigures([
    one("FAILURE", ["word-count", "fail"], ["json", "pass"]),
    one("FAILURE", ["word-count", "pass"]),
    one("SUCCESS", ["word-count", "pass"]),
    one("SUCCESS", ["word-count", "fail"]),
    one("SUCCESS", ["word-count", "not-applicable"]),
  ]);

  test("count deliverables by result and label", () => {
    expect(figures["word-count"]).toEqual({
      failed: { good: 1, bad: 1 },
      passed: { good: 1, bad: 1 },
    });
  });

  test("count a deliverable once if a check decides several requirements", () => {
    const { json } = computeCheckFigures([one("FAILURE", ["json", "pass"], ["json", "fail"])]);
    expect(json).toMatchObject({ failed: { bad: 1 }, passed: { bad: 0 } });
  });
});

describe("coverage", () => {
  test.each<[string, Results, number]>([
    ["a failure", [["refusal", "fail"]], 1],
    ["a pass of a specific check", [["word-count", "pass"]], 1],
    ["a pass of a general check", [["refusal", "pass"]], 0],
    ["a check that does not apply", [["word-count", "not-applicable"]], 0],
  ])("counts %s as %j: %i", (_, results, expected) => {
    expect(computeCoverage([one("SUCCESS", ...results)])).toBe(expected);
  });

  test("is unknown without cases", () => expect(computeCoverage([])).toBeNull());
});

describe("the fitted confidence", () => {
  const fitTo = (cases: CheckedCase[]) =>
    fitCheckConfidence(
      cases.map((one, index) => ({ ...one, task: `task ${Math.floor(index / 2)}` })),
      "2026-11-22/test",
    );

  test("has the number of cases and of right ones", () => {
    const { table } = fitTo([
      ...repeat(7, one("FAILURE", ["refusal", "fail"])),
      one("SUCCESS", ["refusal", "fail"]),
      ...repeat(5, one("SUCCESS", ["code-examples", "pass"])),
    ]);
    expect(table.checks).toEqual({
      refusal: { fail: { cases: 8, right: 7 } },
      "code-examples": { pass: { cases: 5, right: 5 } },
    });
  });

  test("measures its error on tasks that it was not fitted to", () => {
    const { heldOut } = fitTo(repeat(40, one("FAILURE", ["refusal", "fail"])));
    // Each half has twenty cases, so the other half's table says 21 of 22.
    expect(heldOut.FAILURE).toBeCloseTo(1 - 0.95, 2);
    expect(heldOut.SUCCESS).toBeNull();
  });
});
