"use client";

import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { roundCoordinate } from "@/components/charts/round-coordinate";
import { DAY_MS } from "@/components/charts/time-axis";
import { UntrustedText } from "@/components/site/untrusted-text";
import { formatDay } from "@/components/ui/format";
import { isolateText } from "@/server/lib/bidi";
import { SERIES, SeriesKey } from "./series-style";

interface Props {
  lines: { wallet: string; name: string; points: ScorePoint[] }[];
  /** First and last day of the axis, ISO 8601. */
  from: string;
  to: string;
}

const WIDTH = 600;
const HEIGHT = 100;
const TICK = 10;

/**
 * Draws the scores of all agents on the same axes, as steps. Hovering, or the arrow keys, select a
 * day, whose scores are shown and announced.
 */
export function CompareChart({ lines, from, to }: Props) {
  const [selected, select] = useState<number | null>(null);
  const scores = lines.flatMap(({ points }) => points.map(([, score]) => score));
  if (scores.length === 0) return <p className="text-muted">No scores yet.</p>;
  const min = Math.max(0, Math.floor(Math.min(...scores) / TICK) * TICK);
  const max = Math.max(min + TICK, Math.ceil(Math.max(...scores) / TICK) * TICK);
  const step = max - min > 5 * TICK ? 2 * TICK : TICK;
  const ticks = Array.from(
    { length: Math.floor((max - min) / step) + 1 },
    (_, n) => max - n * step,
  );
  const start = Date.parse(from);
  const days = (Date.parse(to) - start) / DAY_MS;
  const x = (day: number) => roundCoordinate((Math.max(0, day) / days) * WIDTH);
  const y = (score: number) => roundCoordinate(HEIGHT - ((score - min) / (max - min)) * HEIGHT);
  const draw = (points: ScorePoint[]) =>
    `${points.map(([day, score], n) => (n === 0 ? `M${x(day)} ${y(score)}` : `H${x(day)}V${y(score)}`)).join("")}H${WIDTH}`;
  const shown = selected ?? days;
  const date = formatDay(start + shown * DAY_MS);
  const left = (shown / days) * 100;
  return (
    <figure>
      <div className="flex gap-3">
        <div
          className="relative h-56 min-w-0 flex-1 cursor-crosshair touch-pan-y"
          role="slider"
          tabIndex={0}
          aria-label={`Scores from ${formatDay(from)} to ${formatDay(to)}`}
          aria-valuemin={0}
          aria-valuemax={days}
          aria-valuenow={shown}
          aria-valuetext={`${date}: ${describeScores(lines, shown)}`}
          onPointerMove={(event) => select(findDay(event, days))}
          onPointerLeave={() => select(null)}
          onBlur={() => select(null)}
          onKeyDown={(event) => {
            const next = move(event, shown, days);
            if (next === null) return;
            event.preventDefault();
            select(next);
          }}
        >
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            className="size-full overflow-visible"
            aria-hidden="true"
          >
            {ticks.map((score) => (
              <path
                key={score}
                d={`M0 ${y(score)}H${WIDTH}`}
                className="stroke-line"
                vectorEffect="non-scaling-stroke"
              />
            ))}
            {lines.map(
              ({ wallet, points }, index) =>
                points.length > 0 && (
                  <path
                    key={wallet}
                    d={draw(points)}
                    fill="none"
                    className={SERIES[index]?.stroke}
                    strokeDasharray={SERIES[index]?.dash}
                    strokeWidth="2.2"
                    strokeLinejoin="round"
                    vectorEffect="non-scaling-stroke"
                  />
                ),
            )}
            {selected !== null && (
              <path
                d={`M${x(selected)} 0V${HEIGHT}`}
                className="stroke-accent"
                vectorEffect="non-scaling-stroke"
              />
            )}
          </svg>
          {selected !== null && (
            <div
              className="pointer-events-none absolute top-0 z-10 rounded-md bg-ink px-2.5 py-1.5 text-xs text-paper"
              style={left > 50 ? { right: `${101 - left}%` } : { left: `${left + 1}%` }}
              aria-hidden="true"
            >
              <p className="whitespace-nowrap">{date}</p>
              {lines.map(({ wallet, name, points }) => (
                <p key={wallet} className="flex justify-between gap-4">
                  <span className="max-w-40 truncate">
                    <UntrustedText>{name}</UntrustedText>
                  </span>
                  <span className="font-medium">
                    {findScore(points, selected)?.toFixed(2) ?? "–"}
                  </span>
                </p>
              ))}
            </div>
          )}
        </div>
        <div className="relative h-56 w-7 shrink-0 text-xs text-muted" aria-hidden="true">
          {ticks.map((score) => (
            <span
              key={score}
              className="absolute -translate-y-1/2 leading-none"
              style={{ top: `${y(score)}%` }}
            >
              {score}
            </span>
          ))}
        </div>
      </div>
      <p className="mt-1.5 mr-10 flex justify-between text-xs text-muted">
        <span>{formatDay(from)}</span>
        <span>{formatDay(to)}</span>
      </p>
      <figcaption className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-sm">
        {lines.map(({ wallet, name }, index) => (
          <span key={wallet} className="inline-flex items-center gap-2">
            <SeriesKey index={index} />
            <UntrustedText>{name}</UntrustedText>
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** Returns the day under the pointer. */
function findDay({ currentTarget, clientX }: PointerEvent, days: number): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return Math.min(days, Math.max(0, Math.round(((clientX - left) / width) * days)));
}

/** Returns the day that a key selects; null for other keys. */
function move({ key }: KeyboardEvent, from: number, days: number): number | null {
  const moves: Record<string, number> = {
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    PageDown: from - 30,
    PageUp: from + 30,
    Home: 0,
    End: days,
  };
  const to = moves[key];
  return to === undefined ? null : Math.min(days, Math.max(0, to));
}

/** A score, and the time of its change in days since the start of the chart. */
type ScorePoint = readonly [day: number, score: number];

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
