import type postgres from "postgres";
import type { Transaction } from "@/server/lib/context";

/**
 * Takes the advisory lock `name` in all processes that share the database, until `tx` ends.
 * Processes of different versions share it, so a name never changes.
 */
export function acquireAdvisoryLock(
  { sql }: Transaction,
  name: string,
  mode: "shared" | "exclusive" = "exclusive",
): postgres.PendingQuery<postgres.Row[]> {
  return mode === "exclusive"
    ? sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`
    : sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`;
}
