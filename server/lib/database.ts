import { sql } from "drizzle-orm";
import type { PgDatabase } from "drizzle-orm/pg-core";
import type { PostgresJsDatabase, PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";

/**
 * The database's current time, for due times. Truncated to milliseconds, like times in this
 * process, so that it is never in the future.
 */
export const databaseNow = sql<Date>`date_trunc('milliseconds', now())`;

/** Returns the database's time, the one clock that all processes share. */
export async function readDatabaseTime(db: Sql): Promise<Date> {
  const [row] = await db.execute<{ ms: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  );
  if (!row) throw new Error("the database returned no time");
  return new Date(row.ms);
}

export type Database = PostgresJsDatabase;
/** A database or a transaction in it: what a query needs. */
export type Sql = PgDatabase<PostgresJsQueryResultHKT>;
/** Inside `db.transaction`. Functions that need a transaction take this type. */
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];

/**
 * Returns a function that prepares something once per database and then reuses it: a hot query, since
 * building one takes longer than Postgres needs to run it, or a batcher that concurrent calls share.
 */
export function prepareOnce<D extends Sql, Q>(prepare: (db: D) => Q): (db: D) => Q {
  const queries = new WeakMap<D, Q>();
  return (db) => {
    const prepared = queries.get(db);
    if (prepared !== undefined) return prepared;
    const query = prepare(db);
    queries.set(db, query);
    return query;
  };
}
