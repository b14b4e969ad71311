import { roundCoordinate } from "./round-coordinate";

interface Line {
  /** Legend label. */
  name: string;
  tone: "accent" | "bad";
  points: [x: number, y: number][];
}

interface Props {
  lines: Line[];
  /** Text alternative for screen readers. */
  label: string;
  /** Axis maxima; both axes start at 0. */
  max: { x: number; y: number };
  /** Axis positions with their labels. */
  ticks: { x: [number, string][]; y: [number, string][] };
  /** Highlighted point. */
  mark?: [x: number, y: number];
  /** Sized for a third of the page instead of half. */
  narrow?: boolean;
}

const HEIGHT = 150;
const TONES = {
  accent: { stroke: "stroke-accent", dash: undefined },
  bad: { stroke: "stroke-bad", dash: "6 3" },
} as const;

/** Draws line series that differ in dash pattern as well as colour. */
export function LineChart({ lines, label, max, ticks, mark, narrow }: Props) {
  const width = narrow ? 240 : 400;
  const x = (value: number) => roundCoordinate((value / max.x) * width);
  const y = (value: number) => roundCoordinate(HEIGHT - (value / max.y) * HEIGHT);
  return (
    <figure>
      <svg
        viewBox={`-34 -8 ${width + 60} ${HEIGHT + 34}`}
        className="w-full"
        role="img"
        aria-label={label}
      >
        <g className="fill-muted text-[11px]">
          {ticks.y.map(([value, label]) => (
            <g key={value}>
              <line
                x2={width}
                y1={y(value)}
                y2={y(value)}
                className="stroke-line"
                strokeDasharray={value === 0 ? undefined : "3 4"}
              />
              <text x="-6" y={y(value) + 4} textAnchor="end">
                {label}
              </text>
            </g>
          ))}
          {ticks.x.map(([value, label]) => (
            <text key={value} x={x(value)} y={HEIGHT + 18} textAnchor="middle">
              {label}
            </text>
          ))}
        </g>
        {lines.map(({ name, tone, points }) => (
          <path
            key={name}
            d={`M${points.map(([px, py]) => `${x(px)} ${y(py)}`).join("L")}`}
            fill="none"
            strokeWidth="2.2"
            strokeLinejoin="round"
            className={TONES[tone].stroke}
            strokeDasharray={TONES[tone].dash}
          />
        ))}
        {mark && (
          <circle
            cx={x(mark[0])}
            cy={y(mark[1])}
            r="5"
            className="fill-accent stroke-raised"
            strokeWidth="2"
          />
        )}
      </svg>
      {lines.length > 1 && (
        <figcaption className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
          {lines.map(({ name, tone }) => (
            <span key={name} className="inline-flex items-center gap-2">
              <svg viewBox="0 0 24 4" className="h-1 w-6" aria-hidden="true">
                <line
                  x2="24"
                  y1="2"
                  y2="2"
                  strokeWidth="2.5"
                  className={TONES[tone].stroke}
                  strokeDasharray={TONES[tone].dash}
                />
              </svg>
              {name}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}
