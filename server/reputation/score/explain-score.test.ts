import fc from "fast-check";
import { expect, test } from "vitest";
import type { LedgerRecord } from "@/server/chain/registry/ledger";
import { AGENT, anyLedger, NOON } from "@/server/testing/fixtures/random-ledger";
import { describeNextJob, explainScore, scoreWithSuccess } from "./explain-score";
import { findCeiling, toPublishedScore } from "./public-reputation";
import { computeScore } from "./score";
import { createOutcome } from "./simulate";

const RUNS = { numRuns: 300 };
const anyJob = fc.record({
  log: anyLedger,
  valueUsdc: fc.integer({ min: 1, max: 100_000 }).map((cents) => cents / 100),
  backing: fc.constantFrom("paid" as const, "anchored" as const),
});

test("one more success adds what the formula computes from the longer ledger", () => {
  fc.assert(
    fc.property(anyJob, ({ log, valueUsdc, backing }) => {
      const { breakdown, scoreE4, totalOutcomes } = computeScore(log, AGENT, NOON);
      const micro = Math.round(valueUsdc * 1_000_000);
      const longer: LedgerRecord[] = [
        ...log,
        createOutcome({
          id: "further",
          contractor: AGENT,
          requester: "further",
          valueMicro: micro,
          paidMicro: micro,
          agreed: backing === "anchored",
          confPpm: 950_000,
          resolvedAt: NOON,
        }),
      ];
      if (backing === "anchored") {
        longer.push({ type: "anchor", seq: 1_000_000, wallet: "further", from: 0, until: null });
      }
      const expected = toPublishedScore(computeScore(longer, AGENT, NOON).scoreE4);
      const found = scoreWithSuccess(totalOutcomes > 0 ? breakdown : null, { valueUsdc, backing });
      expect(Math.abs(found - expected)).toBeLessThan(0.011);
      expect(found).toBeGreaterThan(toPublishedScore(scoreE4) - 0.011);
    }),
    RUNS,
  );
});

test("what failures cost and what is to come adds up to 100", () => {
  fc.assert(
    fc.property(anyLedger, (log) => {
      const { breakdown, scoreE4, ...counts } = computeScore(log, AGENT, NOON);
      const score = toPublishedScore(scoreE4);
      const [parts = ""] = explainScore(
        { ...counts, score, ceiling: findCeiling(breakdown) },
        breakdown,
      ).split(/(?<=more jobs)\. /);
      if (score === 0) return;
      const points = (parts.match(/\d+\.\d\d/g) ?? []).reduce((sum, text) => sum + Number(text), 0);
      expect(points).toBeCloseTo(100, 6);
    }),
    RUNS,
  );
});

const counts = { totalOutcomes: 3, confirmedOutcomes: 3, assessedOutcomes: 3 };
const part = (good: number, bad: number): [number, number] => [good, bad];
const breakdown = {
  quality: 1,
  confidence: 0.5,
  good: 3,
  tenureCapacity: 10,
  claimed: part(0, 0),
  paid: part(3, 0),
  anchored: part(0, 0),
};

test.each([
  ["No score yet: no recorded job.", { score: 0, ceiling: null }, null],
  [
    "50.00: no points lost to failures, 50.00 to come with more jobs. Without a job for a known client, no score exceeds 64.70.",
    { score: 50, ceiling: { score: 64.7, liftedBy: "anchor" as const } },
    breakdown,
  ],
  [
    "64.70: no points lost to failures, 35.30 to come with more jobs. At the ceiling of 64.70: no job for a known client.",
    { score: 64.7, ceiling: { score: 64.7, liftedBy: "anchor" as const } },
    breakdown,
  ],
  [
    "40.00: 20.00 points lost to failures, 40.00 to come with more jobs.",
    { score: 40, ceiling: null },
    { ...breakdown, quality: 0.8 },
  ],
  [
    "0.00: no success, only failures.",
    { score: 0, ceiling: null },
    { ...breakdown, paid: part(0, 1) },
  ],
  [
    "0.00: the judge could not assess any job.",
    { score: 0, ceiling: null, assessedOutcomes: 0 },
    { ...breakdown, paid: part(0, 0) },
  ],
  [
    "0.00: no job counts, because none is paid or submitted by the agent.",
    { score: 0, ceiling: null, confirmedOutcomes: 0 },
    { ...breakdown, paid: part(0, 0) },
  ],
] as const)("explains %s", (sentence, reputation, parts) => {
  expect(explainScore({ ...counts, ...reputation }, parts && { ...parts })).toBe(sentence);
});

test("what one more job would add is the difference of the scores as shown", () => {
  const next = scoreWithSuccess(breakdown, { valueUsdc: 10, backing: "paid" });
  expect(describeNextJob({ score: 50 }, breakdown, 10)).toContain(
    `A paid success of 10.00 USDC for a new client would add ${(next - 50).toFixed(2)} points`,
  );
  expect(describeNextJob({ score: 100 }, breakdown, 10)).toMatch(/no single job adds 0\.01/);
});
