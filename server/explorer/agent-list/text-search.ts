import { type SQL, sql } from "drizzle-orm";
import { runPlanned, runTextSearch } from "@/server/explorer/run-sql";
import type { Database } from "@/server/lib/context";
import { cacheLoads } from "@/server/lib/process/cache-loads";
import {
  countAgents,
  type Filter,
  type SearchTerm,
  whereIndexedText,
  whereText,
  whereTierAndScore,
} from "./filter";
import {
  acquireScan,
  type EntryRow,
  FOLDED_NAME,
  type ListRequest,
  listMatchingAgents,
  ORDER_BY,
  type RowRange,
  type Sort,
  selectEntries,
  selectRanks,
} from "./list-agents";

export interface FoundAgents {
  rows: EntryRow[];
  total: number;
  /** Whether more than `total` agents match. */
  isMore: boolean;
}

/**
 * Numbers of agents: the first ones in sort order, which estimate the frequency of a term; those that
 * are scanned in sort order rather than using the text index; the most matches to collect at first, and
 * the most to list and count.
 */
const LIMITS = { sampled: 250, scanned: 5_000, collected: 10_000, listed: 10_000 };

/** Share of matches from which on a count without the index ends sooner than with it. */
const FREQUENT = 0.1;

/**
 * Returns the agents that match a text and a filter, and how many there are, up to 10,000. The index
 * finds each match, which is cheap for a rare term; a scan in sort order is cheap for a frequent one,
 * since it soon fills the page. A sample of the scan decides. If the scan does not fill the page (the
 * matches are far down the order), all matches are collected.
 */
export async function searchText(
  db: Database,
  countText: TextCount,
  query: { filter: Filter; term: SearchTerm; sort: Sort; range: RowRange },
  limits = LIMITS,
): Promise<FoundAgents> {
  const { filter, term } = query;
  const { offset } = query.range;
  const limit = Math.min(query.range.limit, limits.listed - offset);
  const extent = await countAgents(db, filter);
  const toFound = (rows: EntryRow[], matches: number): FoundAgents => {
    return { rows, total: Math.min(matches, limits.listed), isMore: matches > limits.listed };
  };
  if (extent.total === 0) return toFound([], 0);
  if (limit <= 0) return toFound([], await countText(filter, term, limits.listed + 1));
  const request = { ...query, range: { offset, limit }, extent };

  if (extent.total > limits.collected) {
    const scan = await scanInOrder(db, request, term, limits);
    if (scan) {
      // Of a frequent term, the first entries in any order are enough matches to count.
      const counted = scan.frequency < FREQUENT ? term : { ...term, indexQuery: null };
      return toFound(scan.rows, await countText(filter, counted, limits.listed + 1));
    }
  }
  const found =
    (await collectMatches(db, request, term, limits.collected)) ??
    (await collectMatches(db, request, term, null));
  return toFound(found?.rows ?? [], found?.total ?? 0);
}

/**
 * Returns the page from a scan in sort order, with the share of matches among the first agents; null
 * if collecting all matches is likely to read fewer agents, or if the scan does not fill the page.
 */
async function scanInOrder(
  db: Database,
  request: ListRequest,
  term: SearchTerm,
  { sampled, scanned, collected }: typeof LIMITS,
): Promise<{ rows: EntryRow[]; frequency: number } | null> {
  const { offset, limit } = request.range;
  const needed = offset + limit;
  const toSample = { ...request, range: { offset: 0, limit: needed } };
  const sample = await listMatchingAgents(db, toSample, term, sampled);
  const frequency = sample.length / sampled;
  if (sample.length === needed) return { rows: sample.slice(offset), frequency };
  const matches = frequency * request.extent.total;
  // The count would read as many entries as collecting all matches does.
  if (matches <= collected) return null;
  const toScan = Math.ceil(needed / frequency);
  if (toScan > Math.max(scanned, matches)) return null;
  const rows = await listMatchingAgents(db, request, term, 2 * toScan);
  return rows.length === limit ? { rows, frequency } : null;
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
): Promise<Omit<FoundAgents, "isMore"> | null> {
  const fromFilter = maxCollected !== null && extent.total <= maxCollected;
  const candidates = fromFilter
    ? sql`(select agent_id, rank_score from (${selectRanks({ filter, extent, sort: "score" })}) as r) as r
        join explorer_entries e using (agent_id)`
    : selectRankedEntries(filter);
  // Matches are collected without the columns that only the page needs.
  const foldedName = sort === "name" ? FOLDED_NAME : sql`null as folded_name`;
  const page = sql`select agent_id, rank_score from fitting order by ${ORDER_BY[sort]}
    limit ${range.limit} offset ${range.offset}`;
  const statement = sql`
    with hit as materialized (
      select agent_id, name, ${foldedName}, rank_score, tier, total_outcomes, success_rate_e_4, requesters,
        last_active, created_at
      from ${candidates} where ${fromFilter ? whereText(term) : whereIndexedText(term)} ${maxCollected === null ? sql`` : sql`limit ${maxCollected + 1}`}
    ), fitting as materialized (
      select * from hit where true ${whereTierAndScore(filter, sql`rank_score`)}
    )
    select hits, total, page.* from
      (select count(*)::int as hits from hit) as h,
      (select count(*)::int as total from fitting) as t
      left join (${selectEntries(page, { filter, sort })}) as page on true
    order by ${ORDER_BY[sort]}`;
  const scans = maxCollected === null || !(fromFilter || term.indexQuery);
  const releaseMutex = scans ? await acquireScan() : () => {};
  try {
    const rows = await runTextSearch<CollectedRow>(db, statement);
    const [first] = rows;
    if (!first || (maxCollected !== null && first.hits > maxCollected)) return null;
    return { rows: rows.filter((row) => row.agent_id !== null), total: first.total };
  } finally {
    releaseMutex();
  }
}

/** Agents by score whose words are compared, so that the cost is bounded. */
const MAX_COMPARED = 5_000;
/** Share of a word's trigrams from which on a word of a text is similar. */
const SIMILAR = 0.4;

interface SimilarQuery {
  filter: Filter;
  words: string[];
  range: RowRange;
}

/**
 * Returns the agents among the best by score whose name or description has a word similar to each of
 * `words`, as after a typing error; the most similar first.
 */
async function searchSimilar(
  db: Database,
  { filter, words, range }: SimilarQuery,
): Promise<FoundAgents> {
  const extent = await countAgents(db, filter);
  const first = sql`${selectRanks({ filter, extent, sort: "score" })}
    order by ${ORDER_BY.score} limit ${MAX_COMPARED}`;
  const similarities = words.map((word) => sql`word_similarity(${word}::text, e.search_text)`);
  const releaseMutex = await acquireScan();
  try {
    const rows = await runPlanned<EntryRow & { total: number }>(
      db,
      sql`
      with alike as materialized (
        select agent_id, rank_score, ${sql.join(similarities, sql` + `)} as similarity
        from (${first}) as first join explorer_entries e using (agent_id)
        where least(${sql.join(similarities, sql`, `)}) >= ${SIMILAR}
      )
      select entry.*, (select count(*)::int from alike) as total
      from (${selectEntries(sql`select agent_id, rank_score from alike`, { filter, sort: "score" })}) as entry
        join alike using (agent_id)
      order by similarity desc, alike.rank_score desc, agent_id
      limit ${range.limit} offset ${range.offset}`,
    );
    return { rows, total: rows[0]?.total ?? 0, isMore: false };
  } finally {
    releaseMutex();
  }
}

export type SimilarSearch = (query: SimilarQuery) => Promise<FoundAgents>;

/** Returns `searchSimilar` with results that are reused for ten seconds, since each reads many texts. */
export function createSimilarSearch(
  db: Database,
  cached = cacheLoads<FoundAgents>({ ttlMs: 10_000, max: 100 }),
): SimilarSearch {
  return (query) => cached(JSON.stringify(query), () => searchSimilar(db, query));
}

export type TextCount = (filter: Filter, term: SearchTerm, most: number) => Promise<number>;

const COUNTS = { ttlMs: 10_000, max: 1_000 };

/**
 * Returns a function that counts the agents that match a frequent text, up to `most`. Such a count can
 * read thousands of entries, so it is reused for ten seconds, and different counts run one at a time.
 */
export function createTextCount(db: Database, cached = cacheLoads<number>(COUNTS)): TextCount {
  return (filter, term, most) =>
    cached(JSON.stringify([filter, term, most]), async () => {
      const releaseMutex = await acquireScan();
      try {
        const [counted] = await runTextSearch<{ total: number }>(
          db,
          sql`select count(*)::int as total from (
              select from ${selectRankedEntries(filter)}
              where ${whereIndexedText(term)} ${whereTierAndScore(filter, sql`rank_score`)} limit ${most}
            ) as matching`,
        );
        return counted?.total ?? 0;
      } finally {
        releaseMutex();
      }
    });
}
