import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeMove, getMove } from "./score-move";

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
