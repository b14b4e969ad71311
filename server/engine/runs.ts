import type postgres from "postgres";

/** State of the engine, for the health check. */
export interface EngineStatus {
  /** Jobs that are due and not picked up yet. */
  pending: number;
  /** Running calls, over all processes. */
  running: number;
  /** Permanently failed runs that are still stored. */
  failed: number;
  /** Seconds since the oldest pending job fell due; null if there is none. */
  oldestPendingSeconds: number | null;
}

/**
 * Jobs that are due and that no worker takes, as a condition in SQL. While calls of its function run,
 * a job may only wait for a permit.
 */
export const IS_OVERDUE = `state = 'ready' and function_id not in (
  select function_id from engine_jobs where state = 'running')`;

/** Counts jobs and failed runs, over all processes. */
export async function readEngineStatus(db: postgres.ISql): Promise<EngineStatus> {
  const [row] = await db<EngineStatus[]>`
    with overdue as (select due_at from engine_jobs where ${db.unsafe(IS_OVERDUE)})
    select count(*)::int as pending,
      (select count(*)::int from engine_jobs where state = 'running') as running,
      (select count(*)::int from engine_runs where status = 'failed') as failed,
      extract(epoch from now() - min(due_at))::float8 as "oldestPendingSeconds"
    from overdue`;
  return row ?? { pending: 0, running: 0, failed: 0, oldestPendingSeconds: null };
}

/** A permanently failed run, for operators. */
export interface FailedRun {
  id: string;
  functionId: string;
  event: string | null;
  error: unknown;
  startedAt: string;
  finishedAt: string;
}

/** Returns permanently failed runs, most recent first. */
export async function listFailedRuns(db: postgres.ISql, limit: number): Promise<FailedRun[]> {
  const rows = await db<FailedRun[]>`
    select r.id, r.function_id as "functionId", e.name as event, r.output as error,
      r.created_at as "startedAt", r.finished_at as "finishedAt"
    from engine_runs r left join engine_events e on e.id = r.event_id
    where r.status = 'failed' order by r.finished_at desc limit ${limit}::integer`;
  return [...rows];
}

/** Deletes runs finished, and events accepted, more than `days` ago that no active run needs. */
export async function pruneRuns(db: postgres.ISql, days: number): Promise<void> {
  await db`delete from engine_runs where finished_at < now() - ${days}::float8 * interval '1 day'`;
  await db`
    delete from engine_events
    where created_at < now() - ${days}::float8 * interval '1 day'
      and id not in (select event_id from engine_runs where status = 'active')`;
}
