import { sql } from "drizzle-orm";
import type { Sql } from "./database";

/** For a column that says when something is due. Cut, as times in this process are: never rounded up. */
export const atOnce = sql<Date>`date_trunc('milliseconds', now())`;

/** The one clock that all processes share. */
export async function databaseTime(db: Sql): Promise<Date> {
  const [row] = await db.execute<{ ms: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  );
  if (!row) throw new Error("the database told no time");
  return new Date(row.ms);
}
