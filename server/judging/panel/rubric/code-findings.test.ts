import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isGeneralRequirement } from "@/server/judging/checks/check";
import { CHECK_CONFIDENCE, isDecidingFailure } from "@/server/judging/checks/confidence";
import type { CheckedFact } from "@/server/judging/checks/run-checks";
import { deriveVerdict } from "@/server/judging/panel/tally";
import type { Criterion } from "@/server/judging/schema";
import { applyFacts, listRequirements } from "./code-findings";

const WORDS = { name: "stated-limit", parameters: { kind: "words", max: 5, min: null } };
const CRITERIA: Criterion[] = [
  { id: "c1", text: "Names a river", kind: "must", proof: "quote" },
  { id: "c2", text: "Is short", kind: "must", proof: "code", check: WORDS },
];
const createFact = (
  outcome: CheckedFact["result"]["outcome"],
  change: Partial<CheckedFact> = {},
): CheckedFact => ({
  id: "k1",
  check: WORDS.name,
  parameters: WORDS.parameters,
  statement: "In at most five words.",
  text: "At most 5 words",
  result: { outcome, observed: "7 words" },
  ...change,
});
const apply = (...facts: CheckedFact[]) => applyFacts(CRITERIA, facts);

describe("a criterion with a check", () => {
  test("is decided by its fact, whatever the order of the parameters", () => {
    const { criteria, decided, failures } = apply(
      createFact("fail", { parameters: { min: null, max: 5, kind: "words" } }),
    );
    expect(decided.get("c2")?.met).toBe("no");
    expect(failures).toHaveLength(1);
    expect(criteria).toEqual(CRITERIA);
    expect(apply(createFact("pass")).decided.get("c2")?.met).toBe("yes");
  });

  test("is left to the votes if only a model states what the work misses", () => {
    const { criteria, decided, failures } = apply(createFact("fail", { statement: "" }));
    expect(criteria[1]).toMatchObject({ id: "c2", proof: "quote" });
    expect([decided.size, failures.length]).toEqual([0, 0]);
  });

  test("is left to the votes if the check is not applicable or was not run", () => {
    for (const found of [apply(createFact("not-applicable")), apply()]) {
      expect(found.decided.size).toBe(0);
      expect(found.criteria[1]).toMatchObject({ id: "c2", proof: "quote" });
    }
  });
});

describe("a requirement that no criterion has", () => {
  const other = {
    check: WORDS.name,
    parameters: { kind: "excludes", phrases: ["sea"] },
    text: "Avoids a given phrase",
  };

  test("becomes a criterion if the task states it", () => {
    const stated = { ...other, id: "k2", statement: "Avoid the sea." };
    const found = apply(createFact("pass"), createFact("fail", stated));
    expect(found.criteria.at(-1)).toMatchObject({ id: "k2", kind: "must", proof: "code" });
    expect(found.decided.get("k2")?.met).toBe("no");
    expect(found.failures.map(({ id }) => id)).toEqual(["k2"]);
  });

  test("becomes one only on failure if every deliverable is held to it", () => {
    const general = { check: "refusal", parameters: {}, statement: "", id: "k2" };
    expect(apply(createFact("pass"), createFact("pass", general)).criteria).toHaveLength(2);
    expect(apply(createFact("pass"), createFact("fail", general)).criteria).toHaveLength(3);
  });

  test("never takes the id of a recorded criterion", () => {
    const recorded: Criterion[] = [{ id: "k1", text: "Is long", kind: "must", proof: "quote" }];
    const { criteria } = applyFacts(recorded, [createFact("pass", { statement: "Be brief." })]);
    expect(criteria.map(({ id }) => id)).toEqual(["k1", "k1-new"]);
  });
});

test("the reference's examples are executed, and decide nothing", () => {
  const reference = { examples: [{ call: "add(2, 3)", expected: "5" }] };
  const [hidden] = listRequirements([], reference);
  expect(hidden).toMatchObject({
    check: "code-examples",
    parameters: { examples: [{ call: "add(2, 3)", expected: "5" }] },
  });
  const fact = createFact("fail", { ...hidden, text: "The code does what an example demands" });
  const found = applyFacts(CRITERIA, [fact], reference);
  expect(found.facts).toEqual([fact]);
  expect(found.failures).toEqual([]);
  expect(found.criteria).toHaveLength(2);
});

test("only criteria with checks lead to requirements", () => {
  expect(listRequirements(CRITERIA)).toEqual([
    { check: WORDS.name, parameters: WORDS.parameters, statement: "" },
  ]);
});

test("nothing but a measured check of what the task states outweighs the votes", () => {
  const names = [...Object.keys(CHECK_CONFIDENCE.checks), "unknown-check"];
  const fact = fc.record({
    check: fc.constantFrom(...names),
    parameters: fc.constantFrom({}, { max: 5 }),
    statement: fc.constantFrom("", "At most 5 words."),
    outcome: fc.constantFrom("pass" as const, "fail" as const, "not-applicable" as const),
  });
  fc.assert(
    fc.property(fc.array(fact, { maxLength: 6 }), (drawn) => {
      const facts = drawn.map(({ outcome, ...change }, index) =>
        createFact(outcome, { ...change, id: `k${index}` }),
      );
      const guesses = facts.filter(
        (each) =>
          !isDecidingFailure(each) || (each.statement === "" && !isGeneralRequirement(each)),
      );
      const { criteria, decided, failures } = apply(...guesses);
      expect(failures).toEqual([]);
      const met = criteria.map(({ id }) => ({ id, met: decided.get(id)?.met ?? ("yes" as const) }));
      expect(deriveVerdict(criteria, [{ findings: met }])).toBe("SUCCESS");
    }),
  );
});
