import { sql } from "drizzle-orm";
import {
  type PgDatabase,
  PgDialect,
  PgTransaction,
  type PgTransactionConfig,
} from "drizzle-orm/pg-core";
import {
  PostgresJsDatabase,
  type PostgresJsQueryResultHKT,
  PostgresJsSession,
} from "drizzle-orm/postgres-js";
import type postgres from "postgres";

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

/** Column names are snake_case in the database, camelCase in code. */
const dialect = new PgDialect({ casing: "snake_case" });

/** drizzle over a pool, and the pool as `sql`. See "Write a query" in CONTRIBUTING.md. */
export class Database extends PostgresJsDatabase {
  constructor(readonly sql: postgres.Sql) {
    super(dialect, new PostgresJsSession(sql, dialect, undefined), undefined);
  }

  /** Opens a transaction, the only way to do so. */
  override transaction<T>(
    work: (tx: Transaction) => Promise<T> | T,
    { isolationLevel, accessMode }: PgTransactionConfig = {},
  ): Promise<T> {
    const options = [isolationLevel && `isolation level ${isolationLevel}`, accessMode];
    const begun = this.sql.begin(options.join(" "), (sql) => work(new Transaction(sql)));
    return begun as Promise<T>;
  }
}

/** drizzle over a transaction, and the transaction of postgres.js as `sql`: one connection, one commit. */
export class Transaction extends PgTransaction<PostgresJsQueryResultHKT> {
  constructor(readonly sql: postgres.TransactionSql) {
    // The method by which drizzle runs its statements. A statement of the driver starts when it is
    // executed or awaited; with this, one of drizzle does when drizzle's is executed, not later. So all
    // statements run in the order in which they were executed (see `db/pipeline.ts`).
    const client = {
      unsafe: (...statement: Parameters<typeof sql.unsafe>) => sql.unsafe(...statement).execute(),
    };
    super(dialect, new PostgresJsSession(client as postgres.Sql, dialect, undefined), undefined);
  }

  /** Opens a savepoint. */
  override transaction<T>(work: (tx: Transaction) => Promise<T> | T): Promise<T> {
    return this.sql.savepoint((sql) => work(new Transaction(sql))) as Promise<T>;
  }
}

/** A database or a transaction in it: what a query needs. */
export type Sql = PgDatabase<PostgresJsQueryResultHKT> & { readonly sql: postgres.ISql };

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
