import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import type { Database } from "@/server/lib/context";

/** A pool on one Postgres and drizzle over it. `close` waits for running queries. */
export interface DatabaseHandle {
  db: Database;
  /** The same pool without drizzle: for LISTEN and for prepared hot reads. */
  sql: postgres.Sql;
  close(): Promise<void>;
}

/**
 * Opens a pool. On two cores a pool of 2 to 4 serves more than one of 10.
 * Column names are snake_case in the database, camelCase in code.
 */
export function openDatabase(url: string, pool = 4): DatabaseHandle {
  const sql = postgres(url, { max: pool, onnotice: () => {} });
  return {
    db: drizzle(sql, { casing: "snake_case" }),
    sql,
    close: () => sql.end({ timeout: 5 }),
  };
}
