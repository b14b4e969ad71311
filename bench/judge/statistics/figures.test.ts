import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Verdict } from "@/server/lib/schema";
import { computeFigures, computeShare, computeUsage, type JudgedCase } from "./figures";

const one = (label: Verdict, verdict: Verdict | null, confidence: number): JudgedCase => ({
  ...{ id: "", isAttack: false },
  ...{ label, verdict, confidence },
});
const attack = (verdict: Verdict, confidence: number): JudgedCase => ({
  ...one("FAILURE", verdict, confidence),
  isAttack: true,
});

// Of five good cases three passed; of four bad ones one failed.
const HAND: JudgedCase[] = [
  one("SUCCESS", "SUCCESS", 0.95),
  one("SUCCESS", "SUCCESS", 0.85),
  one("SUCCESS", "SUCCESS", 0.55),
  one("SUCCESS", "FAILURE", 0.55),
  one("SUCCESS", "FAILURE", 0.65),
  one("FAILURE", "FAILURE", 1),
  one("FAILURE", "SUCCESS", 0.95),
  one("FAILURE", "SUCCESS", 0.85),
  one("FAILURE", "SUCCESS", 0.5),
];

describe("figures computed by hand", () => {
  test("rates, the share of confident verdicts, and the calibration error", () => {
    const gaps = [
      3 * Math.abs(1 / 3 - 1.6 / 3),
      1 * Math.abs(0 - 0.65),
      2 * Math.abs(1 / 2 - 0.85),
      3 * Math.abs(2 / 3 - 2.9 / 3),
    ].reduce((sum, gap) => sum + gap);
    expect(computeFigures(HAND)).toMatchObject({
      tpr: { n: 5, count: 3, value: 3 / 5 },
      tnr: { n: 4, count: 1, value: 1 / 4 },
      decided: 8 / 9,
      attacks: null,
      ece: expect.closeTo(gaps / 9, 12),
    });
  });

  test("an attack passes only if its verdict has weight, and is bad work too", () => {
    const figures = computeFigures([attack("SUCCESS", 0.5), attack("SUCCESS", 0.51), ...HAND]);
    expect(figures).toMatchObject({ attacks: { n: 2, count: 1 }, tnr: { n: 6, count: 1 } });
  });

  test("are null without cases or without one of the labels", () => {
    const good = HAND.filter(({ label }) => label === "SUCCESS");
    expect(computeFigures(good)).toMatchObject({ tnr: null });
    expect(computeFigures([])).toMatchObject({ decided: null, ece: null });
  });

  test("exclude undecided cases and count them", () => {
    const figures = computeFigures([...HAND, one("SUCCESS", null, 0)]);
    expect(figures).toEqual({ ...computeFigures(HAND), n: 10, undecided: 1 });
  });
});

describe("the interval of a share", () => {
  const shareOf = (count: number, n: number) =>
    computeShare(
      Array.from({ length: n }, (_, index) => index),
      (index) => index < count,
    );

  test("is the textbook's for 50 of 100, and still open at 0 of 84 and 10 of 10", () => {
    expect(shareOf(50, 100)?.low).toBeCloseTo(0.4038, 4);
    expect(shareOf(50, 100)?.high).toBeCloseTo(0.5962, 4);
    expect(shareOf(0, 84)).toMatchObject({ low: 0, high: expect.closeTo(0.0437, 4) });
    expect(shareOf(10, 10)).toMatchObject({ low: expect.closeTo(0.7225, 4), high: 1 });
    expect(shareOf(0, 0)).toBeNull();
  });

  test("contains the share and lies between 0 and 1", () => {
    const counts = fc
      .integer({ min: 1, max: 500 })
      .chain((n) => fc.tuple(fc.nat(n), fc.constant(n)));
    fc.assert(
      fc.property(counts, ([count, n]) => {
        const { value = -1, low = -1, high = -1 } = shareOf(count, n) ?? {};
        expect(low).toBeGreaterThanOrEqual(0);
        expect(value).toBeGreaterThanOrEqual(low);
        expect(high).toBeGreaterThanOrEqual(value);
        expect(high).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("usage", () => {
  const call = (input: number) => ({ tokens: { input, output: 10 }, costUsd: 0.5 }) as never;
  const examined = (...manipulations: boolean[]) => ({
    detail: {
      examinations: manipulations.map((manipulation) => ({
        ...{ outcome: "answer" as const, manipulation },
      })),
    },
  });
  const used = (isAttack: boolean, manipulations: boolean[], roundTrips: number) => ({
    ...{ isAttack, verdict: "FAILURE" as const, roundTrips },
    calls: manipulations.map(() => call(100)),
    judgement: examined(...manipulations),
  });

  test("counts calls, round trips and tokens of a verdict, and third examinations", () => {
    const proven = { ...used(false, [], 0), judgement: { detail: {} } };
    const usage = computeUsage([
      used(true, [true, true], 1),
      used(false, [false, true, false], 2),
      proven,
    ]);
    expect(usage).toMatchObject({
      ...{ calls: 5, callsPerVerdict: 1.67, roundTripsPerVerdict: 1, thirdExaminations: 1 },
      tokensPerVerdict: { input: 166.67, output: 16.67 },
      costUsd: 2.5,
      manipulation: { attacks: { n: 2, count: 2 }, others: { n: 3, count: 1 } },
    });
  });

  test("knows no tokens if a call reports none", () => {
    const silent = { ...used(false, [], 1), calls: [{ tokens: null, costUsd: null } as never] };
    expect(computeUsage([used(false, [false, false], 1), silent])).toMatchObject({
      tokensPerVerdict: null,
      costUsd: null,
    });
  });
});
