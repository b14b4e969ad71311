import { type SQL, sql } from "drizzle-orm";
import type { Filter } from "./filter";

/** Number of agents of a category and tier by whole point. */
const selectBuckets = ({ category, tier }: Filter) => sql`
  select points, sum(agents) as agents from explorer_counts
  where category = ${category ?? "*"} ${tier ? sql`and tier = ${tier}` : sql``}
  group by points having sum(agents) > 0`;

/**
 * Returns a query for where to start reading the order by score so as to skip few of the first
 * `offset` agents: `below`, the end of the whole point that contains the offset, in 1/100 points, and
 * `above`, the number of agents above that point. Read in the statement that uses it, so that both
 * see the same scores.
 */
export function selectPageStart(filter: Filter, offset: number): SQL {
  return sql`
    select (points + 1) * 100 as below, above from (
      select points, sum(agents) over (order by points desc) - agents as above
      from (${selectBuckets(filter)}) as buckets
    ) as starts
    where above <= ${offset}::int order by above desc limit 1`;
}
