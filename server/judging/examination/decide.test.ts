import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Met } from "@/server/judging/schema";
import type { Verdict } from "@/server/lib/schema";
import { CALIBRATION } from "./calibration";
import { agree, combineDemands, decide, decideReview, type Examined } from "./decide";

const toDemands = (met: readonly Met[]) =>
  met.map((each, index) => ({ demand: `Demand ${index}`, met: each, why: "", quote: "" }));
/** An examination by model `a` or `b`; without a verdict it has no usable answer. */
const examined = (model: "a" | "b", verdict: Verdict | null, confidence = 1): Examined => ({
  outcome: verdict ? "answer" : "unusable",
  verdict,
  confidence: verdict && confidence,
  demands: verdict ? toDemands([verdict === "SUCCESS" ? "yes" : "no"]) : [],
  call: { requestedModel: model },
});
/** An examination of signed criteria. */
const agreed = (model: "a" | "b", ...met: Met[]): Examined => ({
  ...examined(model, "SUCCESS"),
  verdict: null,
  demands: toDemands(met),
});
const decideOn = (all: Examined[], hasTwoModels = true) => {
  const { verdict, confidencePpm } = decide(all, { hasTwoModels }, CALIBRATION);
  return [verdict, confidencePpm];
};
const [S, F, NONE] = ["SUCCESS", "FAILURE", null] as const;

test("two equal verdicts decide; otherwise a third examination is needed", () => {
  expect(agree(examined("a", S), examined("b", S))).toBe(true);
  expect(agree(examined("a", S), examined("b", F))).toBe(false);
  expect(agree(examined("a", S), examined("b", NONE))).toBe(false);
  expect(agree(examined("a", NONE), examined("b", NONE))).toBe(false);
});

test.each<[string, Examined[], [Verdict, number]]>([
  ["both agree", [examined("a", S), examined("b", S)], [S, 900_000]],
  ["both refuse", [examined("a", F), examined("b", F)], [F, 900_000]],
  ["both hesitate", [examined("a", S, 0.7), examined("b", S, 0.72)], [S, 700_000]],
  ["the third breaks a tie", [examined("a", S), examined("b", F), examined("b", F)], [F, 600_000]],
  [
    "both models are among the majority",
    [examined("a", S), examined("b", NONE), examined("b", S)],
    [S, 900_000],
  ],
  ["only one model accepts", [examined("a", F), examined("b", S), examined("b", S)], [S, 500_000]],
  ["one model accepts twice", [examined("b", S), examined("b", S)], [S, 500_000]],
  ["one model refuses twice", [examined("b", F), examined("b", F)], [F, 750_000]],
  ["there is no majority", [examined("a", S), examined("b", F), examined("b", NONE)], [F, 500_000]],
  ["only one answers", [examined("a", S), examined("b", NONE), examined("b", NONE)], [F, 500_000]],
])("of two models, if %s", (_, all, decision) => {
  expect(decideOn(all)).toEqual(decision);
});

test("a single model is at most 0.75 sure", () => {
  expect(decideOn([examined("a", S), examined("a", S)], false)).toEqual([S, 750_000]);
  expect(decideOn([examined("a", F), examined("a", F)], false)).toEqual([F, 750_000]);
});

describe("signed criteria", () => {
  test("are agreed only if every one has the same answer", () => {
    expect(agree(agreed("a", "yes", "no"), agreed("b", "yes", "no"))).toBe(true);
    expect(agree(agreed("a", "yes", "no"), agreed("b", "no", "yes"))).toBe(false);
    expect(agree(agreed("a", "yes"), agreed("b", "unclear"))).toBe(false);
  });

  test.each<[string, Examined[], [Verdict, number]]>([
    ["all are met", [agreed("a", "yes", "yes"), agreed("b", "yes", "yes")], [S, 900_000]],
    ["one is not met", [agreed("a", "yes", "no"), agreed("b", "yes", "no")], [F, 900_000]],
    [
      "one is unclear",
      [agreed("a", "yes", "unclear"), agreed("b", "yes", "unclear")],
      [F, 500_000],
    ],
    [
      "one is unclear and one not met",
      [agreed("a", "no", "unclear"), agreed("b", "no", "unclear")],
      [F, 900_000],
    ],
    [
      "two of three meet it",
      [agreed("a", "yes"), agreed("b", "no"), agreed("b", "yes")],
      [S, 600_000],
    ],
    [
      "each has a majority that no examination had as a whole",
      [
        agreed("a", "yes", "yes", "no"),
        agreed("b", "yes", "no", "yes"),
        agreed("b", "no", "yes", "yes"),
      ],
      [S, 500_000],
    ],
    [
      "one has three different answers",
      [agreed("a", "yes", "yes"), agreed("b", "yes", "no"), agreed("b", "yes", "unclear")],
      [F, 500_000],
    ],
    [
      "only one answers",
      [agreed("a", "yes"), examined("b", NONE), examined("b", NONE)],
      [F, 500_000],
    ],
  ])("if %s", (_, all, decision) => {
    expect(decideOn(all)).toEqual(decision);
  });

  test("of which no examination meets all have no weight with a single model either", () => {
    const all = [
      agreed("a", "yes", "yes", "no"),
      agreed("a", "yes", "no", "yes"),
      agreed("a", "no", "yes", "yes"),
    ];
    expect(decideOn(all, false)).toEqual([S, 500_000]);
  });

  test("are shown with the answer of the majority", () => {
    const all = [agreed("a", "no", "yes"), agreed("b", "yes", "no"), agreed("b", "yes", "unclear")];
    expect(combineDemands(all).map(({ met }) => met)).toEqual(["yes", "unclear"]);
  });
});

const verdict = fc.constantFrom(S, F, NONE);
const examination = fc
  .tuple(fc.constantFrom("a" as const, "b" as const), verdict, fc.double({ min: 0.5, max: 1 }))
  .map((given) => examined(...given));

test("a SUCCESS with weight has the SUCCESS of both models, whatever else was answered", () => {
  fc.assert(
    fc.property(fc.array(examination, { minLength: 2, maxLength: 3 }), (all) => {
      const [decided, confidence = 0] = decideOn(all) as [Verdict, number];
      const models = new Set(
        all.filter((each) => each.verdict === decided).map(({ call }) => call.requestedModel),
      );
      const verdicts = new Set(all.flatMap((each) => each.verdict ?? []));
      if (decided === S && models.size < 2) expect(confidence).toBe(500_000);
      if (models.size < 2) expect(confidence).toBeLessThanOrEqual(750_000);
      if (verdicts.size > 1) expect(confidence).toBeLessThanOrEqual(600_000);
    }),
  );
});

describe("a review", () => {
  const named = (each: Examined, ...met: Met[]): Examined => ({ ...each, demands: toDemands(met) });
  test.each<[string, Verdict, Examined[], Verdict, boolean]>([
    ["overturns if both contradict", S, [examined("a", F), examined("b", F)], F, true],
    ["overturns a failure alike", F, [examined("a", S), examined("b", S)], S, true],
    ["upholds if both confirm", S, [examined("a", S), examined("b", S)], S, true],
    ["upholds if one contradicts", S, [examined("a", F), examined("b", S)], S, false],
    ["upholds if one does not answer", S, [examined("a", F), examined("b", NONE)], S, false],
    [
      "upholds if one names no unmet demand",
      S,
      [examined("a", F), named(examined("b", F), "yes", "unclear")],
      S,
      false,
    ],
    [
      "upholds if a third of the same model does not contradict",
      S,
      [examined("a", F), examined("a", F), examined("a", S)],
      S,
      false,
    ],
    ["overturns on a signed criterion", S, [agreed("a", "no"), agreed("b", "no")], F, true],
    [
      "upholds if different signed criteria are unmet",
      S,
      [agreed("a", "no", "yes"), agreed("b", "yes", "no")],
      S,
      false,
    ],
  ])("%s", (_, recorded, all, finalVerdict, assessed) => {
    expect(decideReview(recorded, all)).toEqual({ finalVerdict, assessed });
  });
});
