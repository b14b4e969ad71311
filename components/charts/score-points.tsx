import type { ReactNode } from "react";
import type { ScoreSeries, SeriesInput } from "@/server/explorer/schema";

/** A point as Unix seconds, score, and position in `SCORE_MARKERS`: a chart has hundreds of them. */
export type PackedPoint = readonly [seconds: number, score: number, marker: number];

export const packPoints = (points: ScoreSeries): PackedPoint[] =>
  points.map(({ at, score, cause }) => [
    Date.parse(at) / 1000,
    score,
    SCORE_MARKERS.findIndex((marker) => marker.cause === cause),
  ]);

/** Returns whether a series begins before its range; the server then adds a day's score at the start. */
export const hasEarlierScore = ([first, ...rest]: ScoreSeries): boolean =>
  first?.cause === "day" && rest.length > 0;

/** Returns the ranges of a chart that differ; none if the whole history is within 30 days. */
export function listRanges(month: ScoreSeries, halfYear: ScoreSeries): SeriesInput["range"][] {
  if (!hasEarlierScore(month)) return [];
  return hasEarlierScore(halfYear) ? ["30d", "6m", "all"] : ["30d", "6m"];
}

/** Shape and label of each cause of a score change, outcomes first; the passing of days has none. */
export const SCORE_MARKERS: {
  cause: ScoreSeries[number]["cause"];
  label: string;
  shape: ReactNode;
}[] = [
  { cause: "outcome", label: "Job", shape: <circle r="2.5" className="fill-ink" /> },
  {
    cause: "dispute",
    label: "Dispute resolved",
    shape: <path d="M0-5.5L5.5 0 0 5.5-5.5 0z" className="fill-ink" />,
  },
  {
    cause: "refund",
    label: "Refund",
    shape: <path d="M-5-5L0 0-5 5M0-5L5 0 0 5" className="fill-none stroke-ink stroke-2" />,
  },
  {
    cause: "superseded",
    label: "Superseded",
    shape: <path d="M-5-5L5 5M-5 5L5-5" className="fill-none stroke-ink stroke-2" />,
  },
  {
    cause: "anchor",
    label: "Change of known clients",
    shape: <path d="M0-5.5L5 4.5H-5z" className="fill-ink" />,
  },
  {
    cause: "takeover",
    label: "Takeover",
    shape: <rect x="-4" y="-4" width="8" height="8" className="fill-ink" />,
  },
];

/** Above this many points, circles of outcomes would hide the line. */
const MAX_CIRCLES = 40;

/** Returns whether a chart of `count` points marks a point with this marker. */
export const isMarked = (marker: number, count: number) =>
  marker > 0 || (marker === 0 && count <= MAX_CIRCLES);
