import { LegendItem } from "./plot";
import { roundCoordinate } from "./round-coordinate";

/** Classes of what a series draws. */
export const TONES = {
  good: { fill: "fill-good", swatch: "bg-good" },
  bad: { fill: "fill-bad", swatch: "bg-bad" },
  strong: { fill: "fill-ink", swatch: "bg-ink" },
  plain: { fill: "fill-muted opacity-60", swatch: "bg-muted opacity-60" },
} as const;

/** Width of a period in the drawing, and of its bar. */
export const STEP = 10;
const BAR = 7.6;

export interface Series {
  /** Label in the legend, the readout and the table. */
  name: string;
  tone: keyof typeof TONES;
  /** One value per period; null if there is none. Bars are stacked. */
  values: (number | null)[];
}

/** Draws each series as one path, stacked on those before it. */
export function Bars({ series, y }: { series: Series[]; y: (value: number) => number }) {
  const heights: number[] = [];
  return series.map(({ name, tone, values }) => (
    <path
      key={name}
      className={TONES[tone].fill}
      d={values
        .map((value, index) => {
          const from = heights[index] ?? 0;
          const to = from + (value ?? 0);
          heights[index] = to;
          if (to === from) return "";
          const left = roundCoordinate(index * STEP + (STEP - BAR) / 2);
          return `M${left} ${y(from)}V${y(to)}h${BAR}V${y(from)}z`;
        })
        .join("")}
    />
  ));
}

interface Period {
  outcomes: number;
  assessed: number;
  successes: number;
}

/** Splits the outcomes of each period by result; without what was not assessed if all were. */
export const stackOutcomes = (periods: readonly Period[]): Series[] => [
  { name: "Successes", tone: "good", values: periods.map(({ successes }) => successes) },
  {
    name: "Failures",
    tone: "bad",
    values: periods.map(({ assessed, successes }) => assessed - successes),
  },
  ...(periods.some(({ assessed, outcomes }) => assessed < outcomes)
    ? [
        {
          name: "Not assessed",
          tone: "plain" as const,
          values: periods.map(({ outcomes, assessed }) => outcomes - assessed),
        },
      ]
    : []),
];

/** Names the series of stacked bars. */
export const BarLegend = ({ series }: { series: Series[] }) =>
  series.map(({ name, tone }) => (
    <LegendItem
      key={name}
      swatch={<i aria-hidden="true" className={`size-2.5 rounded-xs ${TONES[tone].swatch}`} />}
    >
      {name}
    </LegendItem>
  ));
