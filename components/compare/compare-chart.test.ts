import { expect, test } from "vitest";
import { describeScores, findScore } from "./compare-chart";

const points = [
  [2.25, 40],
  [2.75, 50],
  [9, 61.5],
] as const;

test("a day has the last score of that day or before", () => {
  expect([0, 1, 2, 8, 9, 182].map((day) => findScore(points, day))).toEqual([
    undefined,
    undefined,
    50,
    50,
    61.5,
    61.5,
  ]);
});

test("an agent without a score yet is named too", () => {
  const lines = [
    { name: "Wren", points },
    { name: "Heron", points: [] },
  ];
  expect(describeScores(lines, 3)).toBe("\u2068Wren\u2069 50.00, \u2068Heron\u2069 no score");
});
