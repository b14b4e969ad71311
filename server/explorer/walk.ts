import { type SQL, sql } from "drizzle-orm";
import type { Database } from "@/server/lib/context";
import type { Extent } from "./counts";
import { type EntryRow, SIMULATED } from "./entry";
import { type Filter, matches, standing } from "./filter";
import { FOLDED_NAME, ORDER_BY, type Order, type Sort } from "./order";
import { runPlanned, runPrepared } from "./run";
import type { TextMatch } from "./text-match";

export interface Stretch {
  offset: number;
  limit: number;
}

/** A list that is asked for. */
export interface Asked {
  filter: Filter;
  /** What `countAgents` says of the filter. */
  extent: Extent;
  sort: Sort;
  stretch: Stretch;
}

/**
 * A stretch of the agents that a filter admits. The order's index is walked alone and entries are
 * looked up for the answer only, which makes far pages ten times cheaper.
 */
export async function walk(db: Database, asked: Asked): Promise<EntryRow[]> {
  const { offset } = asked.stretch;
  const limit = Math.min(asked.stretch.limit, asked.extent.total - offset);
  if (limit <= 0) return [];
  // By score one index serves every filter, so one plan does.
  const run = asked.sort === "score" ? runPrepared : runPlanned;
  return run<EntryRow>(
    db,
    lookUp(
      sql`select agent_id from (${ranked(asked)}) as r
        order by ${ORDER_BY[asked.sort]} limit ${limit} offset ${offset}`,
      asked,
    ),
  );
}

/**
 * The same of those agents only that match a text, looked for among the first `reach` of the
 * order. Fewer rows than asked for say nothing: there may be more beyond.
 */
export function walkMatching(
  db: Database,
  asked: Asked,
  match: TextMatch,
  reach: number,
): Promise<EntryRow[]> {
  const order = ORDER_BY[asked.sort];
  // `offset 0` keeps the planner from turning the check of each agent into a search for all.
  return runPlanned<EntryRow>(
    db,
    lookUp(
      sql`select agent_id from (${ranked(asked)} order by ${order} limit ${reach}) as r
        cross join lateral (
          select from explorer_entries e where e.agent_id = r.agent_id and ${matches(match)} offset 0
        ) as matching
        order by ${order} limit ${asked.stretch.limit} offset ${asked.stretch.offset}`,
      asked,
    ),
  );
}

/** The entries of agents, in order. */
export function lookUp(agentIds: SQL, { filter, sort }: { filter: Filter; sort: Order }): SQL {
  return sql`
    with hit as materialized (${agentIds})
    select agent_id, wallet, name, ${FOLDED_NAME}, categories, score_e_2, tier, total_outcomes,
      requesters, last_active, wallet_verified, ${SIMULATED}
    from hit join explorer_entries e using (agent_id)
    ${filter.onlyRanked ? sql`where total_outcomes > 0` : sql``}
    order by ${ORDER_BY[sort]}`;
}

/**
 * The ranks that a filter admits. A tier is sought where the histogram has seen it, not passed over
 * row by row. Agents without outcomes are not left out here: by score they come last, after all
 * that the total promises.
 */
export function ranked({ filter, extent }: Pick<Asked, "filter" | "extent">): SQL {
  const { lowest, highest } = extent;
  return sql`
    select agent_id, score_e_2, total_outcomes, name, ${FOLDED_NAME}, created_at,
      last_active
    from explorer_ranks
    where category = ${filter.category ?? "*"} ${standing({ ...filter, onlyRanked: false })}
      ${filter.tier ? sql`and score_e_2 between ${lowest * 100} and ${highest * 100 + 99}` : sql``}`;
}
