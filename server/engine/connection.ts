import type postgres from "postgres";
import type { Transaction } from "@/server/lib/context";

/**
 * A connection or transaction of postgres.js. The engine's few statements run constantly, so they
 * are prepared once per connection, which drizzle's `execute` never does.
 */
export type Sql = postgres.ISql;

/** Returns the postgres.js transaction beneath a drizzle one: same connection, same commit. */
export function beneath(tx: Transaction): Sql {
  // `client` is public in drizzle's `PostgresJsSession`, but the declared type admits only a pool.
  return (tx._.session as unknown as { client: postgres.TransactionSql }).client;
}
