import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeMove, explainNoEffect, getMove } from "./score-move";

type Change = Parameters<typeof describeMove>[0];

const change = (previousScore: number, score: number, effect: number | null): Change =>
  ({
    version: 1,
    cause: "outcome",
    at: "2026-01-01T00:00:00Z",
    previousScore,
    score,
    receipt: effect !== null && {
      rule: "success",
      effect,
      days: -0.45,
      sentence: "A success.",
    },
  }) as Change;

describe("the numbers of a change", () => {
  test.each([
    [change(41.53, 64.09, 23.016), "41.53 → 64.09, of it −0.46 from age", 23.02],
    [change(78.21, 76.61, -1.6), "78.21 → 76.61", -1.6],
    [change(74, 72.1, -1.89), "74.00 → 72.10", -1.9],
    [change(80.13, 80, 0), "80.13 → 80.00, of it −0.13 from age", 0],
    [change(80, 80, 0.13), "at 80.00, −0.13 from age", 0.13],
    [change(0, 20, null), "0.00 → 20.00", 20],
    [change(95.99, 95.99, null), "at 95.99", 0],
  ])("say before and after, and what age took (%#)", (moved, text, points) => {
    expect(describeMove(moved)).toBe(text);
    expect(getMove([moved])).toBe(points);
  });

  test("of several changes are added, without what moved the score between them", () => {
    expect(getMove([change(80, 70, -10), change(90, 95, 5)])).toBe(-5);
  });

  test("add up as shown, whatever is rounded", () => {
    const score = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100);
    const effect = fc.double({ min: -100, max: 100, noNaN: true });
    fc.assert(
      fc.property(score, score, effect, (before, after, points) => {
        const moved = change(before, after, points);
        const age = /([+−]\d+\.\d\d) from age/.exec(describeMove(moved))?.[1] ?? "0";
        const sum = before + getMove([moved]) + Number(age.replace("−", "-"));
        expect(sum).toBeCloseTo(after, 6);
      }),
    );
  });
});

describe("a change that left the score as it was", () => {
  const evidence = { good: 67.5, anchored: [62, 0], paid: [28, 0], claimed: [2, 0] };
  const explain = (rule: string, score = 95.74, after = {}) => {
    const sentence = "A success of 2.00 USDC: this client's jobs count.";
    const receipt = {
      rule,
      effect: 0,
      sentence,
      before: evidence,
      after: { ...evidence, ...after },
    };
    return explainNoEffect([{ ...change(score, score, 0), receipt } as Change]);
  };

  test.each([
    ["success-partner-full", 95.74, {}, "This client's jobs count"],
    ["failure", 0, {}, "The score was 0 already"],
    ["success", 95.74, { paid: [29, 0] }, "Such jobs already count as much as they can"],
    ["dispute-made-success", 95.74, {}, expect.stringContaining("This client's jobs already")],
    ["dispute-made-success", 95.74, { good: 68 }, undefined],
  ])("has a reason: %s at %d, %j", (rule, score, after, reason) => {
    expect(explain(rule, score, after)).toEqual(reason);
  });

  test("is explained by the verdict if a dispute upheld it, and not at all if it moved the score", () => {
    const upheld = {
      ...change(0, 0, 0),
      receipt: { rule: "dispute-upheld", effect: 0, sentence: "Upheld." },
    } as Change;
    const receipt = { rule: "weightless-unsure", effect: 0, sentence: "Not assessed." };
    const unsure = { ...change(0, 0, 0), receipt } as Change;
    expect(explainNoEffect([unsure, upheld])).toBe("Not assessed");
    expect(explainNoEffect([upheld])).toBe("Upheld");
    expect(explainNoEffect([change(0, 5, 5)])).toBeUndefined();
  });
});
