import { roundCoordinate } from "./round-coordinate";

interface Props {
  /** One score per day, oldest first; null if there was none. */
  days: (number | null)[];
}

const WIDTH = 96;
const HEIGHT = 28;
const EDGE = 2.5;
/** In score points. Keeps tiny changes from looking dramatic. */
const MIN_SPAN = 3;

/**
 * Draws daily scores against a dotted line at the first one. Each line has its own scale; the
 * number below gives the change in points.
 */
export function Sparkline({ days }: Props) {
  const known = days.flatMap((score, day) => (score === null ? [] : [{ day, score }]));
  const [first] = known;
  const last = known.at(-1);
  if (!first || !last) return <span className="text-sm text-muted">No score yet</span>;
  const x = (day: number) => roundCoordinate((day / Math.max(1, days.length - 1)) * WIDTH);
  const scores = known.map(({ score }) => score);
  const [min, max] = [Math.min(...scores), Math.max(...scores)];
  const span = Math.max(MIN_SPAN, max - min);
  const y = (score: number) =>
    roundCoordinate(HEIGHT / 2 - ((score - (min + max) / 2) / span) * (HEIGHT - 2 * EDGE));
  const line = known.map(({ day, score }, index) =>
    index === 0 ? `M${x(day)} ${y(score)}` : `L${x(day)} ${y(score)}`,
  );
  const change = last.score - first.score;
  return (
    <span className="inline-grid justify-items-end">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="h-7 w-24 overflow-visible"
        role="img"
        aria-label={`Score from ${first.score.toFixed(2)} to ${last.score.toFixed(2)} in ${days.length - first.day} days, between ${min.toFixed(2)} and ${max.toFixed(2)}`}
      >
        {known.length > 1 && (
          <>
            <path
              d={`M${x(first.day)} ${y(first.score)}H${WIDTH}`}
              className="stroke-muted opacity-60"
              strokeWidth="1"
              strokeDasharray="1.5 3"
            />
            <path
              d={line.join("")}
              fill="none"
              className="stroke-accent"
              strokeWidth="1.6"
              strokeLinejoin="round"
            />
          </>
        )}
        <circle cx={x(last.day)} cy={y(last.score)} r="2.2" className="fill-accent" />
      </svg>
      <span className="text-xs text-muted">{known.length > 1 ? formatChange(change) : "new"}</span>
    </span>
  );
}

function formatChange(change: number): string {
  const rounded = change.toFixed(2);
  if (Number(rounded) === 0) return "unchanged";
  return change > 0 ? `+${rounded}` : rounded.replace("-", "\u2212");
}
