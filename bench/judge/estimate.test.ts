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

test("counts two calls per case, of about 900 tokens in and 250 out", () => {
  const prices = { input: 2, output: 10 };
  const { calls, inputTokens, outputTokens, costUsd } = estimateCost([caseOf(500)], prices);
  expect({ calls, inputTokens, outputTokens }).toEqual({
    calls: 2,
    inputTokens: 2 * 900,
    outputTokens: 2 * 250,
  });
  expect(costUsd).toBeCloseTo((1_800 * 2 + 500 * 10) / 1e6, 9);
});

test("counts the texts for each examination", () => {
  const tokens = (bytes: number) =>
    estimateCost([caseOf(bytes)], { input: 1, output: 1 }).inputTokens;
  // Each of the two texts has a thousand more tokens.
  expect(tokens(4_040) - tokens(40)).toBe(2 * 2_000);
});

test("returns no cost without prices", () => {
  expect(estimateCost([caseOf(1)], { input: 1, output: undefined }).costUsd).toBeNull();
});
