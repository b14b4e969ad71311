import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeMove, getEffect, getElapsed } from "./score-effect";

type Change = Parameters<typeof getEffect>[0];

const change = (previousScore: number, score: number, effect: number | null): Change =>
  ({
    version: 1,
    cause: "outcome",
    at: "2026-01-01T00:00:00Z",
    previousScore,
    score,
    receipt: effect && {
      rule: "success",
      effect,
      days: -0.45,
      sentence: "A success.",
    },
  }) as Change;

describe("the numbers of a change", () => {
  test.each([
    [change(41.53, 64.09, 23.016), "41.53 → 64.09, elapsed −0.46"],
    [change(78.21, 76.61, -1.6), "78.21 → 76.61"],
    [change(0, 20, null), "0.00 → 20.00"],
    [change(95.99, 95.99, null), "at 95.99"],
    [change(50, 50, 0.2), "50.00 → 50.00, elapsed −0.20"],
  ])("say before and after, and what time did (%#)", (moved, text) => {
    expect(describeMove(moved)).toBe(text);
  });

  test("add up as shown, whatever is rounded", () => {
    const score = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100);
    const effect = fc.double({ min: -100, max: 100, noNaN: true });
    fc.assert(
      fc.property(score, score, effect, (before, after, points) => {
        const moved = change(before, after, points);
        const shown = Number(getEffect(moved).toFixed(2)) + Number(getElapsed(moved).toFixed(2));
        expect(before + shown).toBeCloseTo(after, 6);
      }),
    );
  });
});
