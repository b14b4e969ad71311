import type postgres from "postgres";
import type { Sql } from "./connection";
import { type HeldJob, MAX_ATTEMPTS, TASKS } from "./jobs";
import { loadRuns, type RunState } from "./runs";

/**
 * A concurrency key and its limit on running calls, of which `share` may have `perShare`. Free slots
 * alternate between shares, so that many calls of one share delay no other.
 */
export interface ConcurrencyKey {
  name: string;
  limit: number;
  share: string;
  perShare: number;
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
            ${keys.map(({ limit }) => String(limit))}::text[]::bigint[],
            ${keys.map(({ share }) => share)}::text[],
            ${keys.map(({ perShare }) => String(perShare))}::text[]::bigint[]
          ) with ordinality as r(
            job, attempts, pool, call, name, max_running, share, max_share, position
          )
        ), held as (
          -- Passed on by the previous job, or taken before a crash.
          select r.job from request r join engine_slots s on s.job_id = r.job
        ), shared as (
          select r.*, row_number() over (
            partition by r.name, r.share order by r.position
          ) <= r.max_share - (
            select count(*) from engine_slots s
            where s.name = r.name and s.share = r.share and s.job_id is not null
          ) as fits
          from request r where r.job not in (select job from held)
        ), ranked as (
          select r.*, fits and count(*) filter (where fits) over (
            partition by r.name order by r.position
          ) <= r.max_running - (
            select count(*) from engine_slots s where s.name = r.name and s.job_id is not null
          ) as is_free
          from shared r
        ), taken as (
          insert into engine_slots (name, share, job_id)
          select name, share, job from ranked where is_free returning job_id as job
        ), ended as (
          delete from graphile_worker._private_jobs j using ranked r
          where not r.is_free and j.id = r.job and j.attempts = r.attempts and j.locked_by = r.pool
          returning r.name, r.share, r.call, r.position
        ), queued as (
          insert into engine_slots (name, share, call)
          select name, share, call from ended order by position
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

/**
 * Makes queued calls of each key jobs that hold the key's free slots: first the calls of shares with
 * the fewest running ones, in random order between equal shares, since the oldest call would always
 * be one of a share that queues many.
 */
export async function startQueuedCalls(
  tx: Sql,
  keys: Pick<ConcurrencyKey, "name" | "limit" | "perShare">[],
): Promise<void> {
  const limits = [...new Map(keys.map((key) => [key.name, key])).values()];
  await tx`
    with recursive key as (
      select k.*, k.max_running - (
        select count(*) from engine_slots s where s.name = k.name and s.job_id is not null
      ) as free
      from unnest(
        ${limits.map(({ name }) => name)}::text[],
        ${limits.map(({ limit }) => String(limit))}::text[]::bigint[],
        ${limits.map(({ perShare }) => String(perShare))}::text[]::bigint[]
      ) as k(name, max_running, max_share)
    ), share as (
      -- One probe of the index per share, however many calls are queued.
      select key.*, (
        select min(s.share) from engine_slots s where s.name = key.name and s.job_id is null
      ) as share from key where key.free > 0
      union all
      select name, max_running, max_share, free, (
        select min(s.share) from engine_slots s
        where s.name = share.name and s.job_id is null and s.share > share.share
      ) from share where share is not null
    ), queued as (
      select share.name, share.free, next.id, next.call, running.n + next.position as turn, rank
      from share, lateral (
        select count(*) as n, random() as rank from engine_slots s
        where s.name = share.name and s.share = share.share and s.job_id is not null
      ) running, lateral (
        select s.id, s.call, row_number() over (order by s.id) as position from engine_slots s
        where s.name = share.name and s.share = share.share and s.job_id is null
        order by s.id limit greatest(least(share.free, share.max_share - running.n), 0)
      ) next
    ), ranked as (
      select queued.*, row_number() over (partition by name order by turn, rank, id) as place
      from queued
    ), started as materialized (
      select ranked.id, (
        select id from graphile_worker.add_job(
          ${TASKS.call}::text, ranked.call, max_attempts := ${MAX_ATTEMPTS}::integer
        )
      ) as job
      from ranked where place <= free order by place
    )
    update engine_slots s set job_id = started.job, call = null
    from started where s.id = started.id`;
}

/**
 * Gives the slot that a job holds, if any, to the first call in the queue. Works without knowing the
 * limit: the number of held slots does not change.
 */
export async function transferSlot(tx: Sql, job: HeldJob): Promise<void> {
  const [slot] = await tx<{ name: string; share: string }[]>`
    select name, share from engine_slots where job_id = ${job.id}::text::bigint`;
  if (!slot) return;
  await lockKeys(tx, [slot]);
  const [row] = await tx<{ held: number }[]>`
    select count(job_id)::int as held from engine_slots where name = ${slot.name}`;
  await releaseSlot(tx, { ...slot, limit: row?.held ?? 1, perShare: Number.MAX_SAFE_INTEGER }, job);
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
