import type postgres from "postgres";
import type { Database, Transaction } from "@/server/lib/context";

/**
 * Returns the postgres.js transaction underlying a drizzle one: same connection, same commit. Its
 * statements are not built again for each use; those of drizzle are, though they are prepared too.
 */
export function underlyingConnection(tx: Transaction): postgres.TransactionSql {
  // `client` is public in drizzle's `PostgresJsSession`, but the declared type admits only a pool.
  return (tx._.session as unknown as { client: postgres.TransactionSql }).client;
}

/** Returns the pool below drizzle. */
export const underlyingPool = (db: Database): postgres.Sql =>
  (db as Database & { $client: postgres.Sql }).$client;
