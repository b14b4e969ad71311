import fc from "fast-check";
import { expect, test } from "vitest";
import type { Verdict } from "@/server/lib/schema";
import { CALIBRATION, calibrationSchema, getConfidencePpm } from "./calibration";

const stated = fc.double({ min: 0.5, max: 1, noNaN: true });

test("the shipped confidence never falls as the stated one rises", () => {
  fc.assert(
    fc.property(stated, stated, fc.constantFrom<Verdict>("SUCCESS", "FAILURE"), (a, b, verdict) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)].map((x) => getConfidencePpm(verdict, x));
      expect(low).toBeGreaterThanOrEqual(500_000);
      expect(low).toBeLessThanOrEqual(high ?? 0);
    }),
  );
});

test("the confidence in each verdict comes from the bin of its own table", () => {
  const bins = [
    { from: 0.5, ppm: 550_000 },
    { from: 0.8, ppm: 650_000 },
  ];
  const calibration = { ...CALIBRATION, FAILURE: { ...CALIBRATION.FAILURE, bins } };
  // The mean of 0.8 and 0.8, with its rounding.
  expect(getConfidencePpm("FAILURE", 0.7999999999, calibration)).toBe(650_000);
  expect(getConfidencePpm("FAILURE", 0.79, calibration)).toBe(550_000);
  expect(getConfidencePpm("SUCCESS", 0.79, calibration)).toBe(getConfidencePpm("SUCCESS", 0.79));
});

test.each([
  { bins: [] },
  { bins: [{ from: 0.6, ppm: 500_000 }] },
  {
    bins: [
      { from: 0.5, ppm: 600_000 },
      { from: 0.7, ppm: 500_000 },
    ],
  },
  {
    bins: [
      { from: 0.5, ppm: 500_000 },
      { from: 0.5, ppm: 600_000 },
    ],
  },
  { bins: [{ from: 0.5, ppm: 400_000 }] },
])("%j is not a valid table", (change) => {
  const changed = { ...CALIBRATION, FAILURE: { ...CALIBRATION.FAILURE, ...change } };
  expect(calibrationSchema.safeParse(changed).success).toBe(false);
});
