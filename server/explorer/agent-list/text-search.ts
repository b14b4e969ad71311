import { type SQL, sql } from "drizzle-orm";
import { runPlanned, runTextSearch } from "@/server/explorer/run-sql";
import type { Database } from "@/server/lib/context";
import { prepareOnce } from "@/server/lib/database";
import { cacheLoads } from "@/server/lib/process/cache-loads";
import {
  countUpTo,
  type EntryRow,
  type Filter,
  type ListRequest,
  ORDER_BY,
  type RowRange,
  scanAlone,
  selectEntries,
  selectListed,
  selectOrdered,
  selectRange,
} from "./list-agents";
import { type SearchTerm, whereIndexedText, whereText } from "./search-term";

export interface FoundAgents {
  rows: EntryRow[];
  total: number;
  /** Whether more than `total` agents match. */
  isMore: boolean;
}

/** Most matches that are collected and sorted, and most that are listed and counted. */
const MOST = 10_000;

/**
 * Returns the agents that match a text and a filter, and how many there are, up to `most`. The index
 * finds all matches of a term, which are then sorted. If more than `most` agents match the text, a scan
 * in the order of the list soon fills the page.
 */
export async function searchText(
  db: Database,
  { filter, sort, range, term }: ListRequest & { term: SearchTerm },
  { most = MOST, count = countOften } = {},
): Promise<FoundAgents> {
  const limit = Math.max(0, Math.min(range.limit, most - range.offset));
  const request = { filter, sort, range: { ...range, limit } };
  const collected = await collectMatches(db, request, term, most);
  if (collected) return { ...collected, isMore: false };
  const isFiltered = filter.category || filter.tier || filter.minScoreE2;
  const counted = isFiltered ? await count(db, filter, term, most + 1) : most + 1;
  const matching = selectMatching(selectOrdered(filter, sort), term);
  const rows = await scanAlone(() =>
    runPlanned<EntryRow>(db, selectRange(matching, sort, request.range)),
  );
  return { rows, total: Math.min(counted, most), isMore: counted > most };
}

/** Counts the agents that match a text and a filter, up to `most`. */
export const countText = (db: Database, filter: Filter, term: SearchTerm, most: number) =>
  scanAlone(() => countUpTo(db, selectMatching(selectListed(filter), term), most));

/** Such a count can read thousands of entries, so it is reused for ten seconds. */
const countOften: typeof countText = (db, ...query) =>
  getCounts(db)(JSON.stringify(query), () => countText(db, ...query));

const getCounts = prepareOnce((_db: Database) => cacheLoads<number>({ ttlMs: 10_000, max: 1_000 }));

/**
 * Returns a query for the `ranks` whose agents match a text. Their texts are compared one by one: `offset 0`
 * keeps the planner from turning that into a search for all.
 */
const selectMatching = (ranks: SQL, term: SearchTerm): SQL => sql`
  select ranks.* from (${ranks}) as ranks cross join lateral (
    select from agents as agent where agent.id = ranks.agent_id and ${whereText(term)} offset 0
  ) as matching`;

/** Returns the page and the total from all matches; null if more than `most` agents match the text. */
async function collectMatches(
  db: Database,
  { filter, sort, range }: ListRequest,
  term: SearchTerm,
  most: number,
): Promise<Omit<FoundAgents, "isMore"> | null> {
  const page = sql`select agent_id, rank_score from fitting
    order by ${ORDER_BY[sort]} limit ${range.limit} offset ${range.offset}`;
  const rows = await runTextSearch<
    { hits: number; total: number } & (EntryRow | { agent_id: null })
  >(
    db,
    sql`
    with hit as materialized (
      select id as agent_id from agents as agent where ${whereIndexedText(term)} limit ${most + 1}
    ), fitting as materialized (
      select * from (${selectListed(filter)}) as ranks join hit using (agent_id)
      where (select count(*) from hit) <= ${most}
    )
    select hits, total, page.* from (select count(*)::int as hits from hit) as hits,
      (select count(*)::int as total from fitting) as fitting
      left join (${selectEntries(page, sort)}) as page on true
    order by ${ORDER_BY[sort]}`,
  );
  const { hits = 0, total = 0 } = rows[0] ?? {};
  return hits > most ? null : { rows: rows.filter((row) => row.agent_id !== null), total };
}

/** Agents by score whose words are compared, so that the cost is bounded. */
const MAX_COMPARED = 5_000;
/** Share of a word's trigrams from which on a word of a text is similar. */
const SIMILAR = 0.4;

interface SimilarQuery {
  words: string[];
  range: RowRange;
}

/**
 * Returns the agents among the best by score whose name or description has a word similar to each of
 * `words`, as after a typing error; the most similar first. Reads many texts, so the result is reused for
 * ten seconds.
 */
export const searchSimilar = (db: Database, query: SimilarQuery): Promise<FoundAgents> =>
  getSimilar(db)(JSON.stringify(query), () => scanAlone(() => querySimilar(db, query)));

const getSimilar = prepareOnce((_db: Database) =>
  cacheLoads<FoundAgents>({ ttlMs: 10_000, max: 100 }),
);

async function querySimilar(db: Database, { words, range }: SimilarQuery): Promise<FoundAgents> {
  const first = sql`${selectListed({})} order by ${ORDER_BY.score} limit ${MAX_COMPARED}`;
  const similarities = words.map((word) => sql`word_similarity(${word}::text, agent.search_text)`);
  const rows = await runPlanned<EntryRow & { total: number }>(
    db,
    sql`
    with alike as materialized (
      select agent_id, rank_score, ${sql.join(similarities, sql` + `)} as similarity
      from (${first}) as first join agents as agent on agent.id = agent_id
      where least(${sql.join(similarities, sql`, `)}) >= ${SIMILAR}
    )
    select entry.*, (select count(*)::int from alike) as total
    from (${selectEntries(sql`select agent_id, rank_score from alike`, "score")}) as entry
      join alike using (agent_id)
    order by similarity desc, alike.rank_score desc, agent_id
    limit ${range.limit} offset ${range.offset}`,
  );
  return { rows, total: rows[0]?.total ?? 0, isMore: false };
}
