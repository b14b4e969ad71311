import { LegendItem, Line, LineSwatch, Plot } from "./plot";
import { roundCoordinate } from "./round-coordinate";

interface LineSeries {
  /** Legend label. */
  name: string;
  tone: "accent" | "bad";
  points: [x: number, y: number][];
}

interface Props {
  lines: LineSeries[];
  /** Text alternative for screen readers. */
  label: string;
  /** Axis maxima; both axes start at 0. */
  max: { x: number; y: number };
  /** Axis positions with their labels. */
  ticks: { x: [number, string][]; y: [number, string][] };
  /** Highlighted point. */
  mark?: [x: number, y: number];
}

const TONES = {
  accent: { className: "stroke-accent" },
  bad: { className: "stroke-bad", strokeDasharray: "6 3" },
} as const;

/** Draws line series that differ in dash pattern as well as colour. */
export function LineChart({ lines, label, max, ticks, mark }: Props) {
  const x = (value: number) => roundCoordinate((value / max.x) * 100);
  const y = (value: number) => roundCoordinate(100 - (value / max.y) * 100);
  return (
    <figure>
      <Plot
        className="h-40"
        slider={label}
        axis="narrow"
        isDashed
        values={ticks.y.map(([value, text]) => [y(value), text])}
        positions={ticks.x.map(([value, text]) => [x(value), text])}
        overlay={
          mark && (
            <span
              className="absolute size-3 -translate-1/2 rounded-full border-2 border-raised bg-accent"
              style={{ left: `${x(mark[0])}%`, top: `${y(mark[1])}%` }}
            />
          )
        }
      >
        {lines.map(({ name, tone, points }) => (
          <Line
            key={name}
            d={`M${points.map(([px, py]) => `${x(px)} ${y(py)}`).join("L")}`}
            {...TONES[tone]}
          />
        ))}
      </Plot>
      {lines.length > 1 && (
        <figcaption className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
          {lines.map(({ name, tone }) => (
            <LegendItem key={name} swatch={<LineSwatch {...TONES[tone]} />}>
              {name}
            </LegendItem>
          ))}
        </figcaption>
      )}
    </figure>
  );
}
