import { pgTable, text, timestamp } from "drizzle-orm/pg-core";

/**
 * The exact sliding window of `sliding-window.ts`: the times of the requests allowed within the last
 * minute, one row per bucket. Its row lock makes the window exact across all processes. The table is
 * unlogged (`db/functions/storage.sql`).
 */
export const rateLimitWindows = pgTable("rate_limit_windows", {
  bucket: text().primaryKey(),
  hits: timestamp({ withTimezone: true, precision: 6 }).array().notNull(),
});
