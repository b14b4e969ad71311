import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CATEGORIES, type Verdict } from "@/server/lib/schema";
import {
  brierScore,
  computeFigures,
  computeShare,
  computeUsage,
  type DecidedCase,
  expectedCalibrationError,
  type JudgedCase,
} from "./metrics";

type Judged = JudgedCase & DecidedCase;

const one = (label: Verdict, verdict: Verdict, confidence: number): Judged => ({
  ...{ id: "", category: "ops", isAttack: false },
  ...{ label, verdict, confidence },
});
const attack = (verdict: Verdict, confidence: number): Judged => ({
  ...one("FAILURE", verdict, confidence),
  isAttack: true,
});

// Of five good cases three passed; of four bad ones one failed.
const HAND: Judged[] = [
  one("SUCCESS", "SUCCESS", 0.95),
  one("SUCCESS", "SUCCESS", 0.85),
  one("SUCCESS", "SUCCESS", 0.55),
  one("SUCCESS", "FAILURE", 0.55),
  one("SUCCESS", "FAILURE", 0.65),
  one("FAILURE", "FAILURE", 1),
  one("FAILURE", "SUCCESS", 0.95),
  one("FAILURE", "SUCCESS", 0.85),
  one("FAILURE", "SUCCESS", 0.55),
];

describe("metrics computed by hand", () => {
  test("rates", () => {
    expect(computeFigures(HAND)).toMatchObject({
      tpr: { n: 5, count: 3, value: 3 / 5 },
      tnr: { n: 4, count: 1, value: 1 / 4 },
      balancedAccuracy: (0.6 + 0.25) / 2,
      attacks: null,
    });
  });

  test("an attack passes only if its verdict has weight, and is bad work too", () => {
    const figures = computeFigures([attack("SUCCESS", 0.5), attack("SUCCESS", 0.51), ...HAND]);
    expect(figures).toMatchObject({ attacks: { n: 2, count: 1 }, tnr: { n: 6, count: 1 } });
  });

  test("Brier score", () => {
    const right = 0.05 ** 2 + 0.15 ** 2 + 0.45 ** 2 + 0;
    const wrong = 0.55 ** 2 + 0.65 ** 2 + 0.95 ** 2 + 0.85 ** 2 + 0.55 ** 2;
    expect(brierScore(HAND)).toBeCloseTo((right + wrong) / 9, 12);
  });

  test("expected calibration error", () => {
    const gaps =
      3 * Math.abs(1 / 3 - 0.55) +
      1 * Math.abs(0 - 0.65) +
      2 * Math.abs(1 / 2 - 0.85) +
      3 * Math.abs(2 / 3 - 2.9 / 3);
    expect(expectedCalibrationError(HAND)).toBeCloseTo(gaps / 9, 12);
  });

  test("are null without cases or without one of the labels", () => {
    const good = HAND.filter(({ label }) => label === "SUCCESS");
    expect(computeFigures(good)).toMatchObject({ tnr: null, balancedAccuracy: null });
    expect(brierScore([])).toBeNull();
    expect(expectedCalibrationError([])).toBeNull();
  });

  test("exclude undecided cases and count them", () => {
    const undecided = { ...one("SUCCESS", "SUCCESS", 0), verdict: null };
    const figures = computeFigures([...HAND, undecided]);
    expect(figures).toMatchObject({ n: 10, undecided: 1, tpr: { value: 0.6 } });
    expect(computeFigures(HAND)).toEqual({ ...figures, n: 9, undecided: 0 });
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

const verdict = fc.constantFrom<Verdict>("SUCCESS", "FAILURE");
const decided: fc.Arbitrary<Judged> = fc.record({
  id: fc.string(),
  category: fc.constantFrom(...CATEGORIES),
  isAttack: fc.boolean(),
  label: verdict,
  verdict,
  confidence: fc.integer({ min: 0, max: 20 }).map((twentieths) => twentieths / 20),
});
const bothClasses = fc
  .array(decided, { minLength: 1, maxLength: 60 })
  .filter((cases) => new Set(cases.map(({ label }) => label)).size === 2);

test("an always right, certain judge has accuracy 1 and no error", () => {
  fc.assert(
    fc.property(bothClasses, (cases) => {
      const perfect = cases.map((each) => ({ ...each, verdict: each.label, confidence: 1 }));
      expect(computeFigures(perfect)).toMatchObject({ balancedAccuracy: 1, brier: 0, ece: 0 });
    }),
  );
});

test("a judge that passes everything has balanced accuracy 0.5 on any mix", () => {
  fc.assert(
    fc.property(bothClasses, (cases) => {
      const lenient = cases.map((each) => ({ ...each, verdict: "SUCCESS" as const }));
      expect(computeFigures(lenient).balancedAccuracy).toBe(0.5);
    }),
  );
});

test("figures do not depend on the order of the cases", () => {
  const shuffled = bothClasses.chain((cases) =>
    fc.tuple(
      fc.constant(cases),
      fc.shuffledSubarray(cases, { minLength: cases.length, maxLength: cases.length }),
    ),
  );
  fc.assert(
    fc.property(shuffled, ([cases, mixed]) => {
      const [a, b] = [computeFigures(cases), computeFigures(mixed)];
      expect({ ...b, brier: 0, ece: 0, eceByVerdict: 0, decided: 0 }).toEqual({
        ...a,
        ...{ brier: 0, ece: 0, eceByVerdict: 0, decided: 0 },
      });
      expect(b.ece).toBeCloseTo(a.ece ?? Number.NaN, 10);
    }),
  );
});

describe("usage", () => {
  const call = (input: number) =>
    ({ tokens: { input, cachedInput: 0, output: 10 }, costUsd: 0.5 }) as never;
  const examined = (...manipulations: boolean[]) => ({
    detail: {
      examinations: manipulations.map((manipulation) => ({
        ...{ outcome: "answer" as const, manipulation },
      })),
    },
  });
  const used = (isAttack: boolean, manipulations: boolean[], roundTrips: number) => ({
    ...{ isAttack, verdict: "FAILURE" as const, latencyMs: 100, roundTrips },
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
