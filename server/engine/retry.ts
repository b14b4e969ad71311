import { sql } from "drizzle-orm";
import type { Sql } from "@/server/lib/context";
import { APP_ID } from "@/server/lib/inngest";
import { NEVER_GIVE_UP } from "./jobs";
import { TASKS } from "./tasks";

/** Runs that failed for good, as rows of id and time. */
export const failedRuns = sql`
  select id::text as id, finished_at as since from engine_runs where status = 'failed'`;

/** Jobs that are due and that nobody has taken up, as rows of id and time. */
export const overdueJobs = sql`
  select id::text as id, run_at as since from graphile_worker._private_jobs
  where locked_at is null and run_at <= now()`;

/** Which failed runs: all, unless something narrows them. */
export interface Failed {
  /** The run's own id. */
  id?: string | undefined;
  /** A function's id, below the application's. */
  of?: string;
  /** Begun then or later. */
  since?: Date;
}

/**
 * Has failed runs of the embedded engine done again: what their steps answered stays, a step that
 * failed is tried anew. Answers how many.
 */
export async function retryRuns(db: Sql, { id, of, since }: Failed = {}): Promise<number> {
  const chosen = [
    sql`status = 'failed'`,
    ...(id ? [sql`id = ${id}::uuid`] : []),
    ...(of ? [sql`function_id = ${`${APP_ID}-${of}`}`] : []),
    ...(since ? [sql`created_at >= ${since.toISOString()}::timestamptz`] : []),
  ];
  const rows = await db.execute(sql`
    with again as (
      update engine_runs set status = 'active', output = null, finished_at = null
      where ${sql.join(chosen, sql` and `)}
      returning id
    ), forgotten as (
      delete from engine_steps as step using again
      where step.run_id = again.id and (
        step.done_at is null
        or (json_typeof(step.output) = 'object' and step.output->'error' is not null))
    )
    select (graphile_worker.add_job(
      ${TASKS.call}::text, json_build_object('run', id, 'step', null, 'attempt', 0),
      max_attempts := ${NEVER_GIVE_UP}::integer
    )).id from again`);
  return rows.length;
}

/** Makes jobs due now that wait for a later try, or `only` one; what is under way is left. How many. */
export async function hastenJobs(db: Sql, only?: string): Promise<number> {
  const rows = await db.execute(sql`
    select (graphile_worker.reschedule_jobs(
      array(
        select id from graphile_worker._private_jobs
        where locked_at is null and run_at <= now()
          and (${only ?? null}::bigint is null or id = ${only ?? null}::bigint)
      ),
      run_at := now()
    )).id`);
  return rows.length;
}
