import { formatCount } from "@/components/ui/format";
import { PageTitle } from "@/components/ui/page-title";

interface Props {
  title: string;
  /** Number of matching records, and whether there may be more. */
  total: string;
  /** State of the live updates; omitted if the list doesn't update. */
  live?: "live" | "reconnecting";
}

/** Titles a list with its count and whether it updates by polling. */
export function ListHeading({ title, total, live }: Props) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <div className="flex flex-wrap items-baseline gap-x-4">
        <PageTitle>{title}</PageTitle>
        <p className="text-muted">{total}</p>
      </div>
      {live && (
        <p className="flex items-center gap-2 text-sm text-muted">
          <span
            aria-hidden="true"
            className={`size-2 rounded-full ${live === "live" ? "bg-good" : "bg-muted"}`}
          />
          {live === "live" ? "Live" : "Reconnecting…"}
        </p>
      )}
    </div>
  );
}

/** Describes how many records of a list match: `12 outcomes`, `More than 10,000 outcomes`. */
export function describeTotal(
  { totalElements, isMore = false }: { totalElements: number; isMore?: boolean },
  noun: string,
  isFiltered: boolean,
): string {
  const records = formatCount(totalElements, noun);
  const count = isMore && totalElements > 0 ? `More than ${records}` : records;
  return isFiltered ? `${count} match` : count;
}
