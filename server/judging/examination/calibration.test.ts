import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CALIBRATION, calibrationSchema, getConfidencePpm } from "./calibration";

const share = fc.double({ min: 0, max: 1, noNaN: true });

describe("the shipped table", () => {
  test("is unfitted and says so: from 0.5 to 0.9", () => {
    expect(CALIBRATION.version).toBe("unfitted/v2");
    expect(getConfidencePpm("SUCCESS", { share: 1, margin: 1 })).toBe(900_000);
    expect(getConfidencePpm("SUCCESS", { share: 0, margin: 0 })).toBe(500_000);
    fc.assert(
      fc.property(share, share, (a, b) => {
        const ppm = getConfidencePpm("SUCCESS", { share: a, margin: b });
        expect(ppm).toBeGreaterThanOrEqual(500_000);
        expect(ppm).toBeLessThanOrEqual(900_000);
      }),
    );
  });

  test("never decreases as votes agree more", () => {
    fc.assert(
      fc.property(share, share, share, share, (a, b, c, d) => {
        const low = getConfidencePpm("SUCCESS", { share: Math.min(a, b), margin: Math.min(c, d) });
        const high = getConfidencePpm("SUCCESS", { share: Math.max(a, b), margin: Math.max(c, d) });
        expect(low).toBeLessThanOrEqual(high);
      }),
    );
  });

  test("puts three of five votes with a margin of 0.2 into the bin from 0.4", () => {
    expect(getConfidencePpm("SUCCESS", { share: 0.6, margin: 0.2 })).toBe(600_000);
  });
});

test("the confidence in each verdict comes from its own table", () => {
  const bins = [{ from: 0, ppm: 650_000 }];
  const calibration = { ...CALIBRATION, FAILURE: { ...CALIBRATION.FAILURE, bins } };
  const support = { share: 1, margin: 1 };
  expect(getConfidencePpm("SUCCESS", support, calibration)).toBe(900_000);
  expect(getConfidencePpm("FAILURE", support, calibration)).toBe(650_000);
});

test.each([
  { bins: [] },
  { bins: [{ from: 0.1, ppm: 500_000 }] },
  {
    bins: [
      { from: 0, ppm: 600_000 },
      { from: 0.5, ppm: 500_000 },
    ],
  },
  {
    bins: [
      { from: 0, ppm: 500_000 },
      { from: 0, ppm: 600_000 },
    ],
  },
  { bins: [{ from: 0, ppm: 400_000 }] },
])("%j is not a valid table", (change) => {
  const changed = { ...CALIBRATION, FAILURE: { ...CALIBRATION.FAILURE, ...change } };
  expect(calibrationSchema.safeParse(changed).success).toBe(false);
});
