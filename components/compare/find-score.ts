import { isolateText } from "@/server/lib/bidi";

/** A score, and the time of its change in days since the start of the chart. */
export type ScorePoint = readonly [day: number, score: number];

/** Returns the score at the end of a day, or undefined before the first one. */
export function findScore(points: readonly ScorePoint[], day: number): number | undefined {
  return points.findLast(([at]) => at < day + 1)?.[1];
}

/** Lists the agents with their scores at the end of a day. */
export function describeScores(
  lines: readonly { name: string; points: readonly ScorePoint[] }[],
  day: number,
): string {
  return lines
    .map(
      ({ name, points }) =>
        `${isolateText(name)} ${findScore(points, day)?.toFixed(2) ?? "no score"}`,
    )
    .join(", ");
}
