import { type SQL, sql } from "drizzle-orm";
import { runPlanned, runPrepared } from "@/server/explorer/run-sql";
import type { Database } from "@/server/lib/context";
import { acquireMutex } from "@/server/lib/process/mutex";
import type { Category, Tier } from "@/server/lib/schema";
import type { ExplorerEntry, LEADERBOARD_SORTS, SORTS } from "./schema";

/** Selects the agents of a list. */
export interface Filter {
  category?: Category | undefined;
  tier?: Tier | undefined;
  /** Minimum published score, in the category if there is one, in 1/100 points; 0 includes every agent. */
  minScoreE2?: number | undefined;
  /** Only agents with at least one outcome, in the category if there is one. */
  onlyRanked?: boolean | undefined;
  /** Outcomes and activity are those of all categories. */
  minOutcomes?: number | undefined;
  /** ISO 8601. */
  activeSince?: string | undefined;
  walletVerified?: boolean | undefined;
}

/** Returns the lowest published score in 1/100 points that is at least `minScore`. */
export function toScoreE2(minScore: number): number {
  const nearest = Math.round(minScore * 100);
  return nearest / 100 >= minScore ? nearest : nearest + 1;
}

/** Returns the condition that a row of `explorer_ranks` is one of the list. */
function whereListed(filter: Filter): SQL {
  const { category, tier, minScoreE2 = 0, onlyRanked, minOutcomes } = filter;
  const { activeSince, walletVerified } = filter;
  return sql.join([
    sql`category = ${category ?? "*"}`,
    tier ? sql` and tier = ${tier}` : sql``,
    minScoreE2 > 0 || onlyRanked ? sql` and score_e_2 >= ${minScoreE2}` : sql``,
    minOutcomes ? sql` and total_outcomes >= ${minOutcomes}` : sql``,
    activeSince ? sql` and last_active >= ${activeSince}` : sql``,
    walletVerified ? sql` and wallet_verified` : sql``,
  ]);
}

/** The public sort orders, and those of the leaderboard page. */
export type Order = (typeof SORTS)[number] | (typeof LEADERBOARD_SORTS)[number];

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

/** Column that ranks the agents by each sort order; none if it is not a ranking. */
export const RANKED_BY: { [sort in Order]?: RankColumn } = {
  score: "rank_score",
  outcomes: "total_outcomes",
  successRate: "success_rate_e_4",
  clients: "requesters",
};
export type RankColumn = "rank_score" | "total_outcomes" | "success_rate_e_4" | "requesters";

/** An agent as lists select it. */
export interface EntryRow {
  agent_id: string;
  wallet: string;
  name: string;
  categories: Category[];
  /** Published score in 1/100 points. */
  score_e_2: number;
  /** The score that orders it: in the list's category, or the overall one; −1 without an outcome. */
  rank_score: number;
  tier: Tier;
  total_outcomes: number;
  success_rate_e_4: number | null;
  requesters: number;
  last_active: string | Date | null;
  wallet_verified: boolean;
  simulated: boolean;
}

/** Converts a row of a list within `category` to the agent's public entry. */
export function toEntry(row: EntryRow, category: Category | undefined): ExplorerEntry {
  return {
    agentId: row.agent_id,
    name: row.name,
    walletAddress: row.wallet,
    score: row.score_e_2 / 100,
    ...(category && row.rank_score >= 0 ? { categoryScore: row.rank_score / 100 } : {}),
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
  sort: Order;
  range: RowRange;
}

/** Returns a range of the agents that match a filter. Looks up only the returned ones. */
export function listAgents(
  db: Database,
  { filter, sort, range }: ListRequest,
): Promise<EntryRow[]> {
  return runPlanned<EntryRow>(db, selectRange(selectOrdered(filter, sort), sort, range));
}

/**
 * Returns the exact number of agents that match a filter by category, tier and score: the sum of
 * `explorer_counts`, plus a count within the one point that the minimum score splits.
 */
export async function countAgents(
  db: Database,
  filter: Pick<Filter, "category" | "tier" | "minScoreE2" | "onlyRanked">,
): Promise<number> {
  const { category = "*", tier, minScoreE2 = 0, onlyRanked } = filter;
  // Agents without an outcome have −1.
  const firstWhole = minScoreE2 > 0 || onlyRanked ? Math.ceil(minScoreE2 / 100) : -1;
  const [row] = await runPrepared<{ total: number }>(
    db,
    sql`select (coalesce(sum(agents), 0) + (
        select count(*) from explorer_ranks
        where ${whereListed(filter)} and score_e_2 < ${firstWhole * 100}
      ))::int as total
      from explorer_counts where category = ${category} and points >= ${firstWhole}
        ${tier ? sql`and tier = ${tier}` : sql``}`,
  );
  return row?.total ?? 0;
}

/** Returns the number of `ranks`, or `most` if there are more. */
export async function countUpTo(db: Database, ranks: SQL, most: number): Promise<number> {
  const [row] = await runPlanned<{ total: number }>(
    db,
    sql`select count(*)::int as total from (select from (${ranks}) as ranks limit ${most}) as counted`,
  );
  return row?.total ?? 0;
}

/** Returns the number of agents that match a filter and have more than `value` in a column. */
export function countAbove(
  db: Database,
  filter: Filter,
  { column, value }: { column: RankColumn; value: number },
): Promise<number> {
  const above = sql`select from (${selectListed(filter)}) as ranks
    where ${sql.identifier(column)} > ${value}`;
  return countUpTo(db, above, Number.MAX_SAFE_INTEGER);
}

const COLUMNS = sql`total_outcomes, success_rate_e_4, requesters, name, created_at, last_active,
  lower(name collate "pg_c_utf8") as folded_name`;

/** Returns a query for the ranks that match a filter, with the columns of every order. */
export const selectListed = (filter: Filter): SQL => sql`
  select agent_id, score_e_2 as rank_score, ${COLUMNS} from explorer_ranks where ${whereListed(filter)}`;

/**
 * Returns a query for the same ranks that an index can read in order: within a category there is one
 * only by score.
 */
export function selectOrdered(filter: Filter, sort: Order): SQL {
  if (sort === "score" || !filter.category) return selectListed(filter);
  return sql`
    select * from (
      select agent_id, score_e_2 as rank_score from explorer_ranks where ${whereListed(filter)}
    ) as listed join (
      select agent_id, ${COLUMNS} from explorer_ranks where category = '*'
    ) as ordered using (agent_id)`;
}

/** Returns a query for a range of `ranks` with all columns of their agents, in order. */
export function selectRange(ranks: SQL, sort: Order, { offset, limit }: RowRange): SQL {
  return selectEntries(
    sql`select agent_id, rank_score from (${ranks}) as ranks
      order by ${ORDER_BY[sort]} limit ${limit} offset ${offset}`,
    sort,
  );
}

/** Returns a query for the agents of `listed`, in order. */
export const selectEntries = (listed: SQL, sort: Order): SQL => sql`
  select listed.*, agent.wallet, overall.name, agent.categories, greatest(score_e_2, 0) as score_e_2,
    tier, total_outcomes, success_rate_e_4, requesters, last_active, wallet_verified, simulated,
    agent.created_at, lower(overall.name collate "pg_c_utf8") as folded_name
  from (${listed}) as listed
    join (select * from explorer_ranks where category = '*') as overall using (agent_id)
    join agents as agent on agent.id = agent_id
  order by ${ORDER_BY[sort]}`;

/** Runs a slow read when no other one runs in this process, so that they leave the pool to the rest. */
export async function scanAlone<T>(read: () => Promise<T>): Promise<T> {
  const release = await acquireMutex("explorer-scan");
  return read().finally(release);
}
