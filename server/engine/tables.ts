import { sql } from "drizzle-orm";
import { bigint, index, integer, json, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, id, timestamptz } from "@/server/db/columns";

// Payloads are `json`, not `jsonb`: a step's result is returned byte for byte, including key order
// and escaped NUL, however often it is read.

/** Accepted events; the primary key drops a second event with the same id. */
export const engineEvents = pgTable(
  "engine_events",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    data: json().$type<Record<string, unknown>>().notNull(),
    /** Unix milliseconds, as in the protocol. */
    ts: bigint({ mode: "number" }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("engine_events_age").on(t.createdAt)],
);

/** One run of one function. */
export const engineRuns = pgTable(
  "engine_runs",
  {
    id: id(),
    functionId: text().notNull(),
    status: text().$type<"active" | "completed" | "failed">().notNull(),
    /** The event that started it. */
    eventId: text().notNull(),
    /** Concurrency key of its calls; null if concurrency is not limited. */
    slot: text(),
    /** Protocol version of the SDK's responses; null before the first one. */
    version: integer(),
    /** Return value of the function, or the error that ended the run. */
    output: json(),
    createdAt: createdAt(),
    finishedAt: timestamptz(),
  },
  (t) => [
    index("engine_runs_status").on(t.status, t.finishedAt).where(sql`status <> 'completed'`),
    index("engine_runs_age").on(t.finishedAt),
  ],
);

/** Steps of a run: sleeping while `doneAt` is null, then finished. */
export const engineSteps = pgTable(
  "engine_steps",
  {
    runId: uuid()
      .notNull()
      .references(() => engineRuns.id, { onDelete: "cascade" }),
    /** The SDK's hash of the step's id. */
    id: text().notNull(),
    name: text(),
    /** Order of completion. */
    ordinal: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    /** `{ data }`, `{ error }`, or null for a sleep. */
    output: json(),
    doneAt: timestamptz(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.id] })],
);

/**
 * Calls of functions with limited concurrency: those that hold a slot, and those queued for one.
 */
export const engineSlots = pgTable(
  "engine_slots",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    name: text().notNull(),
    /** Slots of one name alternate between shares; empty if the key has none. */
    share: text().notNull().default(""),
    /** Job that holds the slot; null while queued. */
    jobId: bigint({ mode: "number" }).unique(),
    /** The call, if it is queued. */
    call: json(),
  },
  (t) => [
    index("engine_slots_name").on(t.name, t.jobId, t.id),
    index("engine_slots_queued").on(t.name, t.share, t.id).where(sql`job_id is null`),
  ],
);
