import { coordinate } from "./coordinate";

interface Line {
  /** Said in the legend. */
  name: string;
  look: "accent" | "bad";
  points: [x: number, y: number][];
}

interface Props {
  lines: Line[];
  /** What the picture tells, for those who do not see it. */
  label: string;
  /** Largest values of the axes; both begin at 0. */
  most: { x: number; y: number };
  /** Marked on the axes, with their words. */
  ticks: { x: [number, string][]; y: [number, string][] };
  /** A point to look at. */
  mark?: [x: number, y: number];
  /** For a third of the page instead of half. */
  narrow?: boolean;
}

const HEIGHT = 150;
const LOOKS = {
  accent: { stroke: "stroke-accent", dash: undefined },
  bad: { stroke: "stroke-bad", dash: "6 3" },
} as const;

/** Lines over an axis, told apart by dashes as well as colour. */
export function LineChart({ lines, label, most, ticks, mark, narrow }: Props) {
  const width = narrow ? 240 : 400;
  const x = (value: number) => coordinate((value / most.x) * width);
  const y = (value: number) => coordinate(HEIGHT - (value / most.y) * HEIGHT);
  return (
    <figure>
      <svg
        viewBox={`-34 -8 ${width + 60} ${HEIGHT + 34}`}
        className="w-full"
        role="img"
        aria-label={label}
      >
        <g className="fill-muted text-[11px]">
          {ticks.y.map(([value, word]) => (
            <g key={value}>
              <line
                x2={width}
                y1={y(value)}
                y2={y(value)}
                className="stroke-line"
                strokeDasharray={value === 0 ? undefined : "3 4"}
              />
              <text x="-6" y={y(value) + 4} textAnchor="end">
                {word}
              </text>
            </g>
          ))}
          {ticks.x.map(([value, word]) => (
            <text key={value} x={x(value)} y={HEIGHT + 18} textAnchor="middle">
              {word}
            </text>
          ))}
        </g>
        {lines.map(({ name, look, points }) => (
          <path
            key={name}
            d={`M${points.map(([px, py]) => `${x(px)} ${y(py)}`).join("L")}`}
            fill="none"
            strokeWidth="2.2"
            strokeLinejoin="round"
            className={LOOKS[look].stroke}
            strokeDasharray={LOOKS[look].dash}
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
          {lines.map(({ name, look }) => (
            <span key={name} className="inline-flex items-center gap-2">
              <svg viewBox="0 0 24 4" className="h-1 w-6" aria-hidden="true">
                <line
                  x2="24"
                  y1="2"
                  y2="2"
                  strokeWidth="2.5"
                  className={LOOKS[look].stroke}
                  strokeDasharray={LOOKS[look].dash}
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
