import { formatCount } from "@/components/ui/format";
import { PageTitle } from "@/components/ui/page-title";

/** Id of the rows of a list, which a link at its start skips to. */
export const RESULTS = "results";

/** The counts of a page of a list. */
export interface ListCounts {
  page: number;
  totalPages: number;
  totalElements: number;
  /** Whether there may be more than `totalElements`. */
  isMore?: boolean;
}

interface HeadingProps {
  title: string;
  /** Number of matching records in words; see `describeTotal`. */
  total: string;
  /** Whether the list is updating; omitted if it never does. */
  isLive?: boolean;
}

/** Shows the title of a list, its number of records, and whether it is updating. */
export function ListHeading({ title, total, isLive }: HeadingProps) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <div className="flex flex-wrap items-baseline gap-x-4">
        <PageTitle>{title}</PageTitle>
        <p className="text-sm text-muted">{total}</p>
      </div>
      {isLive !== undefined && <LiveMark isLive={isLive} />}
    </div>
  );
}

/** Says whether what a page shows is updating. */
export function LiveMark({ isLive }: { isLive: boolean }) {
  return (
    <p className="flex items-center gap-2 text-sm text-muted">
      <span
        aria-hidden="true"
        className={`size-2 rounded-full ${isLive ? "bg-good" : "bg-muted"}`}
      />
      {isLive ? "Live" : "Reconnecting…"}
    </p>
  );
}

/**
 * Describes how many records a list has: `12 outcomes`, `More than 10,000 outcomes`, or with
 * filters `12 outcomes match`.
 */
export function describeTotal(
  { totalElements, isMore = false }: Pick<ListCounts, "totalElements" | "isMore">,
  noun: string,
  isFiltered: boolean,
): string {
  const records = formatCount(totalElements, noun);
  const count = isMore && totalElements > 0 ? `More than ${records}` : records;
  return isFiltered ? `${count} ${totalElements === 1 ? "matches" : "match"}` : count;
}
