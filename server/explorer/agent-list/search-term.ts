import { type SQL, sql } from "drizzle-orm";
import { splitWords, toStem } from "@/server/explorer/find-categories";

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
  return {
    parts: [q],
    walletPattern: /^0x[0-9a-f]{1,40}$/i.test(q) ? `${q.toLowerCase()}%` : null,
    indexQuery: toIndexQuery(q.split(SEPARATORS)),
  };
}

/**
 * Returns the term that matches all words of `q` in any form and order; null if it has no words, or
 * digits, as addresses and ids have.
 */
export function loosenSearchTerm(q: string): SearchTerm | null {
  const parts = /\d/.test(q) ? [] : splitWords(q).map(toStem);
  const indexQuery = toIndexQuery(parts);
  return parts.length > 0 ? { parts, walletPattern: null, indexQuery } : null;
}

function toIndexQuery(words: string[]): string | null {
  const prefixes = words
    .map((word) => [...word].slice(0, INDEXED_LENGTHS.max))
    .filter(({ length }) => length >= INDEXED_LENGTHS.min)
    .map((word) => `'${word.join("")}':*`);
  return prefixes.length > 0 ? prefixes.join(" & ") : null;
}

/** Returns the condition that a row `agent` of `agents` matches the term, for few rows. */
export function whereText({ parts, walletPattern }: SearchTerm): SQL {
  const contains = parts.map(
    (part) => sql`strpos(agent.search_text, casefold(${part}::text collate "pg_c_utf8")) > 0`,
  );
  return orInWallet(walletPattern, sql.join(contains, sql` and `));
}

/** Returns the same condition for all agents: the index finds them. */
export function whereIndexedText(term: SearchTerm): SQL {
  const { indexQuery, walletPattern } = term;
  if (!indexQuery) return whereText(term);
  const inIndex = sql`explorer_suffixes(agent.search_text)
    @@ casefold(${indexQuery}::text collate "pg_c_utf8")::tsquery`;
  return orInWallet(
    walletPattern,
    sql`${inIndex} and ${whereText({ ...term, walletPattern: null })}`,
  );
}

const orInWallet = (walletPattern: string | null, inText: SQL) =>
  walletPattern ? sql`(${inText} or lower(agent.wallet) like ${walletPattern})` : sql`(${inText})`;
