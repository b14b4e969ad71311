import { describe, expect, test } from "vitest";
import type { CheckOutcome } from "./check";
import { type CheckConfidence, checkConfidenceSchema, deriveFromFacts } from "./confidence";

const all = (cases: number) => ({ cases, right: cases });
const TABLE: CheckConfidence = {
  version: "test/v1",
  checks: {
    refusal: { fail: all(38), pass: all(38) },
    doubtful: { fail: { cases: 30, right: 26 } },
    "cut-off": { fail: all(19), pass: all(40) },
    "stated-limit": { fail: { cases: 28, right: 26 }, pass: all(40) },
    "code-examples": { fail: all(20), pass: { cases: 28, right: 26 } },
  },
};
const toFact = (check: string, outcome: CheckOutcome) => ({
  check,
  result: { outcome, observed: "" },
});
const derive = (...facts: [string, CheckOutcome][]) =>
  deriveFromFacts(
    facts.map(([check, outcome]) => toFact(check, outcome)),
    TABLE,
  );

describe("the facts support", () => {
  test.each<[string, [string, CheckOutcome][], "SUCCESS" | "FAILURE", number]>([
    ["nothing without facts", [], "SUCCESS", 500_000],
    ["nothing if no check applies", [["refusal", "not-applicable"]], "SUCCESS", 500_000],
    ["a SUCCESS by the task's examples", [["code-examples", "pass"]], "SUCCESS", 900_000],
    [
      "nothing by a check that text without work passes",
      [["stated-limit", "pass"]],
      "SUCCESS",
      500_000,
    ],
    [
      "a FAILURE if one check fails",
      [
        ["code-examples", "pass"],
        ["refusal", "fail"],
      ],
      "FAILURE",
      950_000,
    ],
    [
      "a FAILURE from an estimated 90% right failures on",
      [["stated-limit", "fail"]],
      "FAILURE",
      900_000,
    ],
    ["nothing by a failure that is right less often", [["doubtful", "fail"]], "SUCCESS", 500_000],
    [
      "nothing by a check that failed fewer than 20 measured cases",
      [["cut-off", "fail"]],
      "SUCCESS",
      500_000,
    ],
    ["nothing by a failure that was never measured", [["new", "fail"]], "SUCCESS", 500_000],
    ["nothing by a pass that was never measured", [["new", "pass"]], "SUCCESS", 500_000],
  ])("%s", (_, facts, verdict, confidencePpm) => {
    expect(derive(...facts)).toEqual({ verdict, confidencePpm });
  });
});

test.each([
  [
    "more right cases than cases",
    { version: "v", checks: { a: { fail: { cases: 1, right: 2 } } } },
  ],
  ["a share without its cases", { version: "v", checks: { a: { fail: 0.9 } } }],
  ["an unknown member", { version: "v", checks: { a: { passes: 1 } } }],
  ["no version", { version: "", checks: {} }],
])("a table with %s is refused", (_, table) => {
  expect(checkConfidenceSchema.safeParse(table).success).toBe(false);
});
