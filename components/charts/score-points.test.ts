import { expect, test } from "vitest";
import type { ScoreSeries } from "@/server/explorer/schema";
import { hasEarlierScore, listRanges, packPoints, SCORE_MARKERS } from "./score-points";

const POINTS: ScoreSeries = [
  { at: "2026-09-30T23:59:59.000Z", score: 40, cause: "outcome" },
  { at: "2026-10-01T00:00:00.000Z", score: 39.5, cause: "day" },
  { at: "2026-10-08T09:30:00.250Z", score: 12.34, cause: "dispute" },
  { at: "2026-10-31T12:00:00.000Z", score: 20, cause: "takeover" },
];

test("packed points keep time, score and the marker of the cause", () => {
  const packed = packPoints(POINTS).map(([seconds, score, marker]) => [
    new Date(seconds * 1000).toISOString(),
    score,
    SCORE_MARKERS[marker]?.cause ?? "day",
  ]);
  expect(packed).toEqual(POINTS.map(({ at, score, cause }) => [at, score, cause]));
});

test("a chart offers only ranges that differ", () => {
  const [first, day, ...later] = POINTS as [ScoreSeries[0], ScoreSeries[0], ...ScoreSeries];
  const [fresh, older] = [
    [first, ...later],
    [day, ...later],
  ];
  expect([hasEarlierScore(fresh), hasEarlierScore(older), hasEarlierScore([day])]).toEqual([
    false,
    true,
    false,
  ]);
  expect(listRanges(fresh, fresh)).toEqual([]);
  expect(listRanges(older, fresh)).toEqual(["30d", "6m"]);
  expect(listRanges(older, older)).toEqual(["30d", "6m", "all"]);
});
