import type { EngineEvent } from "./accept-events";
import type { Sql } from "./connection";
import { addJob, createCallPayload, TASKS } from "./jobs";

/** A run with everything that a call of its function receives. */
export interface RunState {
  id: string;
  functionId: string;
  status: "active" | "completed" | "failed";
  version: number | null;
  slot: string | null;
  /** The event that started it; null if it was pruned and the failed run is retried after that. */
  event: EngineEvent | null;
  /** Finished steps in order of completion. */
  steps: { id: string; output: unknown }[];
}

/** Loads runs, each null if it does not exist. One query, so that each is consistent. */
export async function loadRuns(db: Sql, ids: string[]): Promise<(RunState | null)[]> {
  const runs = await db<RunState[]>`
    select r.id, r.function_id as "functionId", r.status, r.version, r.slot,
      (
        select json_build_object('id', e.id, 'name', e.name, 'data', e.data, 'ts', e.ts)
        from engine_events e where e.id = r.event_id
      ) as event,
      coalesce((
        select json_agg(json_build_object('id', s.id, 'output', s.output) order by s.ordinal)
        from engine_steps s where s.run_id = r.id and s.done_at is not null
      ), '[]') as steps
    from engine_runs r where r.id = any(${ids}::text[]::uuid[])`;
  const byId = new Map(runs.map((run) => [run.id, run]));
  return ids.map((id) => byId.get(id) ?? null);
}

/** Locks a run for a change of its state. Returns false if the run is over. */
export async function lockRun(tx: Sql, run: string): Promise<boolean> {
  const rows = await tx`
    select 1 from engine_runs where id = ${run}::uuid and status = 'active' for update`;
  return rows.length === 1;
}

/** Schedules the next call of the run's function. */
export const scheduleNext = (tx: Sql, run: string): Promise<string> =>
  addJob(tx, TASKS.call, createCallPayload({ run, attempt: 0 }));

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

/** Counts jobs and failed runs, over all processes. */
export async function readEngineStatus(db: Sql): Promise<EngineStatus> {
  const [row] = await db<EngineStatus[]>`
    select count(*) filter (where locked_at is null and run_at <= now())::int as pending,
      count(*) filter (where locked_at is not null)::int as running,
      (select count(*)::int from engine_runs where status = 'failed') as failed,
      extract(epoch from now() - min(run_at) filter (where locked_at is null and run_at <= now()))
        ::float8 as "oldestPendingSeconds"
    from graphile_worker._private_jobs`;
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
export async function listFailedRuns(db: Sql, limit: number): Promise<FailedRun[]> {
  const rows = await db<FailedRun[]>`
    select r.id, r.function_id as "functionId", e.name as event, r.output as error,
      r.created_at as "startedAt", r.finished_at as "finishedAt"
    from engine_runs r left join engine_events e on e.id = r.event_id
    where r.status = 'failed' order by r.finished_at desc limit ${limit}::integer`;
  return [...rows];
}

/** Deletes runs finished, and events accepted, more than `days` ago that no active run needs. */
export async function pruneRuns(db: Sql, days: number): Promise<void> {
  await db`delete from engine_runs where finished_at < now() - ${days}::float8 * interval '1 day'`;
  await db`
    delete from engine_events
    where created_at < now() - ${days}::float8 * interval '1 day'
      and id not in (select event_id from engine_runs where status = 'active')`;
}
