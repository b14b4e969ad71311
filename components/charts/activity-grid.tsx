"use client";

import { type PointerEvent, useId, useMemo, useState } from "react";
import { formatCount, formatDay, formatMonthName } from "@/components/ui/format";
import { DAY_MS } from "./time-axis";

/** A day as its distance from the first one, and its outcomes: a year has hundreds of them. */
type PackedDay = [index: number, successes: number, failures: number, unassessed: number];

interface Props {
  /** First day, a Monday, and last day, in milliseconds. */
  start: number;
  end: number;
  /** Days with outcomes, oldest first. */
  days: PackedDay[];
  /** Text alternative. */
  label: string;
}

const CELL = 12;
const SIZE = 10;
const LEFT = 26;
const TOP = 14;
/** Jobs on a day from which on the darkest shade is used. */
const SHADES = [1, 2, 4] as const;
const SHADE_CLASSES = ["opacity-40", "opacity-70", undefined] as const;

/**
 * Draws successes as green squares, darker with their number, failures as red diamonds, and a small
 * grey square where nothing was assessed. Hovering shows a day's numbers. One path per shade: elements for each day made most of the page.
 */
export function ActivityGrid({ start, end, days, label }: Props) {
  const pattern = useId();
  const [selected, select] = useState<number | null>(null);
  const paths = useMemo(() => drawDays(days), [days]);
  const count = Math.round((end - start) / DAY_MS) + 1;
  const weeks = Math.ceil(count / 7);
  const width = LEFT + weeks * CELL;
  return (
    <div className="relative">
      <svg
        viewBox={`0 0 ${width} ${TOP + 7 * CELL}`}
        className="w-full"
        role="img"
        aria-label={label}
        onPointerMove={(event) => select(findDay(event, width, count))}
        onPointerLeave={() => select(null)}
      >
        <pattern
          id={pattern}
          x={LEFT}
          y={TOP}
          width={CELL}
          height={CELL}
          patternUnits="userSpaceOnUse"
        >
          <path d={`M0 0h${SIZE}v${SIZE}H0z`} className="fill-sunken" />
        </pattern>
        <path d={drawBackground(count)} fill={`url(#${pattern})`} />
        <g className="fill-muted text-[8px]">
          {listMonths(start, weeks).map(({ week, name }) => (
            <text key={week} x={LEFT + week * CELL} y="8">
              {name}
            </text>
          ))}
          {["Mon", "Wed", "Fri"].map((name, n) => (
            <text key={name} x="0" y={TOP + 2 * n * CELL + 8}>
              {name}
            </text>
          ))}
        </g>
        <g className="stroke-good" strokeWidth={SIZE} strokeLinecap="square">
          {paths.shades.map((path, shade) => (
            <path key={SHADES[shade]} d={path} className={SHADE_CLASSES[shade]} />
          ))}
        </g>
        <path d={paths.unassessed} className="fill-muted" />
        <path d={paths.failures} className="fill-bad stroke-raised" strokeWidth="0.8" />
      </svg>
      {selected !== null && (
        <p
          className="pointer-events-none absolute -top-2 rounded-md bg-ink px-2 py-1 text-xs whitespace-nowrap text-paper"
          style={selected < count / 2 ? { right: 0 } : { left: 0 }}
          aria-hidden="true"
        >
          {describeDay(start, selected, days)}
        </p>
      )}
    </div>
  );
}

const placeDay = (index: number) => ({
  x: LEFT + Math.floor(index / 7) * CELL,
  y: TOP + (index % 7) * CELL,
});

/** Returns a path of squares per shade, one of diamonds, and one of small squares. */
function drawDays(days: PackedDay[]) {
  const shades = ["", "", ""];
  let failures = "";
  let unassessed = "";
  const half = SIZE / 2;
  for (const [index, successes, failed, notAssessed] of days) {
    const { x, y } = placeDay(index);
    const shade = SHADES.findLastIndex((from) => successes >= from);
    // A line without length is a square, because its caps are.
    if (shade >= 0) shades[shade] += `M${x + half} ${y + half}h0`;
    if (notAssessed > 0 && successes + failed === 0) unassessed += `M${x + 3} ${y + 3}h4v4h-4z`;
    if (failed > 0)
      failures += `M${x + half} ${y}l${half} ${half}-${half} ${half}-${half}-${half}z`;
  }
  return { shades, failures, unassessed };
}

/** Covers all days: whole weeks, and the days so far of the current one. */
function drawBackground(count: number): string {
  const { x } = placeDay(count - 1);
  const last = ((count - 1) % 7) + 1;
  return `M${LEFT} ${TOP}H${x}v${7 * CELL}H${LEFT}zM${x} ${TOP}h${CELL}v${last * CELL}h-${CELL}z`;
}

/** Returns the weeks in which a month begins, except the last one, where its name doesn't fit. */
function listMonths(start: number, weeks: number) {
  return Array.from({ length: weeks - 1 }, (_, week) => ({
    week,
    monday: start + week * 7 * DAY_MS,
  }))
    .filter(({ monday }) => new Date(monday).getUTCDate() <= 7)
    .map(({ week, monday }) => ({ week, name: formatMonthName(monday) }));
}

/** Returns the index of the day under the pointer; null if there is none. */
function findDay(event: PointerEvent, width: number, count: number): number | null {
  const box = event.currentTarget.getBoundingClientRect();
  const scale = width / box.width;
  const week = Math.floor(((event.clientX - box.left) * scale - LEFT) / CELL);
  const row = Math.floor(((event.clientY - box.top) * scale - TOP) / CELL);
  const index = week * 7 + row;
  return week >= 0 && row >= 0 && row < 7 && index < count ? index : null;
}

function describeDay(start: number, index: number, days: PackedDay[]): string {
  const [, successes = 0, failures = 0, unassessed = 0] = days.find(([day]) => day === index) ?? [];
  const date = formatDay(start + index * DAY_MS);
  return `${date}: ${formatCount(successes, "success", "successes")}, ${formatCount(failures, "failure")}${unassessed > 0 ? `, ${unassessed} not assessed` : ""}`;
}
