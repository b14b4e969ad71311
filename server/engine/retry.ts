import { sql } from "drizzle-orm";
import type { Sql } from "@/server/lib/context";
import { MAX_ATTEMPTS, TASKS } from "./jobs";

/**
 * Selects permanently failed runs, and those that no version has taken for minutes because none knows
 * the function or the event, as rows of id and time.
 */
export const selectFailedRuns = sql`
  select id::text as id, finished_at as since from engine_runs where status = 'failed'
  union all
  select payload->>'run', (payload->>'unknownSince')::timestamptz
  from graphile_worker._private_jobs
  where (payload->>'unknownSince')::timestamptz < now() - interval '2 minutes'
    and payload->>'run' is not null and locked_at is null`;

/** Selects jobs that are due but not picked up, as rows of id and time. */
export const selectOverdueJobs = sql`
  select id::text as id, run_at as since from graphile_worker._private_jobs
  where locked_at is null and run_at <= now()`;

/**
 * Retries the failed runs of the embedded engine, or run `only`, and returns their ids. Results of
 * finished steps are kept; a failed step runs again.
 */
export async function retryRuns(db: Sql, only?: string): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    with retried as (
      update engine_runs set status = 'active', output = null, finished_at = null
      where status = 'failed' and (${only ?? null}::uuid is null or id = ${only ?? null}::uuid)
      returning id
    ), removed_steps as (
      delete from engine_steps as step using retried
      where step.run_id = retried.id and (
        step.done_at is null
        or (json_typeof(step.output) = 'object' and step.output->'error' is not null))
    )
    select id, (graphile_worker.add_job(
      ${TASKS.call}::text, json_build_object('run', id, 'step', null, 'attempt', 0),
      max_attempts := ${MAX_ATTEMPTS}::integer
    )).id as job from retried`);
  return rows.map(({ id }) => id);
}

/** Counts runs by what has become of them, such as `9 completed, 2 failed`. */
export async function summarizeRuns(db: Sql, ids: string[]): Promise<string> {
  const rows = await db.execute<{ state: string; runs: number }>(sql`
    select case
        when status <> 'active' then status
        when exists (
          select from graphile_worker._private_jobs
          where payload->>'run' = r.id::text and payload->>'unknownSince' is not null
        ) then 'left to a version that knows their function and event'
        else 'not finished yet'
      end as state, count(*)::int as runs
    from engine_runs r where id in (select value::uuid from json_array_elements_text(${JSON.stringify(ids)}::text::json))
    group by state order by state`);
  return rows.map(({ state, runs }) => `${runs} ${state}`).join(", ");
}

/**
 * Reschedules overdue jobs that no worker has picked up, or only job `only`, to now. Returns their
 * number.
 */
export async function rescheduleOverdueJobs(db: Sql, only?: string): Promise<number> {
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
