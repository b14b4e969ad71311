import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CheckedFact } from "@/server/judging/checks/run-checks";
import { type Criterion, type Met, metSchema, type StoredVote } from "@/server/judging/schema";
import { CALIBRATION } from "./calibration";
import { decide, type Evidence } from "./verdict";

const CRITERIA: Criterion[] = [
  { id: "a", text: "A", kind: "must", proof: "quote" },
  { id: "b", text: "B", kind: "must", proof: "quote" },
];
const createVote = (a: Met, b: Met = "yes", change: Partial<StoredVote> = {}) =>
  ({
    outcome: "answer",
    injectionSuspected: false,
    canaryKept: true,
    controlMet: "no",
    call: { requestedModel: "first" },
    findings: [
      { id: "a", met: a },
      { id: "b", met: b },
    ],
    ...change,
  }) as StoredVote;
/** Votes by two models in turn. */
const votes = (...mets: Met[]) =>
  mets.map((met, index) => ({
    ...createVote(met),
    call: { requestedModel: ["first", "second"][index % 2] } as StoredVote["call"],
  }));
const YES = votes("yes", "yes", "yes");
const NO = votes("no", "no", "no");
const FAILED = {
  id: "k1",
  check: "some-check",
  parameters: {},
  statement: "",
  text: "At most 5 words",
  result: { outcome: "fail", observed: "9 words" },
} satisfies CheckedFact;

const decideOn = (change: Partial<Evidence>) => {
  const { verdict, confidencePpm } = decide(
    {
      criteria: CRITERIA,
      code: { decided: new Map(), failures: [] },
      first: YES,
      second: null,
      flags: [],
      ...change,
    },
    CALIBRATION,
  );
  return [verdict, confidencePpm / 1e6];
};

describe("one round", () => {
  test("decides if there is no second one", () => {
    expect(decideOn({})).toEqual(["SUCCESS", 0.9]);
    expect(decideOn({ first: NO })).toEqual(["FAILURE", 0.9]);
  });

  test("gives a FAILURE no weight that rests only on what could not be verified", () => {
    const unverified = votes("cannot_verify", "cannot_verify", "cannot_verify");
    expect(decideOn({ first: unverified })).toEqual(["FAILURE", 0.5]);
    const half = [createVote("cannot_verify", "no"), ...votes("cannot_verify", "cannot_verify")];
    expect(decideOn({ first: half })).toEqual(["FAILURE", 0.5]);
    expect(decideOn({ first: votes("no", "no", "cannot_verify") })).not.toEqual(["FAILURE", 0.5]);
  });
});

describe("a second round", () => {
  test("decides alone, with little confidence against the first", () => {
    expect(decideOn({ first: YES, second: votes("no", "no", "yes") })).toEqual(["FAILURE", 0.6]);
    expect(decideOn({ first: NO, second: YES })).toEqual(["SUCCESS", 0.6]);
    expect(decideOn({ first: votes("yes", "yes", "no"), second: YES })).toEqual(["SUCCESS", 0.9]);
  });

  test("gives a success no weight if one of its votes met the control criterion", () => {
    const careless = createVote("yes", "yes", { controlMet: "yes" });
    expect(decideOn({ second: [...YES.slice(1), careless] })).toEqual(["SUCCESS", 0.5]);
    expect(decideOn({ first: [...YES.slice(1), careless], second: YES })).toEqual(["SUCCESS", 0.9]);
    const failing = createVote("no", "yes", { controlMet: "yes" });
    expect(decideOn({ second: [...NO.slice(1), failing] })).toEqual(["FAILURE", 0.6]);
  });

  test("clears a flag only if it is unanimous and raises none itself", () => {
    const flagged = { flags: ["injection-detected" as const] };
    expect(decideOn({ ...flagged, second: null })).toEqual(["SUCCESS", 0.5]);
    expect(decideOn({ ...flagged, second: YES })).toEqual(["SUCCESS", 0.9]);
    expect(decideOn({ ...flagged, second: votes("yes", "yes", "no") })).toEqual(["SUCCESS", 0.5]);
    const suspicious = createVote("yes", "yes", { injectionSuspected: true });
    expect(decideOn({ second: [suspicious, ...votes("yes", "yes")] })).toEqual(["SUCCESS", 0.5]);
    const lost = createVote("yes", "yes", { canaryKept: false });
    expect(decideOn({ first: [lost, ...votes("yes", "yes")], second: YES })).toEqual([
      "SUCCESS",
      0.9,
    ]);
    const refused = createVote("yes", "yes", { outcome: "refusal", findings: [] });
    expect(decideOn({ ...flagged, second: [refused, ...votes("yes", "yes")] })).toEqual([
      "SUCCESS",
      0.5,
    ]);
  });

  test("does not take weight from a FAILURE with a flag", () => {
    expect(decideOn({ flags: ["confusables"], first: NO, second: NO })).toEqual(["FAILURE", 0.9]);
  });
});

describe("one model", () => {
  const alone = (mets: Met[]) => mets.map((met) => createVote(met));

  test("has a confidence of at most 0.75 if it casts all votes", () => {
    const [yes, no] = [alone(["yes", "yes", "yes"]), alone(["no", "no", "no"])];
    expect(decideOn({ first: yes })).toEqual(["SUCCESS", 0.75]);
    expect(decideOn({ first: no })).toEqual(["FAILURE", 0.75]);
    expect(decideOn({ first: yes, second: yes })).toEqual(["SUCCESS", 0.75]);
    expect(decideOn({ first: YES, second: yes })).toEqual(["SUCCESS", 0.9]);
  });

  test("is alone if the other one gave no answer", () => {
    const silent = { ...createVote("cannot_verify"), outcome: "unusable" as const, findings: [] };
    const other = { ...silent, call: { requestedModel: "second" } as StoredVote["call"] };
    const [, confidence] = decideOn({ first: [...alone(["yes", "yes"]), other] });
    expect(confidence).toBeLessThanOrEqual(0.75);
  });
});

test("a success has no weight if one of the models refutes it in all its votes", () => {
  const by = (model: string, mets: Met[]) =>
    mets.map((met) => ({ ...createVote(met), call: { requestedModel: model } }) as StoredVote);
  const second = by("second", ["yes", "yes", "yes"]);
  const decideAfter = (...own: Met[]) =>
    decideOn({ first: [...by("first", own), ...by("second", ["yes"])], second });
  expect(decideAfter("no", "partial")).toEqual(["SUCCESS", 0.5]);
  expect(decideAfter("no", "yes")).toEqual(["SUCCESS", 0.9]);
  expect(decideAfter("no", "cannot_verify")[1]).toBeGreaterThan(0.5);
});

describe("code", () => {
  test("decides a FAILURE alone if it failed a must", () => {
    const code = { decided: new Map(), failures: [FAILED] };
    expect(decideOn({ code, first: YES, second: YES })[0]).toBe("FAILURE");
  });

  test("decides its criteria in every vote", () => {
    const decided = new Map([["b", { met: "no" as const, fact: FAILED }]]);
    const open = YES.map((vote) => ({ ...vote, findings: vote.findings.slice(0, 1) }));
    expect(decideOn({ first: open, code: { decided, failures: [] } })).toEqual(["FAILURE", 0.9]);
    const passed = new Map([["b", { met: "yes" as const, fact: FAILED }]]);
    expect(decideOn({ first: open, code: { decided: passed, failures: [] } })).toEqual([
      "SUCCESS",
      0.9,
    ]);
  });
});

const met = fc.constantFrom(...metSchema.options);
const vote = fc
  .record({ a: met, b: met, injectionSuspected: fc.boolean() })
  .map(({ a, b, injectionSuspected }) => createVote(a, b, { injectionSuspected }));
const round = fc.array(vote, { minLength: 3, maxLength: 3 });

test("only the second round decides the verdict, whatever the first said", () => {
  fc.assert(
    fc.property(round, round, round, (first, other, second) => {
      expect(decideOn({ first, second })[0]).toBe(decideOn({ first: other, second })[0]);
    }),
  );
});

test("no suspected injection leaves a SUCCESS with weight in the round that decides", () => {
  fc.assert(
    fc.property(round, fc.option(round), (first, second) => {
      const [verdict, confidence] = decideOn({ first, second });
      const suspects = (second ?? first).some((each) => each.injectionSuspected);
      if (verdict === "SUCCESS" && suspects) expect(confidence).toBe(0.5);
    }),
  );
});
