import { Link } from "@/components/ui/link";
import type { SeriesInput } from "@/server/explorer/schema";

type Range = SeriesInput["range"];

const LABELS: Record<Range, string> = { "30d": "30 days", "6m": "6 months", all: "All" };

export interface RangeChoice {
  current: Range;
  /** Ranges to choose from, the longest last. */
  ranges: readonly Range[];
  /** Returns the URL of the same page with another range. */
  getUrl: (range: Range) => string;
}

/** Links to the same charts over other ranges. */
export const RangeLinks = ({ current, ranges, getUrl }: RangeChoice) => (
  <nav aria-label="Range of the charts" className="flex gap-1 text-sm">
    {ranges.map((range) => (
      <Link
        key={range}
        href={getUrl(range)}
        scroll={false}
        replace
        aria-current={range === current ? "true" : undefined}
        className="inline-flex min-h-9 items-center rounded-md px-3 text-muted hover:bg-sunken aria-[current]:bg-sunken aria-[current]:font-medium aria-[current]:text-ink"
      >
        {range === ranges.at(-1) ? LABELS.all : LABELS[range]}
      </Link>
    ))}
  </nav>
);
