import { date, integer, jsonb, pgTable } from "drizzle-orm/pg-core";
import { timestamptz } from "@/server/db/columns";

/** Parts that a check can find down. The check itself needs the database and the engine. */
export type CheckedPart = "chain" | "judge" | "queue";

/** Minutes in which a part was down, and the first and the last of them (ISO 8601). */
export interface Downtime {
  minutes: number;
  from: string;
  to: string;
}

/** What the checks of each minute of a UTC day found. */
export const statusDays = pgTable("status_days", {
  day: date({ mode: "string" }).primaryKey(),
  /** Minutes of the first and the last check. */
  firstAt: timestamptz().notNull(),
  lastAt: timestamptz().notNull(),
  /** Number of minutes that were checked. */
  checks: integer().notNull(),
  down: jsonb().$type<Partial<Record<CheckedPart, Downtime>>>().notNull(),
});
