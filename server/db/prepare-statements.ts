import { LRUCache } from "lru-cache";
import type postgres from "postgres";

/** Statements that a connection keeps prepared. Each takes some 20 kB in Postgres. */
const MAX_PREPARED = 300;
/** Statements of which the first use is remembered. */
const MAX_SEEN = 2_000;

/** Texts of the statements that `prepareLookup` has prepared. */
const lookups = new Set<string>();

/**
 * Builds a query with `sql.placeholder` once, and has every pool prepare its statement. Only for
 * queries whose best plan depends on no value, such as those of a row by its key.
 */
export function prepareLookup<Q>(query: { toSQL(): { sql: string }; prepare(name: string): Q }): Q {
  lookups.add(query.toSQL().sql);
  // The driver names statements itself.
  return query.prepare("");
}

/**
 * Makes the pool prepare the statements that drizzle runs in transactions, from their second use on:
 * a prepared statement takes one round trip instead of two, shares it with others that are sent
 * without waiting, and is not parsed again. Outside transactions it prepares only those of
 * `prepareLookup`, since the best plan of a search depends on its parameters.
 */
export function prepareStatements(sql: postgres.Sql): void {
  const { unsafe } = sql;
  sql.unsafe = ((text, parameters = [], options = {}) => {
    const prepare = options.prepare || lookups.has(text);
    return unsafe(text, parameters, { ...options, prepare });
  }) as typeof unsafe;

  const seen = new LRUCache<string, true>({ max: MAX_SEEN });
  const prepared = new Set<string>();
  const isRepeated = (text: string) => {
    if (prepared.has(text)) return true;
    if (seen.has(text) && prepared.size < MAX_PREPARED) prepared.add(text);
    seen.set(text, true);
    return prepared.has(text);
  };

  const prepareRepeated = (tx: postgres.TransactionSql) => {
    const { unsafe } = tx;
    tx.unsafe = ((text, parameters = [], options = {}) => {
      const prepare = options.prepare || (parameters.length > 0 && isRepeated(text));
      return unsafe(text, parameters, { ...options, prepare });
    }) as typeof unsafe;
  };

  const begin = sql.begin as (...args: unknown[]) => Promise<unknown>;
  sql.begin = ((...args: unknown[]) => {
    const work = args.pop() as (tx: postgres.TransactionSql) => unknown;
    return begin(...args, (tx: postgres.TransactionSql) => {
      prepareRepeated(tx);
      return work(tx);
    });
  }) as typeof sql.begin;
}
