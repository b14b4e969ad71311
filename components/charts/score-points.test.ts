import { expect, test } from "vitest";
import type { ScoreSeries } from "@/server/explorer/schema";
import { packPoints, summarizeMonths, unpackPoints } from "./score-points";

const POINTS: ScoreSeries = [
  { at: "2026-09-30T23:59:59.000Z", score: 40, cause: "outcome" },
  { at: "2026-10-01T00:00:00.000Z", score: 39.5, cause: "day" },
  { at: "2026-10-08T09:30:00.250Z", score: 12.34, cause: "dispute" },
  { at: "2026-10-31T12:00:00.000Z", score: 20, cause: "takeover" },
];

test("packed points keep time, score and cause", () => {
  expect(unpackPoints(packPoints(POINTS))).toEqual(POINTS);
});

test("months have their lowest, highest and last score, newest first", () => {
  expect(summarizeMonths(POINTS)).toEqual([
    { name: "Oct 2026", lowest: 12.34, highest: 39.5, last: 20 },
    { name: "Sep 2026", lowest: 40, highest: 40, last: 40 },
  ]);
  expect(summarizeMonths([])).toEqual([]);
});
