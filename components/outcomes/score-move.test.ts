import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeMove, describeParts, getMove } from "./score-move";

type Change = Parameters<typeof getMove>[0][number] & Parameters<typeof describeParts>[0];

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
    [
      change(41.53, 64.09, 23.016),
      "41.53 → 64.09",
      "+23.02 came from this and −0.46 from the days before.",
    ],
    [change(78.21, 76.61, -1.6), "78.21 → 76.61", ""],
    [change(0, 20, null), "0.00 → 20.00", ""],
    [change(95.99, 95.99, null), "at 95.99", ""],
  ])("say before and after, and the parts (%#)", (moved, text, parts) => {
    expect(describeMove(moved)).toBe(text);
    expect(describeParts(moved)).toBe(parts);
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
        const parts =
          describeParts(moved)
            .replaceAll("−", "-")
            .match(/[+-]?\d+\.\d\d/g) ?? [];
        const sum =
          parts.length > 0 ? parts.reduce((all, part) => all + Number(part), 0) : getMove([moved]);
        expect(before + sum).toBeCloseTo(after, 6);
      }),
    );
  });
});
