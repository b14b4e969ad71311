import { roundCoordinate } from "@/components/charts/round-coordinate";

export const TONES = {
  good: { fill: "fill-good", swatch: "bg-good" },
  bad: { fill: "fill-bad", swatch: "bg-bad" },
  strong: { fill: "fill-ink", swatch: "bg-ink" },
  plain: { fill: "fill-muted opacity-60", swatch: "bg-muted opacity-60" },
} as const;

/** Width of a period in the drawing, and of its bar. */
export const STEP = 10;
const BAR = 7.6;
export const HEIGHT = 100;

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

/** Draws a line through the middle of the periods that have a value. */
export function drawLine(values: (number | null)[], y: (value: number) => number): string {
  let isConnected = false;
  return values
    .map((value, index) => {
      if (value === null) return "";
      const point = `${(index + 0.5) * STEP} ${y(value)}`;
      const command = isConnected ? "L" : "M";
      isConnected = true;
      return `${command}${point}`;
    })
    .join("");
}
