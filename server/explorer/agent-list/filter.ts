import { type SQL, sql } from "drizzle-orm";
import { splitWords, toStem } from "@/server/explorer/find-categories";
import { runPrepared } from "@/server/explorer/run-sql";
import type { Database } from "@/server/lib/context";
import type { Category, Tier } from "@/server/lib/schema";

/** Selects the agents of a list. */
export interface Filter {
  category?: Category | undefined;
  tier?: Tier | undefined;
  /** Minimum score, in the category if there is one, in 1/10,000 points; 0 includes every agent. */
  minScoreE4: number;
  /** Only agents with at least one outcome, in the category if there is one. */
  onlyRanked: boolean;
  /** Conditions that `explorer_counts` does not cover; outcomes and activity are those of all categories. */
  minOutcomes?: number | undefined;
  /** ISO 8601. */
  activeSince?: string | undefined;
  walletVerified?: boolean | undefined;
}

/** Whether the filter has conditions that `explorer_counts` does not cover. */
export const isUncounted = ({ minOutcomes, activeSince, walletVerified }: Filter): boolean =>
  minOutcomes !== undefined || activeSince !== undefined || walletVerified === true;

/** A parsed search term. */
export interface SearchTerm {
  /** Parts of name or description, before case folding; all must occur. */
  parts: string[];
  /**
   * LIKE pattern for the lower-case wallet, if the term may be the prefix of an address, or is the
   * ERC-8004 id of the wallet's agent.
   */
  walletPattern: string | null;
  /**
   * What to look up in the text index, before case folding: part of a word for each of them. Null if
   * no part of a word has three characters, which the index does not have.
   */
  indexQuery: string | null;
  /** Whether the index alone decides, since the term is a part of one word. */
  isOneWord: boolean;
}

/** Shortest and longest part of a word in the text index; see `explorer_suffixes`. */
const INDEXED_LENGTHS = { min: 3, max: 32 };
/** ASCII characters other than letters and digits separate words, in the index too. */
const SEPARATORS = /[^0-9A-Za-z\u0080-\u{10ffff}]+/u;

/**
 * Parses a search term: part of a name or description, or the prefix of a wallet address,
 * case-insensitive. Returns null if everything matches: no term, or the `0x` that every address
 * begins with.
 */
export function parseSearchTerm(q: string | undefined): SearchTerm | null {
  if (!q || /^0x$/i.test(q)) return null;
  const words = q.split(SEPARATORS).map((word) => [...word]);
  const indexed = words.filter(({ length }) => length >= INDEXED_LENGTHS.min);
  const toPrefix = (word: string[]) => `'${word.slice(0, INDEXED_LENGTHS.max).join("")}':*`;
  return {
    parts: [q],
    walletPattern: /^0x[0-9a-f]{1,40}$/i.test(q) ? `${q.toLowerCase()}%` : null,
    indexQuery: indexed.length > 0 ? indexed.map(toPrefix).join(" & ") : null,
    isOneWord: words.length === 1 && (words[0]?.length ?? 0) <= INDEXED_LENGTHS.max,
  };
}

/**
 * Returns the term that matches all words of `q` in any form and order; null if it has no words, or
 * digits, as addresses and ids have.
 */
export function loosenSearchTerm(q: string): SearchTerm | null {
  if (/\d/.test(q)) return null;
  const parts = splitWords(q).map(toStem);
  const indexQuery = parts.map((part) => `'${part.slice(0, INDEXED_LENGTHS.max)}':*`).join(" & ");
  return parts.length > 0 ? { parts, walletPattern: null, indexQuery, isOneWord: false } : null;
}

/** Returns the lowest score in 1/10,000 points whose published number is at least `minScore`. */
export function toScoreE4(minScore: number): number {
  const nearest = Math.round(minScore * 100);
  return (nearest / 100 >= minScore ? nearest : nearest + 1) * 100;
}

/** Returns the conditions on tier and score, for rows with the published score of `explorer_ranks`. */
export function whereTierAndScore(
  { tier, minScoreE4, onlyRanked }: Filter,
  score = sql`score_e_2`,
): SQL {
  return sql.join([
    tier ? sql` and tier = ${tier}` : sql``,
    minScoreE4 > 0 ? sql` and ${score} >= ${Math.ceil(minScoreE4 / 100)}` : sql``,
    // A constant, so that the planner can use partial indexes.
    onlyRanked ? sql` and ${score} >= 0` : sql``,
  ]);
}

/** Returns the conditions on outcomes and wallet, for rows of `table`. */
export function whereUncounted(
  { minOutcomes, walletVerified }: Filter,
  table: "explorer_ranks" | "explorer_orders",
): SQL {
  const agentId = sql`${sql.identifier(table)}.agent_id`;
  return sql.join([
    minOutcomes ? sql` and total_outcomes >= ${minOutcomes}` : sql``,
    // A scan in order soon finds verified wallets.
    walletVerified
      ? sql` and (select wallet_verified from explorer_entries e where e.agent_id = ${agentId})`
      : sql``,
  ]);
}

/** Returns the condition that an entry `e` matches the term, for few entries. */
export function whereText(term: SearchTerm): SQL {
  return orInWallet(term, whereContains(term));
}

/** Returns the condition that an entry `e` matches the term, for all entries: the index finds them. */
export function whereIndexedText(term: SearchTerm): SQL {
  const { indexQuery, isOneWord } = term;
  if (!indexQuery) return whereText(term);
  const inIndex = sql`explorer_suffixes(e.search_text)
    @@ casefold(${indexQuery}::text collate "pg_c_utf8")::tsquery`;
  return orInWallet(term, isOneWord ? inIndex : sql`(${inIndex} and ${whereContains(term)})`);
}

const whereContains = ({ parts }: SearchTerm) =>
  sql.join(
    parts.map(
      (part) => sql`strpos(e.search_text, casefold(${part}::text collate "pg_c_utf8")) > 0`,
    ),
    sql` and `,
  );

const orInWallet = ({ walletPattern }: SearchTerm, inText: SQL) =>
  walletPattern ? sql`(${inText} or lower(e.wallet) like ${walletPattern})` : sql`(${inText})`;

export interface Extent {
  /** Number of agents that match the filter. */
  total: number;
  /** Range of their scores in whole points, −1 without an outcome; both 0 if there are none. */
  lowest: number;
  highest: number;
}

/**
 * Returns the exact number of agents that match a filter and their score range: the sum of the
 * histogram, plus a count within the one point that `minScore` splits.
 */
export async function countAgents(db: Database, filter: Filter): Promise<Extent> {
  const category = filter.category ?? "*";
  // Agents without an outcome have −1.
  const from = filter.minScoreE4 > 0 || filter.onlyRanked ? filter.minScoreE4 : -10_000;
  const splitPoint = Math.floor(from / 10_000);
  const firstWhole = Math.ceil(from / 10_000);
  const inSplitPoint =
    firstWhole > splitPoint
      ? sql`(select count(*) from explorer_ranks where category = ${category}
          and score_e_2 < ${firstWhole * 100} ${whereTierAndScore(filter)})`
      : sql`0`;
  const [extent] = await runPrepared<Extent>(
    db,
    sql`
    select (coalesce(sum(agents) filter (where points >= ${firstWhole}), 0) + ${inSplitPoint})::int as total,
      coalesce(min(points), 0) as lowest, coalesce(max(points), 0) as highest
    from (
      select points, sum(agents) as agents from explorer_counts
      where category = ${category} and points >= ${splitPoint}
        ${filter.tier ? sql`and tier = ${filter.tier}` : sql``}
      group by points having sum(agents) > 0
    ) as buckets`,
  );
  return extent ?? { total: 0, lowest: 0, highest: 0 };
}

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
