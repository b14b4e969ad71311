import type postgres from "postgres";
import type { Transaction } from "@/server/lib/context";

/**
 * A connection or transaction of postgres.js. The engine's statements are few and run constantly,
 * so they are prepared once a connection, which drizzle's `execute` never does.
 */
export type Sql = postgres.ISql;

/** The postgres.js transaction beneath a drizzle one: the same connection, the same commit. */
export function beneath(tx: Transaction): Sql {
  // `client` is public in drizzle's `PostgresJsSession`, whose type only admits a whole pool.
  return (tx._.session as unknown as { client: postgres.TransactionSql }).client;
}
