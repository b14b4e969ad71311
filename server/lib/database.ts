import type { PgDatabase } from "drizzle-orm/pg-core";
import type { PostgresJsDatabase, PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";

export type Database = PostgresJsDatabase;
/** A database or a transaction in it: what a query needs. */
export type Sql = PgDatabase<PostgresJsQueryResultHKT>;
/** Inside `db.transaction`. Functions that need a transaction take this type. */
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];
