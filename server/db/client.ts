import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import type { Database } from "@/server/lib/context";
import { prepareStatements } from "./prepare-statements";

/** A pool on one Postgres database, and drizzle over it. `close` waits for running queries. */
export interface DatabaseHandle {
  db: Database;
  /** The same pool without drizzle: for LISTEN and for prepared hot reads. */
  sql: postgres.Sql;
  close(): Promise<void>;
}

/**
 * Returns the backoff in seconds before a failed pool connection reconnects: 15 ms at first and at
 * most one second, half of it jitter. The driver's default rises to 20 s, which would delay requests
 * long after the database is back.
 */
const reconnectDelay = (failures: number) =>
  Math.min(1, 3 ** failures / 100) * (0.5 + Math.random() / 2);

/**
 * Opens a pool. On two cores a pool of 2 to 4 outperforms one of 10. Column names are snake_case in
 * the database, camelCase in code.
 */
export function openDatabase(url: string, pool = 4): DatabaseHandle {
  const sql = postgres(url, { max: pool, backoff: reconnectDelay, onnotice: () => {} });
  prepareStatements(sql);
  return {
    db: drizzle(sql, { casing: "snake_case" }),
    sql,
    close: () => sql.end({ timeout: 5 }),
  };
}
