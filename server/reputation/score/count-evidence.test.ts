import fc from "fast-check";
import { expect, test } from "vitest";
import { AGENT, anyLedger, NOON } from "@/server/testing/fixtures/random-ledger";
import { countEvidence } from "./count-evidence";
import { computeScore } from "./score";

test("adds up to the evidence and the quality of the score", () => {
  fc.assert(
    fc.property(anyLedger, (log) => {
      const { breakdown } = computeScore(log, AGENT, NOON);
      const { classes, total } = countEvidence(breakdown);
      const counted = Object.values(classes).reduce((sum, part) => sum + part.counted, 0);
      expect(counted).toBeCloseTo(total.counted, 9);
      expect(Math.min(total.counted, breakdown.tenureCapacity)).toBeCloseTo(breakdown.good, 6);
      const [good, bad] = total.weighed;
      if (good + bad > 1e-6) expect(good / (good + bad)).toBeCloseTo(breakdown.quality, 4);
    }),
    { numRuns: 300 },
  );
});

test("shows what each limit leaves", () => {
  const { classes, total } = countEvidence({
    quality: 0,
    confidence: 0,
    good: 0,
    tenureCapacity: 0,
    claimed: [6, 0],
    paid: [6, 2],
    anchored: [2, 1],
  });
  // Claims are limited to 3 units; with 8 paid units the open evidence is limited to 5.5 of 11.
  expect(classes).toEqual({
    anchored: { recorded: [2, 1], weighed: [2, 1], counted: 2 },
    paid: { recorded: [6, 2], weighed: [3, 1], counted: 3 },
    claimed: { recorded: [6, 0], weighed: [1.5, 0], counted: 1.5 },
  });
  expect(total).toEqual({ recorded: [14, 3], weighed: [6.5, 2], counted: 6.5 });
});
