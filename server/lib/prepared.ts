import type { Sql } from "./context";

/**
 * A query that is built and prepared once for each database, then only executed: what hot queries
 * need, as building one costs more than Postgres takes to answer it.
 */
export function preparedOn<D extends Sql, Q>(prepare: (db: D) => Q): (db: D) => Q {
  const queries = new WeakMap<D, Q>();
  return (db) => {
    const known = queries.get(db);
    if (known !== undefined) return known;
    const query = prepare(db);
    queries.set(db, query);
    return query;
  };
}
