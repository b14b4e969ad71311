import { coordinate } from "./coordinate";
import { HistoryMarker, MARKERS, type MarkedCause } from "./history-marker";
import { HistoryTable } from "./history-table";

export interface HistoryPoint {
  at: string;
  score: number;
  cause: MarkedCause | "day";
}

const WIDTH = 600;
const HEIGHT = 160;
/** More circles than that hide the line. */
const MOST_CIRCLES = 40;
const DAY_MS = 86_400_000;
const LEVELS = [
  [95, "95 Elite"],
  [85, "85 Verified"],
  [70, "70 Trusted"],
  [0, "0"],
] as const;

/**
 * The score after each event, oldest first, as a step line from 0 to 100 with a sign at each event;
 * a table of the same for those who do not see it. Over time where there is some; else one event
 * after another.
 */
export function ScoreHistory({ points }: { points: HistoryPoint[] }) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  const [start, end] = [Date.parse(first.at), Date.parse(last.at)];
  const isOverTime = end - start > 2 * DAY_MS;
  const x = (index: number) => {
    if (points.length === 1) return 0;
    const at = points[index]?.at ?? first.at;
    const share = isOverTime
      ? (Date.parse(at) - start) / (end - start)
      : index / (points.length - 1);
    return coordinate(share * WIDTH);
  };
  const y = (score: number) => coordinate(HEIGHT - (score / 100) * HEIGHT);
  const line = points
    .map(({ score }, index) => (index === 0 ? `M0 ${y(score)}` : `H${x(index)}V${y(score)}`))
    .join("");
  const isCrowded = points.length > MOST_CIRCLES;
  const isMarked = (cause: string) => !isCrowded || cause !== "outcome";
  const causes = MARKERS.filter(
    ({ cause }) => isMarked(cause) && points.some((point) => point.cause === cause),
  );
  return (
    <figure>
      <div className="flex gap-3">
        <div className="relative h-40 min-w-0 flex-1">
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            className="size-full overflow-visible"
            role="img"
            aria-label={`Score after each of ${points.length} events, from ${first.score.toFixed(2)} to ${last.score.toFixed(2)}`}
          >
            {LEVELS.map(([score]) => (
              <line
                key={score}
                x2={WIDTH}
                y1={y(score)}
                y2={y(score)}
                className="stroke-line"
                strokeDasharray={score === 0 ? undefined : "4 4"}
                vectorEffect="non-scaling-stroke"
              />
            ))}
            <path
              d={points.length === 1 ? `M0 ${y(last.score)}H${WIDTH}` : line}
              fill="none"
              className="stroke-accent"
              strokeWidth="2"
              vectorEffect="non-scaling-stroke"
            />
          </svg>
          <div aria-hidden="true">
            {points.map(
              (point, index) =>
                isMarked(point.cause) && (
                  <HistoryMarker
                    // biome-ignore lint/suspicious/noArrayIndexKey: points are told apart by their place.
                    key={index}
                    point={point}
                    left={coordinate((x(index) / WIDTH) * 100)}
                    top={coordinate(100 - point.score)}
                  />
                ),
            )}
          </div>
        </div>
        <div className="relative h-40 w-20 shrink-0 text-xs text-muted" aria-hidden="true">
          {LEVELS.map(([score, label]) => (
            <span
              key={score}
              className="absolute -translate-y-1/2 leading-none"
              style={{ top: `${100 - score}%` }}
            >
              {label}
            </span>
          ))}
        </div>
      </div>
      <figcaption className="mt-4 grid gap-2 text-sm">
        <p className="flex flex-wrap gap-x-5 gap-y-1 text-muted">
          {causes.map(({ cause, word, sign }) => (
            <span key={cause} className="inline-flex items-center gap-1.5">
              <svg viewBox="-6 -6 12 12" className="size-3" aria-hidden="true">
                {sign}
              </svg>
              {word}
            </span>
          ))}
          <span>{isOverTime ? "Over time." : "One event after another."}</span>
        </p>
        <HistoryTable points={points} />
      </figcaption>
    </figure>
  );
}
