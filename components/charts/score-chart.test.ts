import { expect, test } from "vitest";
import { describeScores } from "./score-chart";
import type { PackedPoint } from "./score-points";

const points: PackedPoint[] = [
  [1_000, 40, 0],
  [2_000, 50, 0],
  [9_000, 61.5, 0],
];
const lines = [
  { name: "Wren", points },
  { name: "Heron", points: [] },
];

test.each([
  [999, "no score"],
  [1_000, "40.00"],
  [8_999, "50.00"],
  [10_000, "61.50"],
])("at %d each agent has its last score until then", (time, score) => {
  const text = `Jan 1, 1970: \u2068Wren\u2069 ${score}, \u2068Heron\u2069 no score`;
  expect(describeScores(lines, time)).toBe(text);
});
