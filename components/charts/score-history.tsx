import { formatScore } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Table } from "@/components/ui/table";
import { type ScoreSeries, SERIES_RANGES, type SeriesInput } from "@/server/explorer/schema";
import { ScoreChart } from "./score-chart";
import { isMarked, packPoints, SCORE_MARKERS, summarizeMonths } from "./score-points";

const RANGE_LABELS = { "30d": "30 days", "6m": "6 months", all: "All" } as const;

interface Props {
  /** Oldest first; the last one is the current score. */
  points: ScoreSeries;
  range: SeriesInput["range"];
  /** Ranges to choose from, the longest last. */
  ranges?: readonly SeriesInput["range"][];
  /** Returns the URL of this page with another range. */
  getUrl: (range: SeriesInput["range"]) => string;
}

/** Shows the score over time up to now, with a choice of ranges and the months as a table. */
export function ScoreHistory({ points, range, ranges = SERIES_RANGES, getUrl }: Props) {
  const packed = packPoints(points);
  const markers = SCORE_MARKERS.filter(
    (_, n) => isMarked(n, points.length) && packed.some(([, , marker]) => marker === n),
  );
  return (
    <figure className="min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="text-xl font-semibold">Score over time</h2>
        {ranges.length > 1 && (
          <nav aria-label="Range of the chart" className="flex gap-1 text-sm">
            {ranges.map((own) => (
              <Link
                key={own}
                href={getUrl(own)}
                scroll={false}
                replace
                aria-current={own === range ? "true" : undefined}
                className="inline-flex min-h-7 items-center rounded-md px-2.5 text-muted hover:bg-sunken aria-[current]:bg-sunken aria-[current]:font-medium aria-[current]:text-ink"
              >
                {own === ranges.at(-1) ? "All" : RANGE_LABELS[own]}
              </Link>
            ))}
          </nav>
        )}
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
        <details className="ml-auto open:basis-full">
          <summary className="min-h-6 cursor-pointer">By month</summary>
          <Table
            caption="Score by month"
            className="mt-2 text-ink"
            rows={summarizeMonths(points)}
            columns={[
              ["Month", "py-1 text-left", ({ name }) => name],
              ["Lowest", "py-1 text-right", ({ lowest }) => formatScore(lowest)],
              ["Highest", "py-1 text-right", ({ highest }) => formatScore(highest)],
              ["Last", "py-1 text-right", ({ last }) => formatScore(last)],
            ]}
          />
        </details>
      </figcaption>
    </figure>
  );
}
