import { formatCount } from "@/components/ui/format";

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
