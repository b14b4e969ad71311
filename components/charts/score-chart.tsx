"use client";

import { type ReactNode, useState } from "react";
import { UntrustedText } from "@/components/site/untrusted-text";
import { formatDateTime, formatDay, formatScore } from "@/components/ui/format";
import { isolateText } from "@/server/lib/bidi";
import { DAY_SECONDS } from "@/server/lib/time";
import { TIER_STARTS } from "@/server/reputation/policy";
import { LegendItem, Line, Plot } from "./plot";
import { roundCoordinate } from "./round-coordinate";
import { isMarked, type PackedPoint, SCORE_MARKERS } from "./score-points";
import { SERIES, SeriesKey } from "./series-key";
import { listTimeTicks } from "./time-axis";

export interface ScoreSeriesLine {
  name: string;
  points: PackedPoint[];
}

/** An axis of a history that has just begun is at least this long. */
const MIN_SECONDS = 3_600;
/** A shorter history is drawn smaller. */
const SHORT_SECONDS = 7 * DAY_SECONDS;
/** Tick labels nearer to the end than this percentage would collide with it. */
const LAST_TICK = 94;

/**
 * Draws scores as step lines over real time: one with the causes of its changes, or those of several
 * agents. Hovering, or the arrow keys, select a change of the one line, or a day of several.
 */
export function ScoreChart({ lines }: { lines: ScoreSeriesLine[] }) {
  const [selected, select] = useState<number | null>(null);
  const all = lines.flatMap(({ points }) => points);
  if (all.length === 0) return <p className="text-muted">No scores yet.</p>;
  const only = lines.length === 1 ? all : null;
  const scales = createScales(all);
  const { x, y, start, end } = scales;
  const times = only?.map(([seconds]) => seconds) ?? listDays(start, end);
  const index = selected ?? times.length - 1;
  const time = times[index] ?? end;
  const point = only?.[index];
  const score = only?.at(-1)?.[1];
  const ticks = listTimeTicks(start * 1000, end * 1000)
    .map(({ at, label }) => [x(at / 1000), label] as const)
    .filter(([left]) => left < LAST_TICK);
  return (
    <div className="mt-3">
      <Plot
        className={end - start < SHORT_SECONDS ? "h-28 sm:h-36" : "h-48 sm:h-64 lg:h-72"}
        slider={{
          label: only ? "Score over time" : "Scores over time",
          text: point ? describePoint(point) : describeScores(lines, time),
          count: times.length,
          selected,
          onSelect: select,
          find: (fraction) => findNearest(times, start + fraction * (end - start)),
        }}
        axis="wide"
        values={listAxisLabels(score).map(([at, name]) => [y(at), name])}
        highlight={score !== undefined && <CurrentScore score={score} top={y(score)} />}
        positions={[...ticks, [100, end - start < DAY_SECONDS ? "Now" : "Today"]]}
        overlay={
          <>
            {only && <Markers points={only} scales={scales} current={point} />}
            {selected !== null && (
              <Readout left={x(time)}>
                {point ? describePoint(point) : <ScoreList lines={lines} time={time} />}
              </Readout>
            )}
          </>
        }
      >
        {lines.map(({ points }, n) => (
          <Line
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no state.
            key={n}
            d={points.length > 0 ? drawSteps(points, scales) : ""}
            {...((!only && SERIES[n]) || { className: "stroke-ink" })}
          />
        ))}
        {selected !== null && <path d={`M${x(time)} 0V100`} className="stroke-accent" />}
      </Plot>
      {!only && <Names lines={lines} />}
    </div>
  );
}

/** Names the agents beside their lines. */
const Names = ({ lines }: { lines: ScoreSeriesLine[] }) => (
  <p className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-sm">
    {lines.map(({ name }, n) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: agents can have the same name.
      <LegendItem key={n} swatch={<SeriesKey index={n} />}>
        <UntrustedText>{name}</UntrustedText>
      </LegendItem>
    ))}
  </p>
);

type Scales = ReturnType<typeof createScales>;

/** Returns the path of a score that changes in steps, up to the end. */
const drawSteps = (points: PackedPoint[], { x, y }: Scales) =>
  `${points.map(([seconds, score], n) => (n === 0 ? `M${x(seconds)} ${y(score)}` : `H${x(seconds)}V${y(score)}`)).join("")}H100`;

/** Returns the tiers and zero; the current score covers one that is near. */
const listAxisLabels = (score = Number.NaN) =>
  [...TIER_STARTS, [0, ""] as const].map(([at, name]): [number, string] => [
    at,
    Math.abs(at - score) < 7 ? "" : `${at} ${name}`,
  ]);

/** Shows the score of today beside the others of the axis. */
const CurrentScore = ({ score, top }: { score: number; top: number }) => (
  <span
    className="absolute -translate-y-1/2 rounded bg-accent px-1 py-0.5 leading-none font-medium text-accent-ink"
    style={{ top: `${top}%` }}
  >
    {formatScore(score)}
  </span>
);

/** Shows what is selected beside its place, which is in percent of the width. */
const Readout = ({ left, children }: { left: number; children: ReactNode }) => (
  <div
    className="pointer-events-none absolute top-0 z-10 rounded-md bg-ink px-2 py-1 text-xs whitespace-nowrap text-paper"
    style={left > 50 ? { right: `${101 - left}%` } : { left: `${left + 1}%` }}
    aria-hidden="true"
  >
    {children}
  </div>
);

/** Lists the agents with their scores at a time. */
const listScores = (lines: ScoreSeriesLine[], time: number) =>
  lines.map(({ name, points }) => [name, findScore(points, time)?.toFixed(2)] as const);

function ScoreList({ lines, time }: { lines: ScoreSeriesLine[]; time: number }) {
  return (
    <>
      {formatDay(time * 1000)}
      {listScores(lines, time).map(([name, score = "–"], n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: agents can have the same name.
        <p key={n} className="flex justify-between gap-4">
          <span className="max-w-40 truncate">
            <UntrustedText>{name}</UntrustedText>
          </span>
          <span className="font-medium">{score}</span>
        </p>
      ))}
    </>
  );
}

interface MarkersProps {
  points: PackedPoint[];
  scales: Scales;
  /** The selected point, or the last. */
  current: PackedPoint | undefined;
}

/** Marks the causes of changes, and the selected one. */
function Markers({ points, scales: { x, y }, current }: MarkersProps) {
  return (
    <>
      {points.map(
        ([seconds, score, marker], n) =>
          isMarked(marker, points.length) && (
            // biome-ignore lint/suspicious/noArrayIndexKey: points have no identity but their position.
            <Marker key={n} left={x(seconds)} top={y(score)}>
              {SCORE_MARKERS[marker]?.shape}
            </Marker>
          ),
      )}
      {current && (
        <Marker left={x(current[0])} top={y(current[1])}>
          <circle r="4.5" className="fill-accent stroke-raised" strokeWidth="1.5" />
        </Marker>
      )}
    </>
  );
}

interface MarkerProps {
  /** Percent of the chart's width and height. */
  left: number;
  top: number;
  children: ReactNode;
}

function Marker({ left, top, children }: MarkerProps) {
  return (
    <svg
      viewBox="-6 -6 12 12"
      className="pointer-events-none absolute size-3 -translate-1/2"
      style={{ left: `${left}%`, top: `${top}%` }}
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

/** Returns the axes in percent: from the first point to the last, and of the score from 0 to 100. */
function createScales(points: PackedPoint[]) {
  const times = points.map(([seconds]) => seconds);
  const end = Math.max(...times);
  const start = Math.min(...times, end - MIN_SECONDS);
  return {
    start,
    end,
    x: (seconds: number) => roundCoordinate(((seconds - start) / (end - start)) * 100),
    y: (score: number) => roundCoordinate(100 - score),
  };
}

/** Returns the times that are whole days before the end, oldest first. */
const listDays = (start: number, end: number) =>
  Array.from(
    { length: Math.floor((end - start) / DAY_SECONDS) + 1 },
    (_, n) => end - n * DAY_SECONDS,
  ).reverse();

const findNearest = (times: number[], time: number) =>
  times.reduce(
    (best, at, n) => (Math.abs(at - time) < Math.abs((times[best] ?? 0) - time) ? n : best),
    0,
  );

/** Returns the score at a time, or undefined before the first one. */
const findScore = (points: PackedPoint[], time: number) =>
  points.findLast(([seconds]) => seconds <= time)?.[1];

const describePoint = ([seconds, score, marker]: PackedPoint) =>
  [formatScore(score), formatDateTime(seconds * 1000), SCORE_MARKERS[marker]?.label]
    .filter(Boolean)
    .join(", ");

/** Lists the agents with their scores at a time, for screen readers. */
export const describeScores = (lines: ScoreSeriesLine[], time: number) =>
  `${formatDay(time * 1000)}: ${listScores(lines, time)
    .map(([name, score = "no score"]) => `${isolateText(name)} ${score}`)
    .join(", ")}`;
