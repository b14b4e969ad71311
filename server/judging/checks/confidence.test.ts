import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CheckOutcome } from "./check";
import {
  type CheckConfidence,
  checkConfidenceSchema,
  deriveFromFacts,
  isDecidingFailure,
} from "./confidence";

const TABLE: CheckConfidence = {
  version: "test/v1",
  checks: {
    certain: { fail: 1, pass: 0.9 },
    weak: { fail: 0.6, pass: 0.54 },
    misleading: { fail: 0.2, pass: 0.3 },
  },
};
const toFact = (check: string, outcome: CheckOutcome, statement = "Three words.") => ({
  check,
  parameters: {},
  statement,
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
    ["nothing if no check applies", [["certain", "not-applicable"]], "SUCCESS", 500_000],
    [
      "a SUCCESS as far as the best passed check",
      [
        ["weak", "pass"],
        ["certain", "pass"],
      ],
      "SUCCESS",
      900_000,
    ],
    [
      "a FAILURE if one check fails",
      [
        ["certain", "pass"],
        ["certain", "fail"],
      ],
      "FAILURE",
      950_000,
    ],
    [
      "a SUCCESS despite a failure that says little",
      [
        ["weak", "fail"],
        ["certain", "pass"],
      ],
      "SUCCESS",
      900_000,
    ],
    ["nothing by a passed check that says little", [["weak", "pass"]], "SUCCESS", 500_000],
    ["nothing by a check that misleads", [["misleading", "pass"]], "SUCCESS", 500_000],
    ["a FAILURE by a check that is not fitted yet", [["new", "fail"]], "FAILURE", 800_000],
    ["a SUCCESS by a check that is not fitted yet", [["new", "pass"]], "SUCCESS", 550_000],
  ])("%s", (_, facts, verdict, confidencePpm) => {
    expect(derive(...facts)).toEqual({ verdict, confidencePpm });
  });

  test("nothing by a check that every deliverable is held to and that passes", () => {
    const facts = [toFact("certain", "pass", ""), toFact("new", "pass", "")];
    expect(deriveFromFacts(facts, TABLE)).toEqual({ verdict: "SUCCESS", confidencePpm: 500_000 });
  });

  test("nothing by a passed check that filler passes too", () => {
    const fact = { ...toFact("certain", "pass"), isEasy: true as const };
    expect(deriveFromFacts([fact], TABLE)).toEqual({ verdict: "SUCCESS", confidencePpm: 500_000 });
  });

  test("a SUCCESS by a check whose parameters come from the task", () => {
    const fact = { ...toFact("certain", "pass", ""), parameters: { examples: ["f(1)"] } };
    expect(deriveFromFacts([fact], TABLE)).toEqual({ verdict: "SUCCESS", confidencePpm: 900_000 });
  });

  test("what is known of a check for which the table has one share only", () => {
    const table = { version: "test/v1", checks: { half: { pass: 0.7 } } };
    const derive = (outcome: CheckOutcome) => deriveFromFacts([toFact("half", outcome)], table);
    expect(derive("pass")).toEqual({ verdict: "SUCCESS", confidencePpm: 700_000 });
    expect(derive("fail")).toEqual({ verdict: "FAILURE", confidencePpm: 800_000 });
  });

  const anyFacts = fc.array(
    fc.tuple(
      fc.constantFrom("certain", "weak", "misleading", "new"),
      fc.constantFrom<CheckOutcome>("pass", "fail", "not-applicable"),
    ),
    { maxLength: 8 },
  );

  test("a FAILURE exactly if a failed check decides, in any order of the facts", () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { verdict, confidencePpm } = derive(...facts);
        const decides = facts.some(([check, outcome]) =>
          isDecidingFailure(toFact(check, outcome), TABLE),
        );
        expect(verdict).toBe(decides ? "FAILURE" : "SUCCESS");
        expect(confidencePpm).toBeGreaterThanOrEqual(500_000);
        expect(confidencePpm).toBeLessThanOrEqual(950_000);
        expect(derive(...facts.toReversed())).toEqual({ verdict, confidencePpm });
      }),
    );
  });

  test("no less of a verdict after another check that agrees", () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const before = derive(...facts);
        const agreeing = before.verdict === "SUCCESS" ? "pass" : "fail";
        const after = derive(...facts, ["certain", agreeing]);
        expect(after.verdict).toBe(before.verdict);
        expect(after.confidencePpm).toBeGreaterThanOrEqual(before.confidencePpm);
      }),
    );
  });
});

test.each([
  ["a share above 1", { version: "v", checks: { a: { fail: 1.1, pass: 0 } } }],
  ["an unknown member", { version: "v", checks: { a: { passes: 1 } } }],
  ["no version", { version: "", checks: {} }],
])("a table with %s is refused", (_, table) => {
  expect(checkConfidenceSchema.safeParse(table).success).toBe(false);
});
