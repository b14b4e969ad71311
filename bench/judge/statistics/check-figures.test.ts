import { expect, test } from "vitest";
import type { CheckOutcome } from "@/server/judging/checks/check";
import { type CheckedCase, computeCheckFigures, fitCheckConfidence } from "./check-figures";

const one = (
  label: CheckedCase["label"],
  ...results: [check: string, outcome: CheckOutcome][]
): CheckedCase => ({
  label,
  facts: results.map(([check, outcome]) => ({ check, result: { outcome, observed: "" } })),
});
const repeat = (count: number, of: CheckedCase) => Array<CheckedCase>(count).fill(of);

test("counts deliverables by result and label, once if a check decides several requirements", () => {
  const figures = computeCheckFigures([
    one("FAILURE", ["word-count", "fail"], ["json", "pass"], ["json", "fail"]),
    one("FAILURE", ["word-count", "pass"]),
    one("SUCCESS", ["word-count", "pass"]),
    one("SUCCESS", ["word-count", "fail"]),
    one("SUCCESS", ["word-count", "not-applicable"]),
  ]);
  expect(figures).toEqual({
    json: { failed: { good: 0, bad: 1 }, passed: { good: 0, bad: 0 } },
    "word-count": { failed: { good: 1, bad: 1 }, passed: { good: 1, bad: 1 } },
  });
});

test("the fitted confidence has the number of cases and of right ones", () => {
  const table = fitCheckConfidence(
    [
      ...repeat(7, one("FAILURE", ["refusal", "fail"])),
      one("SUCCESS", ["refusal", "fail"]),
      ...repeat(5, one("SUCCESS", ["code-examples", "pass"])),
    ],
    "2026-11-22/test",
  );
  expect(table).toEqual({
    version: "2026-11-22/test",
    checks: {
      refusal: { fail: { cases: 8, right: 7 } },
      "code-examples": { pass: { cases: 5, right: 5 } },
    },
  });
});
