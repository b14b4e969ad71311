"use client";

import { type KeyboardEvent, type PointerEvent, type ReactNode, useMemo, useState } from "react";
import { formatDateTime } from "@/components/ui/format";
import type { ScoreSeries } from "@/server/explorer/schema";
import { TIER_STARTS } from "@/server/reputation/policy";
import { roundCoordinate } from "./round-coordinate";
import { findMarker, isMarked, type PackedPoint, unpackPoints } from "./score-points";
import { listTimeTicks } from "./time-axis";

type Point = ScoreSeries[number];

/** The chart never shows less than this many points of the score. */
const MIN_SPAN = 40;
/** An axis of a history that has just begun is at least this long. */
const MIN_MS = 3_600_000;
/** Tick labels nearer to the start than this percentage begin there instead of being centered. */
const FIRST_TICK = 4;
/** Tick labels nearer to the end than this percentage would collide with it. */
const LAST_TICK = 94;

/**
 * Draws the score as a step line over real time. Hovering, or the arrow keys, select a point, whose
 * time and score are shown and announced.
 */
export function ScoreLine({ points: packed }: { points: PackedPoint[] }) {
  const points = useMemo(() => unpackPoints(packed), [packed]);
  const [selected, select] = useState<number | null>(null);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  const { x, y, floor, start, end } = createScales(points, first, last);
  const shown = points[selected ?? points.length - 1] ?? last;
  const line = points
    .map((point, n) =>
      n === 0 ? `M${x(point)} ${y(point.score)}` : `H${x(point)}V${y(point.score)}`,
    )
    .join("");
  const ticks = listTimeTicks(start, end)
    .map(({ at, label }) => ({ label, left: ((at - start) / (end - start)) * 100 }))
    .filter(({ left }) => left < LAST_TICK);
  return (
    <div className="mt-3">
      <div className="flex gap-2">
        <div
          className="relative h-48 min-w-0 flex-1 cursor-crosshair touch-pan-y sm:h-64 lg:h-72"
          role="slider"
          tabIndex={0}
          aria-label="Score over time"
          aria-valuemin={0}
          aria-valuemax={points.length - 1}
          aria-valuenow={selected ?? points.length - 1}
          aria-valuetext={describePoint(shown)}
          onPointerMove={(event) => select(findNearest(event, points.map(x)))}
          onPointerLeave={() => select(null)}
          onBlur={() => select(null)}
          onKeyDown={(event) => {
            const next = move(event, selected ?? points.length - 1, points.length);
            if (next === null) return;
            event.preventDefault();
            select(next);
          }}
        >
          <svg
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
            className="size-full overflow-visible"
            aria-hidden="true"
          >
            <path d={`${line}V100H${x(first)}z`} className="fill-ink opacity-[0.05]" />
            {TIER_STARTS.filter(([score]) => score > floor).map(([score]) => (
              <line
                key={score}
                x2="100"
                y1={y(score)}
                y2={y(score)}
                className="stroke-line"
                strokeDasharray="4 4"
                vectorEffect="non-scaling-stroke"
              />
            ))}
            <line
              x2="100"
              y1="100"
              y2="100"
              className="stroke-line"
              vectorEffect="non-scaling-stroke"
            />
            <path
              d={line}
              fill="none"
              className="stroke-ink"
              strokeWidth="1.75"
              strokeLinejoin="round"
              vectorEffect="non-scaling-stroke"
            />
            {selected !== null && (
              <line
                x1={x(shown)}
                x2={x(shown)}
                y2="100"
                className="stroke-accent"
                vectorEffect="non-scaling-stroke"
              />
            )}
          </svg>
          {points.map(
            (point, n) =>
              isMarked(point.cause, points.length) && (
                // biome-ignore lint/suspicious/noArrayIndexKey: points have no identity but their position.
                <Marker key={n} left={x(point)} top={y(point.score)}>
                  {findMarker(point.cause)?.shape}
                </Marker>
              ),
          )}
          <Marker left={x(shown)} top={y(shown.score)}>
            <circle r="4.5" className="fill-accent stroke-raised" strokeWidth="1.5" />
          </Marker>
          {selected !== null && (
            <p
              className="pointer-events-none absolute top-0 z-10 rounded-md bg-ink px-2 py-1 text-xs whitespace-nowrap text-paper"
              style={x(shown) > 50 ? { right: `${101 - x(shown)}%` } : { left: `${x(shown) + 1}%` }}
              aria-hidden="true"
            >
              {describePoint(shown)}
            </p>
          )}
        </div>
        <ScoreAxis score={last.score} floor={floor} y={y} />
      </div>
      <div className="relative mt-1.5 mr-22 h-5 text-xs text-muted" aria-hidden="true">
        {ticks.map(({ label, left }, n) => (
          <span
            key={left}
            className={`absolute whitespace-nowrap ${left < FIRST_TICK ? "" : "-translate-x-1/2"} ${n % 2 === 1 ? "max-sm:hidden" : ""}`}
            style={{ left: `${left}%` }}
          >
            {label}
          </span>
        ))}
        <span className="absolute right-0 translate-x-1/2 whitespace-nowrap text-ink">Today</span>
      </div>
    </div>
  );
}

/** Labels the tiers, the lowest score of the chart and the current score. */
function ScoreAxis(props: { score: number; floor: number; y: (score: number) => number }) {
  const { score, floor, y } = props;
  const labels = [...TIER_STARTS, [floor, ""] as const].filter(
    // The current score covers a label that is too near.
    ([at]) => at >= floor && Math.abs(y(at) - y(score)) > 7,
  );
  return (
    <div className="relative w-20 shrink-0 text-xs text-muted" aria-hidden="true">
      {labels.map(([at, name]) => (
        <span
          key={at}
          className="absolute -translate-y-1/2 leading-none"
          style={{ top: `${y(at)}%` }}
        >
          {at} {name}
        </span>
      ))}
      <span
        className="absolute -translate-y-1/2 rounded bg-accent px-1 py-0.5 leading-none font-medium text-accent-ink"
        style={{ top: `${y(score)}%` }}
      >
        {score.toFixed(2)}
      </span>
    </div>
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

/** Returns the axes in percent: from the first point to the last, up to a score of 100. */
function createScales(points: ScoreSeries, first: Point, last: Point) {
  const end = Date.parse(last.at);
  const start = Math.min(Date.parse(first.at), end - MIN_MS);
  const lowest = Math.min(...points.map(({ score }) => score));
  const floor = Math.max(0, Math.min(100 - MIN_SPAN, Math.floor((lowest - 5) / 10) * 10));
  return {
    start,
    end,
    floor,
    x: ({ at }: Point) => roundCoordinate(((Date.parse(at) - start) / (end - start)) * 100),
    y: (score: number) => roundCoordinate((1 - (score - floor) / (100 - floor)) * 100),
  };
}

const describePoint = ({ at, score, cause }: Point) =>
  [score.toFixed(2), formatDateTime(at), findMarker(cause)?.label].filter(Boolean).join(", ");

/** Returns the index of the point nearest to the pointer. */
function findNearest({ currentTarget, clientX }: PointerEvent, positions: number[]): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  const at = ((clientX - left) / width) * 100;
  return positions.reduce(
    (best, position, n) =>
      Math.abs(position - at) < Math.abs((positions[best] ?? 0) - at) ? n : best,
    0,
  );
}

/** Returns the index that a key selects; null for other keys. */
function move({ key }: KeyboardEvent, from: number, count: number): number | null {
  const moves: Record<string, number> = {
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    PageUp: from + 10,
    PageDown: from - 10,
    Home: 0,
    End: count - 1,
  };
  const to = moves[key];
  return to === undefined ? null : Math.min(count - 1, Math.max(0, to));
}
