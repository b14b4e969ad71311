import { formatCount } from "@/components/ui/format";
import { PageTitle } from "@/components/ui/page-title";

interface Props {
  title: string;
  /** Number of matching records in words; see `describeTotal`. */
  total: string;
  /** State of the polling; omitted if the list doesn't update. */
  pollingState?: "live" | "reconnecting";
}

/** Shows the title of a list, its number of records, and whether it is updating. */
export function ListHeading({ title, total, pollingState }: Props) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <div className="flex flex-wrap items-baseline gap-x-4">
        <PageTitle>{title}</PageTitle>
        <p className="text-muted">{total}</p>
      </div>
      {pollingState && (
        <p className="flex items-center gap-2 text-sm text-muted">
          <span
            aria-hidden="true"
            className={`size-2 rounded-full ${pollingState === "live" ? "bg-good" : "bg-muted"}`}
          />
          {pollingState === "live" ? "Live" : "Reconnecting…"}
        </p>
      )}
    </div>
  );
}

/**
 * Describes how many records a list has: `12 outcomes`, `More than 10,000 outcomes`, or with
 * filters `12 outcomes match`.
 */
export function describeTotal(
  { totalElements, isMore = false }: { totalElements: number; isMore?: boolean },
  noun: string,
  isFiltered: boolean,
): string {
  const records = formatCount(totalElements, noun);
  const count = isMore && totalElements > 0 ? `More than ${records}` : records;
  return isFiltered ? `${count} match` : count;
}
