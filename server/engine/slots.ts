import type postgres from "postgres";
import type { Sql } from "./connection";
import { type HeldJob, MAX_ATTEMPTS, TASKS } from "./jobs";
import { loadRuns, type RunState } from "./runs";

/** A concurrency key and its limit on running calls. */
export interface ConcurrencyKey {
  name: string;
  limit: number;
}

/** A job that starts a call of a run, and the key that limits its calls. */
export interface SlotRequest {
  job: HeldJob;
  runId: string;
  key: ConcurrencyKey;
}

/** The run, null if it does not exist, and whether its call has a slot. */
export interface SlotResponse {
  run: RunState | null;
  hasSlot: boolean;
}

/**
 * Takes slots for jobs that start, in order. If none is free, the job ends and its call is queued
 * until another call's end makes it a job again: a waiting call keeps no worker busy. Also loads the
 * runs.
 */
export async function acquireSlots(
  sql: postgres.Sql,
  requests: SlotRequest[],
): Promise<SlotResponse[]> {
  const keys = requests.map(({ key }) => key);
  const jobs = requests.map(({ job }) => job);
  const [, running, runs] = await sql.begin((tx) =>
    Promise.all([
      lockKeys(tx, keys),
      tx<{ job: string }[]>`
        with request as (
          select * from unnest(
            ${jobs.map(({ id }) => id)}::text[]::bigint[],
            ${jobs.map(({ attempts }) => String(attempts))}::text[]::integer[],
            ${jobs.map(({ pool }) => pool)}::text[],
            ${jobs.map(({ payload }) => JSON.stringify(payload))}::text[]::json[],
            ${keys.map(({ name }) => name)}::text[],
            ${keys.map(({ limit }) => String(limit))}::text[]::bigint[]
          ) with ordinality as r(job, attempts, pool, call, name, max_running, position)
        ), held as (
          -- Passed on by the previous job, or taken before a crash.
          select r.job from request r join engine_slots s on s.job_id = r.job
        ), ranked as (
          select r.*, row_number() over (partition by r.name order by r.position) <= r.max_running - (
            select count(s.job_id) from engine_slots s where s.name = r.name
          ) as is_free
          from request r where r.job not in (select job from held)
        ), taken as (
          insert into engine_slots (name, job_id)
          select name, job from ranked where is_free returning job_id as job
        ), ended as (
          delete from graphile_worker._private_jobs j using ranked r
          where not r.is_free and j.id = r.job and j.attempts = r.attempts and j.locked_by = r.pool
          returning r.name, r.call, r.position
        ), queued as (
          insert into engine_slots (name, call) select name, call from ended order by position
        )
        select job::text from held union all select job::text from taken`,
      loadRuns(
        tx,
        requests.map(({ runId }) => runId),
      ),
    ]),
  );
  const ids = new Set(running.map(({ job }) => job));
  return jobs.map(({ id }, index) => ({ run: runs[index] ?? null, hasSlot: ids.has(String(id)) }));
}

/** Gives the slot of a job that is retried later to the first call in the queue. */
export async function releaseSlot(tx: Sql, key: ConcurrencyKey, job: HeldJob): Promise<void> {
  await lockKeys(tx, [key]);
  await tx`delete from engine_slots where job_id = ${job.id}::text::bigint`;
  await startQueuedCalls(tx, [key]);
}

/** Makes the first queued calls of each key jobs that hold the key's free slots. */
export async function startQueuedCalls(tx: Sql, keys: ConcurrencyKey[]): Promise<void> {
  const limits = new Map(keys.map(({ name, limit }) => [name, limit]));
  await tx`
    with key as (
      select k.name, k.max_running - (
        select count(s.job_id) from engine_slots s where s.name = k.name
      ) as free
      from unnest(
        ${[...limits.keys()]}::text[], ${[...limits.values()].map(String)}::text[]::bigint[]
      ) as k(name, max_running)
    ), started as materialized (
      select next.id, (
        select id from graphile_worker.add_job(
          ${TASKS.call}::text, next.call, max_attempts := ${MAX_ATTEMPTS}::integer
        )
      ) as job
      from key, lateral (
        select s.id, s.call from engine_slots s
        where s.name = key.name and s.job_id is null
        order by s.id limit greatest(key.free, 0)
      ) next
    )
    update engine_slots s set job_id = started.job, call = null
    from started where s.id = started.id`;
}

/**
 * Gives the slot that a job holds, if any, to the first call in the queue. Works without knowing the
 * limit: the number of held slots does not change.
 */
export async function transferSlot(tx: Sql, job: HeldJob): Promise<void> {
  const [slot] = await tx<{ name: string }[]>`
    select name from engine_slots where job_id = ${job.id}::text::bigint`;
  if (!slot) return;
  await lockKeys(tx, [slot]);
  const [row] = await tx<{ held: number }[]>`
    select count(job_id)::int as held from engine_slots where name = ${slot.name}`;
  await releaseSlot(tx, { name: slot.name, limit: row?.held ?? 1 }, job);
}

/**
 * Locks concurrency keys until the transaction ends, in one order in every process. A statement of
 * its own: the next one then sees what the previous holder committed.
 */
export async function lockKeys(tx: Sql, keys: Pick<ConcurrencyKey, "name">[]): Promise<void> {
  const names = [...new Set(keys.map(({ name }) => name))].sort();
  await tx`
    select pg_advisory_xact_lock(hashtextextended('slot:' || name, 0))
    from unnest(${names}::text[]) as key(name)`;
}
