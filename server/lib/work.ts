import { type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { eventType } from "inngest";
import { z } from "zod";
import type { Steps } from "./background-function";
import type { Core } from "./context";

/** One call of a sweep. */
export interface SweepCall {
  now: Date;
  /** Whether an event or an operator asked for it: then it does what is recent, too. */
  isAsked: boolean;
  step: Steps;
}

/**
 * A kind of work, declared beside the table that it serves. From its declaration follow the function
 * that does or requeues it, its row in `ops status`, metrics and health, its case of `ops retry`, and
 * what tests of crashes wait for. `D` is what the sweep needs.
 */
export interface Work<D = never> {
  /** Plural name in commands, metrics and health. Known to the Inngest server, so it never changes. */
  name: string;
  /** What can wait, for `ops status`; omitted if nothing of it waits in a table. */
  waiting?: {
    /** One phrase for operators. */
    description: string;
    /** Selects what waits, with `selectWaiting`. */
    select(now: Date): SQL;
    /** What has waited for longer needs the operator's attention. */
    stalledAfterMs: number;
  };
  /**
   * Starts a run for each item that has waited for `afterMs`, and another one whenever that passes again;
   * without `afterMs`, only if an operator asks for it.
   */
  requeue?: { event: string; afterMs?: number };
  /** Does all of it, one call at a time over all processes. */
  sweep?(dependencies: D, call: SweepCall): Promise<unknown>;
  /** How often it is swept or requeued; every minute by default. */
  every?: "minute" | "hour";
  /** How `ops retry` restarts it, if neither by a sweep nor by an event; returns what was done. */
  retry?(core: Pick<Core, "db" | "publish">, id: string | undefined): Promise<string | null>;
  /** The name of the work whose sweep does this one too. */
  doneBy?: string;
}

/** A sweep of `work` is due. */
export const workDue = eventType("work/due", {
  schema: z.object({ work: z.string(), isAsked: z.boolean() }),
});

/** Returns the event that makes `work` swept, or all of it requeued, at once. `cause` makes its id. */
export const askForSweep = (work: string, cause: string) => ({
  id: `${cause}:${workDue.name}:${work}`,
  name: workDue.name,
  data: { work, isAsked: true },
});

/** What of a table waits. */
interface Waiting {
  /** Since when. */
  since: PgColumn | SQL;
  where: SQL | undefined;
  /** Data of the event that starts its run. */
  data?: SQL;
  /** Until when its run is known to be on its way, if it is requeued then only. */
  heldUntil?: SQL;
}

/** Selects rows that wait: `id`, `since`, `data`, `held_until`. Several can be combined by `union all`. */
export const selectWaiting = (
  table: PgTable & { id: PgColumn },
  { since, where, data = sql`null::jsonb`, heldUntil = sql`null::timestamptz` }: Waiting,
): SQL => sql`
  select ${table.id}::text as id, ${since} as since, ${data} as data, ${heldUntil} as held_until
  from ${table} where ${where}`;
