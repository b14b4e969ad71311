import { type SQL, sql } from "drizzle-orm";
import { runPlanned, runPrepared } from "@/server/explorer/run-sql";
import type { ExplorerEntry, LEADERBOARD_SORTS, SORTS } from "@/server/explorer/schema";
import type { Database } from "@/server/lib/context";
import { acquireMutex } from "@/server/lib/process/mutex";
import type { Category, Tier } from "@/server/lib/schema";
import {
  type Extent,
  type Filter,
  type SearchTerm,
  selectPageStart,
  whereText,
  whereTierAndScore,
  whereUncounted,
} from "./filter";

export type Sort = (typeof SORTS)[number];
/** The public sort orders, and those of the leaderboard page. */
export type Order = Sort | (typeof LEADERBOARD_SORTS)[number];

/** Sort key for names, as the index defines it. */
export const FOLDED_NAME = sql`lower(name collate "pg_c_utf8") as folded_name`;

/**
 * The ORDER BY of each sort, matching its index. `rank_score` is the score in the list's category.
 * Names are compared case-insensitively if they are the sort key, and by code point if they only
 * break ties.
 */
export const ORDER_BY: Record<Order, SQL> = {
  score: sql`rank_score desc, total_outcomes desc, name, agent_id`,
  outcomes: sql`total_outcomes desc, rank_score desc, name, agent_id`,
  successRate: sql`success_rate_e_4 desc nulls last, total_outcomes desc, name, agent_id`,
  clients: sql`requesters desc, total_outcomes desc, name, agent_id`,
  name: sql`folded_name, name, agent_id`,
  newest: sql`created_at desc, agent_id desc`,
  activity: sql`last_active desc nulls last, agent_id`,
};

/** A row of `explorer_entries` as lists select it. */
export interface EntryRow {
  agent_id: string;
  wallet: string;
  name: string;
  categories: Category[];
  score_e_2: number;
  /** Score in the list's category; −1 without an outcome in it, null without a category. */
  category_score_e_2: number | null;
  /** Value that lists order scores by: the category's score, or the overall one. */
  rank_score: number;
  tier: Tier;
  total_outcomes: number;
  success_rate_e_4: number | null;
  requesters: number;
  last_active: string | Date | null;
  wallet_verified: boolean;
  simulated: boolean | null;
}

/** Column for rows with an `agent_id`. It is only looked up for the returned rows. */
const SIMULATED = sql`(select agents.simulated from agents where agents.id = agent_id) as simulated`;

/** Converts a row to the agent's public entry. */
export function toEntry(row: EntryRow): ExplorerEntry {
  return {
    agentId: row.agent_id,
    name: row.name,
    walletAddress: row.wallet,
    score: row.score_e_2 / 100,
    ...(row.category_score_e_2 !== null && row.category_score_e_2 >= 0
      ? { categoryScore: row.category_score_e_2 / 100 }
      : {}),
    tier: row.tier,
    totalOutcomes: row.total_outcomes,
    categories: row.categories,
    walletVerified: row.wallet_verified,
    ...(row.simulated ? { simulated: true } : {}),
  };
}

export interface RowRange {
  offset: number;
  limit: number;
}

/** A requested list. */
export interface ListRequest {
  filter: Filter;
  /** Result of `countAgents` for the filter. */
  extent: Extent;
  sort: Sort;
  range: RowRange;
}

/** Most agents of a tier that are found by their score and then sorted, if the order is another. */
const MAX_SORTED = 10_000;

/**
 * Returns a range of the agents that match a filter. Scans only the index of the sort order and
 * looks up entries for the returned rows only.
 */
export async function listAgents(
  db: Database,
  request: ListRequest,
  maxSorted = MAX_SORTED,
): Promise<EntryRow[]> {
  const { range, extent, sort } = request;
  const limit = Math.min(range.limit, extent.total - range.offset);
  if (limit <= 0) return [];
  // By score one index serves every filter, so one plan does.
  const run = sort === "score" ? runPrepared : runPlanned;
  const entries = selectEntries(
    selectRange(selectRanks(request, maxSorted), { ...request, range: { ...range, limit } }),
    request,
  );
  return readInTurn(request, () => run<EntryRow>(db, entries));
}

/** Waits until no other slow read runs in this process, so that they leave the pool to the rest. */
export const acquireScan = () => acquireMutex("explorer-scan");

/**
 * Reads a range of a list. Such reads run one at a time if they may look at every agent: one far down an
 * order without the score, whose filter needs the score, or one for few verified wallets or long records.
 */
export async function readInTurn<T>(
  { filter, sort, range }: { filter: Filter; sort: Order; range: RowRange },
  read: () => Promise<T>,
): Promise<T> {
  const isSlow =
    (!hasScore(sort) && filter.minScoreE4 > 0 && range.offset > MAX_SORTED) ||
    filter.walletVerified ||
    filter.minOutcomes !== undefined;
  const release = isSlow ? await acquireScan() : () => {};
  try {
    return await read();
  } finally {
    release();
  }
}

/**
 * Returns a query for a range of `ranks`, which have all ranks of the filter. By score it starts at
 * the whole point that contains the offset, so the cost does not depend on the offset.
 */
export function selectRange(
  ranks: SQL,
  list: { filter: Filter; sort: Order; range: RowRange },
): SQL {
  const { offset, limit } = list.range;
  if (list.sort !== "score") return selectFirst(ranks, list);
  return sql`
    with page_start as materialized (${selectPageStart(list.filter, offset)})
    select agent_id, rank_score from (${ranks}) as r
    where rank_score < (select below from page_start)
    order by ${ORDER_BY.score} limit ${limit} offset ${offset}::int - (select above from page_start)`;
}

/** Returns a query for a range of any `ranks`, with the score of each agent in the range. */
export function selectFirst(
  ranks: SQL,
  { filter, sort, range }: { filter: Filter; sort: Order; range: RowRange },
): SQL {
  const selectColumns = (columns: SQL) => sql`select ${columns} from (${ranks}) as r
    order by ${ORDER_BY[sort]} limit ${range.limit} offset ${range.offset}`;
  if (hasScore(sort)) return selectColumns(sql`agent_id, rank_score`);
  return sql`
    select agent_id, (
      select score_e_2 from explorer_ranks as own
      where own.agent_id = r.agent_id and own.category = ${filter.category ?? "*"}
    ) as rank_score from (${selectColumns(sql`agent_id`)}) as r`;
}

/**
 * Returns only agents that also match a text, from the first `scanLimit` agents in sort order. Fewer
 * rows than requested doesn't mean that there are no more matches.
 */
export function listMatchingAgents(
  db: Database,
  request: ListRequest,
  term: SearchTerm,
  scanLimit: number,
): Promise<EntryRow[]> {
  // `offset 0` keeps the planner from turning the check of each agent into a search for all.
  const matching = sql`
    select r.* from (
      ${selectRanks(request)} order by ${ORDER_BY[request.sort]} limit ${scanLimit}
    ) as r
    cross join lateral (
      select from explorer_entries e where e.agent_id = r.agent_id and ${whereText(term)} offset 0
    ) as matching`;
  return runPlanned<EntryRow>(db, selectEntries(selectFirst(matching, request), request));
}

/** Returns a query for the entries of ranked agents, in order. */
export function selectEntries(ranks: SQL, { filter, sort }: { filter: Filter; sort: Order }): SQL {
  return sql`
    with hit as materialized (${ranks})
    select agent_id, wallet, name, ${FOLDED_NAME}, categories, score_e_2, rank_score,
      ${selectCategoryScore(filter)}, tier, total_outcomes, success_rate_e_4, requesters, last_active,
      wallet_verified, created_at, ${SIMULATED}
    from hit join explorer_entries e using (agent_id)
    order by ${ORDER_BY[sort]}`;
}

/** Selects the score in the filter's category, for rows with a `rank_score`. */
function selectCategoryScore({ category }: Filter): SQL {
  return category ? sql`rank_score as category_score_e_2` : sql`null as category_score_e_2`;
}

/** Whether the order depends on the score, so `explorer_ranks` has it and not `explorer_orders`. */
const hasScore = (sort: Order) => sort === "score" || sort === "outcomes";

interface RanksRequest {
  filter: Filter;
  extent: Extent;
  sort: Order;
}

/**
 * Returns a query for the ranks that match a filter, with the columns of the order. It reads the table
 * of the order, and joins the other one only if the filter needs it.
 */
export function selectRanks({ filter, extent, sort }: RanksRequest, maxSorted = MAX_SORTED): SQL {
  const { tier, minScoreE4, onlyRanked, activeSince } = filter;
  const category = filter.category ?? "*";
  const whereActive = activeSince ? sql`and last_active >= ${activeSince}` : sql``;
  if (hasScore(sort)) {
    const scored = sql`
      select agent_id, score_e_2 as rank_score, total_outcomes, name
      from explorer_ranks
      where ${whereScored({ filter, extent })} ${whereUncounted(filter, "explorer_ranks")}`;
    return activeSince
      ? sql`select * from (${scored}) as scored join (
          select agent_id from explorer_orders where category = ${category} ${whereActive}
        ) as active using (agent_id)`
      : scored;
  }
  const ordered = (condition: SQL) => sql`
    select agent_id, total_outcomes, success_rate_e_4, requesters, name, ${FOLDED_NAME}, created_at,
      last_active
    from explorer_orders
    where category = ${category} ${onlyRanked ? sql`and is_ranked` : sql``} ${whereActive}
      ${whereUncounted(filter, "explorer_orders")} ${condition}`;
  // A scan in order soon finds agents of a frequent tier. The few of a rare one are found by score.
  if (minScoreE4 > 0 || (tier && extent.total <= maxSorted)) {
    return sql`select * from (${ordered(sql``)}) as ordered join (
        select agent_id from explorer_ranks where ${whereScored({ filter, extent })}
      ) as scored using (agent_id)`;
  }
  return ordered(tier ? sql`and tier = ${tier}` : sql``);
}

/**
 * Returns the condition that a row of `explorer_ranks` matches the filter. A tier is read from the
 * score range in which the histogram has it, rather than filtered row by row.
 */
function whereScored({ filter, extent }: { filter: Filter; extent: Extent }): SQL {
  const { lowest, highest } = extent;
  return sql`category = ${filter.category ?? "*"} ${whereTierAndScore(filter)}
    ${filter.tier ? sql`and score_e_2 between ${lowest * 100} and ${highest * 100 + 99}` : sql``}`;
}
