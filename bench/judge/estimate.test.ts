import { expect, test } from "vitest";
import { estimateCost } from "./estimate";
import type { LabelledCase } from "./labelled-set";

const caseOf = (bytes: number): LabelledCase => ({
  id: "a",
  category: "ops",
  task: "x".repeat(bytes),
  deliverable: "y".repeat(bytes),
  label: "SUCCESS",
});

test("counts two blind calls and three votes per case, and three more votes for a third of the cases", () => {
  const cases = [caseOf(40), caseOf(40), caseOf(40)];
  const prices = { input: 2, output: 10 };
  const { calls, inputTokens, outputTokens, costUsd } = estimateCost(cases, prices);
  expect(calls).toBe(6 + 9 + 3);
  expect(costUsd).toBeCloseTo((inputTokens * 2 + outputTokens * 10) / 1e6, 4);
});

test("counts the texts again for each vote", () => {
  const tokens = (bytes: number) =>
    estimateCost([caseOf(bytes)], { input: 1, output: 1 }).inputTokens;
  // Each text has a thousand more tokens: each blind call reads one, each vote reads both.
  expect(tokens(4_040) - tokens(40)).toBeCloseTo(2 * 1_000 + 4 * 2_000, -1);
});

test("returns no cost without prices", () => {
  expect(estimateCost([caseOf(1)], { input: 1, output: undefined }).costUsd).toBeNull();
});
