import { type SQL, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { runPlanned, runPrepared } from "@/server/explorer/run-sql";
import type { Database } from "@/server/lib/context";
import { acquireMutex } from "@/server/lib/process/mutex";
import { countAgents, type Filter, type SearchTerm, whereText, whereTierAndScore } from "./filter";
import {
  type EntryRow,
  FOLDED_NAME,
  type ListRequest,
  listMatchingAgents,
  ORDER_BY,
  type RowRange,
  SIMULATED,
  type Sort,
  selectCategoryScore,
  selectRanks,
} from "./list-agents";

export interface FoundAgents {
  rows: EntryRow[];
  total: number;
}

/** Maximum number of matches to collect, and of agents to scan in sort order. */
const LIMITS = { maxCollected: 5_000, maxScanned: 10_000 };

/**
 * Returns the agents that match a text and a filter. If few match, or few pass the filter, these
 * are collected, sorted and counted. If many do, a short scan in sort order fills the page, and the
 * total is counted separately. If the scan doesn't fill the page (the matches or the page are too
 * far down the order), all matches are collected.
 */
export async function searchText(
  db: Database,
  counts: ReturnType<typeof createTextCounts>,
  query: { filter: Filter; term: SearchTerm; sort: Sort; range: RowRange },
  { maxCollected, maxScanned } = LIMITS,
): Promise<FoundAgents> {
  const { filter, term, range } = query;
  const extent = await countAgents(db, filter);
  if (extent.total === 0) return { rows: [], total: 0 };
  const request = { ...query, extent };

  const collected = await collectMatches(db, request, term, maxCollected);
  if (collected) return collected;
  if (range.offset + range.limit <= maxScanned) {
    const rows = await listMatchingAgents(db, request, term, maxScanned);
    if (rows.length === range.limit) return { rows, total: await counts.get(filter, term) };
  }
  const all = await collectMatches(db, request, term, null);
  return all ?? { rows: [], total: 0 };
}

/** Returns the relation of all entries `e` in the filter's category with their `rank_score`. */
function selectRankedEntries({ category }: Filter): SQL {
  return category
    ? sql`explorer_entries e join (
        select agent_id, score_e_2 as rank_score from explorer_ranks where category = ${category}
      ) as r using (agent_id)`
    : sql`(select *, score_e_2 as rank_score from explorer_entries) as e`;
}

type CollectedRow = { hits: number; total: number } & (EntryRow | { agent_id: null });

/**
 * Returns the page and the total from all matches; null if there are more than `maxCollected`.
 * Reads that can't use an index run one at a time.
 */
async function collectMatches(
  db: Database,
  { filter, extent, sort, range }: ListRequest,
  term: SearchTerm,
  maxCollected: number | null,
): Promise<FoundAgents | null> {
  const fromFilter = maxCollected !== null && extent.total <= maxCollected;
  const candidates = fromFilter
    ? sql`(select agent_id, rank_score from (${selectRanks({ filter, extent })}) as r) as r
        join explorer_entries e using (agent_id)`
    : selectRankedEntries(filter);
  const statement = sql`
    with hit as materialized (
      select agent_id, wallet, name, ${FOLDED_NAME}, categories, e.score_e_2, rank_score,
        ${selectCategoryScore(filter)}, tier, total_outcomes, success_rate_e_4, requesters,
        last_active, wallet_verified, created_at
      from ${candidates} where ${whereText(term)} ${maxCollected === null ? sql`` : sql`limit ${maxCollected + 1}`}
    ), fitting as materialized (
      select * from hit where true ${whereTierAndScore(filter, sql`rank_score`)}
    )
    select hits, total, page.* from
      (select count(*)::int as hits from hit) as h,
      (select count(*)::int as total from fitting) as t
      left join (
        select *, ${SIMULATED} from fitting order by ${ORDER_BY[sort]}
        limit ${range.limit} offset ${range.offset}
      ) as page on true
    order by ${ORDER_BY[sort]}`;
  const scans = maxCollected === null || !(fromFilter || term.isIndexed);
  const releaseMutex = scans ? await acquireMutex(SCAN_MUTEX) : () => {};
  try {
    const rows = await runPlanned<CollectedRow>(db, statement);
    const [first] = rows;
    if (!first || (maxCollected !== null && first.hits > maxCollected)) return null;
    return { rows: rows.filter((row) => row.agent_id !== null), total: first.total };
  } finally {
    releaseMutex();
  }
}

interface Counted {
  total: number;
  /** The snapshot that the count saw, in Postgres's text format. */
  snapshot: string;
}

const MAX_COUNTS = 1_000;

/**
 * Counts the agents that match a common text. Such a count reads much of the table, so concurrent
 * callers share it, different counts run one at a time, and a result is reused until any process
 * changes an agent, a profile or a score. A result is never older than the request.
 */
export function createTextCounts(db: Database) {
  const cache = new LRUCache<string, Counted>({ max: MAX_COUNTS });
  const running = new Map<string, Promise<Counted>>();

  async function count(key: string, filter: Filter, term: SearchTerm): Promise<Counted> {
    const releaseMutex = await acquireMutex(SCAN_MUTEX);
    try {
      const [counted] = await runPlanned<Counted>(
        db,
        sql`select count(*)::int as total, pg_current_snapshot()::text as snapshot
          from ${selectRankedEntries(filter)}
          where ${whereText(term)} ${whereTierAndScore(filter, sql`rank_score`)}`,
      );
      if (!counted) throw new Error("a count has a row");
      cache.set(key, counted);
      return counted;
    } finally {
      running.delete(key);
      releaseMutex();
    }
  }

  async function isCurrent({ snapshot }: Counted): Promise<boolean> {
    const [since] = await runPrepared(
      db,
      sql`select from explorer_counts
        where xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot)
          and not pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot) limit 1`,
    );
    return since === undefined;
  }

  return {
    async get(filter: Filter, term: SearchTerm): Promise<number> {
      const key = JSON.stringify([filter, term]);
      // A count that is already running may have started before a change that the caller has seen.
      // One that is found running further below started after the request.
      const earlier = (await running.get(key)) ?? cache.get(key);
      if (earlier && (await isCurrent(earlier))) return earlier.total;
      const joined = running.get(key) ?? count(key, filter, term);
      running.set(key, joined);
      return (await joined).total;
    },
  };
}

/** Reads that can't use an index run one at a time, so that they leave the pool to others. */
export const SCAN_MUTEX = "explorer-scan";
