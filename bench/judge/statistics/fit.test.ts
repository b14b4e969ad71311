import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MeasuredCase } from "@/bench/judge/measure-judge";
import { calibrationSchema, getConfidencePpm } from "@/server/judging/examination/calibration";
import type { Verdict } from "@/server/lib/schema";
import { fitCalibration, fitTable, type Sample } from "./fit";

const other = (verdict: Verdict): Verdict => (verdict === "SUCCESS" ? "FAILURE" : "SUCCESS");

/** Returns a `SUCCESS` with confidence 0.9 whose examinations stated `stated`. */
const caseOf = (place: number, stated: number, isRight: boolean) =>
  ({
    ...{ id: String(place), category: "ops", isAttack: false },
    label: isRight ? "SUCCESS" : "FAILURE",
    ...{ verdict: "SUCCESS", confidence: 0.9 },
    judgement: { detail: { stated } },
    ...{ calls: [], latencyMs: 0, roundTrips: 1 },
  }) as unknown as MeasuredCase;

test("fits to even positions only and evaluates on odd ones", () => {
  const cases = (oddIsRight: boolean) =>
    Array.from({ length: 200 }, (_, index) => {
      const place = index + 1;
      const isRight = place % 2 === 0 ? index % 10 !== 1 : oddIsRight;
      return caseOf(place, index % 4 < 2 ? 0.95 : 0.7, isRight);
    });
  const [good, bad] = [fitTable(cases(true), "v"), fitTable(cases(false), "v")];
  expect(good.table).toEqual(bad.table);
  expect(good).toMatchObject({ fittedTo: 100, triedOn: 100 });
  // Every confidence was 0.9, while the odd half is all right or all wrong.
  expect(good.before).toBeCloseTo(0.1, 12);
  expect(bad.before).toBeCloseTo(0.9, 12);
});

test("reduces the error of an overconfident judge", () => {
  const cases = Array.from({ length: 400 }, (_, index) =>
    caseOf(index + 1, 0.95, Math.floor(index / 2) % 5 < 3),
  );
  const { before, after } = fitTable(cases, "v");
  expect(before).toBeCloseTo(0.3, 2);
  expect(after).toBeLessThan(0.05);
});

test("skips cases that no examination decided, without shifting positions", () => {
  const right = caseOf(1, 0.95, true);
  const gate = { ...right, judgement: { detail: {} } } as unknown as MeasuredCase;
  const undecided = { ...right, verdict: null, judgement: null };
  const cases = Array.from({ length: 80 }, (_, index) => caseOf(index + 1, 0.95, true));
  cases[0] = gate;
  cases[1] = undecided;
  expect(fitTable(cases, "v")).toMatchObject({ fittedTo: 39, triedOn: 39 });
});

test("rejects too few cases", () => {
  expect(() => fitTable([caseOf(1, 0.95, true)], "v")).toThrow("at least 20 cases");
});

const verdict = fc.constantFrom<Verdict>("SUCCESS", "FAILURE");
const stated = fc.double({ min: 0.5, max: 1, noNaN: true });
const sample: fc.Arbitrary<Sample> = fc.record({
  ...{ verdict, label: verdict, stated },
  confidence: stated,
});
const repeat = (count: number, verdict: Verdict, stated: number, isRight: boolean) =>
  Array.from(
    { length: count },
    (): Sample => ({ verdict, stated, label: isRight ? verdict : other(verdict), confidence: 0.9 }),
  );

describe("a fitted table", () => {
  test("is valid for any samples", () => {
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 60 }), (samples) => {
        const table = fitCalibration(samples, "fitted/test");
        expect(calibrationSchema.safeParse(table).success).toBe(true);
        const limits = { least: 500_000, most: 990_000 };
        expect(table).toMatchObject({ version: "fitted/test", SUCCESS: limits, FAILURE: limits });
      }),
    );
  });

  test("does not depend on the order of the samples", () => {
    fc.assert(
      fc.property(fc.array(sample), (samples) => {
        expect(fitCalibration([...samples].reverse(), "v")).toEqual(fitCalibration(samples, "v"));
      }),
    );
  });

  test("without samples equals the prior", () => {
    const { SUCCESS, FAILURE } = fitCalibration([], "v");
    const prior = [550_000, 600_000, 700_000, 800_000, 900_000];
    for (const { bins } of [SUCCESS, FAILURE]) expect(bins.map(({ ppm }) => ppm)).toEqual(prior);
  });

  test("follows the share of correct verdicts with many samples, but hardly with one", () => {
    const fitConfidence = (samples: Sample[]) =>
      getConfidencePpm("SUCCESS", 0.95, fitCalibration(samples, "v")) / 1e6;
    const mixed = [...repeat(700, "SUCCESS", 0.95, true), ...repeat(300, "SUCCESS", 0.95, false)];
    // The 1,000 cases are pooled with 10 prior cases at 0.9 and, since the bin falls below the
    // previous one, with that bin's 10 at 0.8.
    expect(fitConfidence(mixed)).toBeCloseTo((700 + 9 + 8) / 1_020, 5);
    expect(fitConfidence(repeat(1, "SUCCESS", 0.95, false))).toBeCloseTo(9 / 11, 5);
  });

  test("pools adjacent bins that decrease", () => {
    const weak = repeat(90, "FAILURE", 0.5, true);
    const strong = repeat(90, "FAILURE", 0.7, false);
    const { bins } = fitCalibration([...weak, ...strong], "v").FAILURE;
    // (90 + 5.5) of 100 is above the next bin's prior of 6 of 10 and above (0 + 7) of 100, so the three
    // are pooled: 108.5 of 210.
    expect(bins.map(({ ppm }) => ppm)).toEqual([516_667, 516_667, 516_667, 800_000, 900_000]);
  });
});
