import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Core, Sql } from "@/server/lib/context";
import { MINUTE_MS } from "@/server/lib/time";
import { selectWaiting, type Work } from "@/server/lib/work";
import { CHANNEL } from "./accept-events";
import { IS_OVERDUE, pruneRuns } from "./runs";
import { engineJobs, engineRuns } from "./tables";

/**
 * Runs that failed permanently, and those that no version has taken for minutes because none knows the
 * function or the event. The sweeps do the work of most again.
 */
export const failedRuns: Work = {
  name: "runs",
  waiting: {
    description: "runs of the embedded engine that failed permanently",
    stalledAfterMs: 0,
    select: () => sql`
      ${selectWaiting(engineRuns, { since: engineRuns.finishedAt, where: sql`status = 'failed'` })}
      union all
      select run_id::text, unknown_since, null::jsonb, null::timestamptz from ${engineJobs}
      where state = 'ready' and unknown_since < now() - interval '2 minutes'`,
  },
  async retry({ db }, id) {
    const ids = await retryRuns(db, id);
    if (ids.length === 0) return null;
    await pause(RESTARTED_WITHIN_MS);
    return `${ids.length} restarted at the step that failed: ${await summarizeRuns(db, ids)}`;
  },
};

/** Finished runs, and events that no active run needs. */
export const oldRuns: Work<{ core: Core }> = {
  name: "old-runs",
  every: "hour",
  sweep: ({ core }) => pruneRuns(core.db.sql, core.env.RUN_RETENTION),
};

/** Jobs that are due. The engine looks for them every second. */
export const overdueJobs: Work = {
  name: "jobs",
  waiting: {
    description: "jobs of the engine that are due and not picked up",
    stalledAfterMs: 2 * MINUTE_MS,
    select: () => sql`
      select run_id::text as id, due_at as since, null::jsonb as data, null::timestamptz as held_until
      from ${engineJobs} where ${sql.raw(IS_OVERDUE)}`,
  },
  async retry({ db }, id) {
    const count = await rescheduleOverdueJobs(db, id);
    return count === 0 ? null : `${count} rescheduled to now`;
  },
};

/** Time that restarted runs get to show whether they fail again. */
const RESTARTED_WITHIN_MS = 3_000;

/**
 * Retries the failed runs of the embedded engine, or run `only`, and returns their ids. Results of
 * finished steps are kept; a failed step runs again.
 */
export async function retryRuns(db: Sql, only?: string): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    with retried as (
      update engine_runs set status = 'active', output = null, finished_at = null
      where status = 'failed' and (${only ?? null}::uuid is null or id = ${only ?? null}::uuid)
      returning id, function_id, key, event_id
    ), removed_steps as (
      delete from engine_steps as step using retried
      where step.run_id = retried.id and step.done_at is null and step.wakes_at > now()
    ), added as (
      insert into engine_jobs (run_id, function_id, key, event_name, state, due_at)
      select retried.id, function_id, key, (
        select name from engine_events e where e.id = retried.event_id
      ), 'ready', now() from retried
    )
    select id, pg_notify(${CHANNEL}, '') from retried`);
  return rows.map(({ id }) => id);
}

/** Counts runs by what has become of them, such as `9 completed, 2 failed`. */
export async function summarizeRuns(db: Sql, ids: string[]): Promise<string> {
  const rows = await db.execute<{ state: string; runs: number }>(sql`
    select case
        when status <> 'active' then status
        when exists (
          select from engine_jobs where run_id = r.id and unknown_since is not null
        ) then 'left to a version that knows their function and event'
        else 'not finished yet'
      end as state, count(*)::int as runs
    from engine_runs r where id in (select value::uuid from json_array_elements_text(${JSON.stringify(ids)}::text::json))
    group by state order by state`);
  return rows.map(({ state, runs }) => `${runs} ${state}`).join(", ");
}

/**
 * Announces overdue jobs again that no worker has picked up, or only that of run `only`, as due from
 * now on. Returns their number.
 */
async function rescheduleOverdueJobs(db: Sql, only?: string): Promise<number> {
  const rows = await db.execute(sql`
    with rescheduled as (
      update engine_jobs set due_at = now()
      where ${sql.raw(IS_OVERDUE)} and (${only ?? null}::uuid is null or run_id = ${only ?? null}::uuid)
      returning run_id
    )
    select pg_notify(${CHANNEL}, '') from rescheduled`);
  return rows.length;
}
