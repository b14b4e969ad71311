import type { ScoreSeries } from "@/server/explorer/schema";
import { type RangeChoice, RangeLinks } from "./range-links";
import { ScoreChart } from "./score-chart";
import { isMarked, packPoints, SCORE_MARKERS } from "./score-points";

interface Props {
  /** Oldest first; the last one is the current score. */
  points: ScoreSeries;
  choice: RangeChoice;
}

/** Shows the score over time up to now, with a choice of ranges. */
export function ScoreHistory({ points, choice }: Props) {
  const packed = packPoints(points);
  const markers = SCORE_MARKERS.filter(
    (_, n) => isMarked(n, points.length) && packed.some(([, , marker]) => marker === n),
  );
  return (
    <figure className="min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="text-xl font-semibold">Score over time</h2>
        {choice.ranges.length > 1 && <RangeLinks {...choice} />}
      </div>
      <ScoreChart lines={[{ name: "Score", points: packed }]} />
      <figcaption className="mt-1 flex flex-wrap items-start gap-x-5 gap-y-1 text-sm text-muted">
        {markers.map(({ cause, label, shape }) => (
          <span key={cause} className="inline-flex min-h-6 items-center gap-1.5">
            <svg viewBox="-6 -6 12 12" className="size-3" aria-hidden="true">
              {shape}
            </svg>
            {label}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
