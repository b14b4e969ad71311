import { roundCoordinate } from "@/components/charts/round-coordinate";
import { UntrustedText } from "@/components/site/untrusted-text";
import { formatDay } from "@/components/ui/format";
import type { ScoreSeries } from "@/server/explorer/schema";
import { SeriesKey } from "./series-key";
import { SERIES } from "./series-style";

interface Props {
  lines: { wallet: string; name: string; points: ScoreSeries }[];
  /** First and last moment of the axis, ISO 8601. */
  from: string;
  to: string;
}

const WIDTH = 600;
const HEIGHT = 100;
const TICK = 10;

/** Draws the scores of all agents on the same axes, as steps. */
export function CompareChart({ lines, from, to }: Props) {
  const scores = lines.flatMap(({ points }) => points.map(({ score }) => score));
  if (scores.length === 0) return <p className="text-muted">No scores yet.</p>;
  const min = Math.max(0, Math.floor(Math.min(...scores) / TICK) * TICK);
  const max = Math.max(min + TICK, Math.ceil(Math.max(...scores) / TICK) * TICK);
  const step = max - min > 5 * TICK ? 2 * TICK : TICK;
  const ticks = Array.from(
    { length: Math.floor((max - min) / step) + 1 },
    (_, n) => max - n * step,
  );
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const x = (at: string) =>
    roundCoordinate(Math.max(0, (Date.parse(at) - start) / (end - start)) * WIDTH);
  const y = (score: number) => roundCoordinate(HEIGHT - ((score - min) / (max - min)) * HEIGHT);
  const draw = (points: ScoreSeries) =>
    `${points.map(({ at, score }, n) => (n === 0 ? `M${x(at)} ${y(score)}` : `H${x(at)}V${y(score)}`)).join("")}H${WIDTH}`;
  return (
    <figure>
      <div className="flex gap-3">
        <div className="relative h-56 min-w-0 flex-1">
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            className="size-full overflow-visible"
            role="img"
            aria-label={`Scores from ${formatDay(from)} to ${formatDay(to)}, between ${min} and ${max}`}
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
          </svg>
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
