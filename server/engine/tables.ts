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

/** One run of one function. While it is active, it has a job. */
export const engineRuns = pgTable(
  "engine_runs",
  {
    id: id(),
    functionId: text().notNull(),
    status: text().$type<"active" | "completed" | "failed">().notNull(),
    /** The event that started it. */
    eventId: text().notNull(),
    /** The event's value of the function's concurrency field, as JSON; empty if it has no field. */
    key: text().notNull().default(""),
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

/** Steps of a run: finished, or asleep. */
export const engineSteps = pgTable(
  "engine_steps",
  {
    runId: uuid()
      .notNull()
      .references(() => engineRuns.id, { onDelete: "cascade" }),
    id: text().notNull(),
    /** Order of completion. */
    ordinal: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    /** `{ data }`, or null for a sleep. */
    output: json(),
    doneAt: timestamptz(),
    /** End of a sleep, which is finished from then on; null if the step is another one. */
    wakesAt: timestamptz(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.id] })],
);

/** The next or current call of each active run; see the diagram in `worker.ts`. */
export const engineJobs = pgTable(
  "engine_jobs",
  {
    runId: uuid()
      .primaryKey()
      .references(() => engineRuns.id, { onDelete: "cascade" }),
    /** The run's function, concurrency key and name of its event. */
    functionId: text().notNull(),
    key: text().notNull().default(""),
    /** Null if the event was pruned. */
    eventName: text(),
    state: text().$type<"sleeping" | "ready" | "running">().notNull(),
    dueAt: timestamptz().notNull(),
    /** Failed attempts of the current step. */
    attempt: integer().notNull().default(0),
    /** Number of times that a process took it. */
    pickups: integer().notNull().default(0),
    /** The process that runs it, by the name of the advisory lock that it holds. */
    worker: text(),
    /** Since when it has been due and no version took it that knows its function and event. */
    unknownSince: timestamptz(),
  },
  (t) => [
    index("engine_jobs_ready")
      .on(t.functionId, t.key, t.dueAt, t.runId)
      .where(sql`state = 'ready'`),
    index("engine_jobs_sleeping").on(t.dueAt).where(sql`state = 'sleeping'`),
    index("engine_jobs_running").on(t.functionId, t.key).where(sql`state = 'running'`),
  ],
);

/** The latest minute at which each cron fired. */
export const engineCrons = pgTable("engine_crons", {
  id: text().primaryKey(),
  lastTick: timestamptz().notNull(),
});
