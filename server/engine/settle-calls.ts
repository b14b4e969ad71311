import type postgres from "postgres";
import type { Sql } from "./connection";
import { type Call, createCallPayload, type Due, type HeldJob, MAX_ATTEMPTS, TASKS } from "./jobs";
import type { Effect } from "./protocol";
import type { RunState } from "./runs";
import { type ConcurrencyKey, lockKeys, startQueuedCalls } from "./slots";

/** The result of a call. */
export interface CallResult {
  job: HeldJob;
  call: Call;
  run: RunState;
  concurrencyKey: ConcurrencyKey | null;
  effects: Effect[];
  /** Protocol version of the SDK's response; null if there was none. */
  version: number | null;
}

/** What a run does after a call: it ends, or a job continues it. */
interface Continuation {
  status: RunState["status"];
  /** Return value or error of a run that ends. */
  output?: unknown;
  task?: string;
  payload?: Record<string, unknown>;
  due?: Due;
  /** The sleep that the job ends. One that has started before adds no job. */
  sleep?: { step: string; name: string | null };
}

/**
 * Stores the results of calls and ends their jobs in one transaction: a crash before it repeats the
 * calls, a crash after it repeats nothing.
 *
 * @returns for each call, false if another process has taken its job over; nothing of it is written
 *   then.
 */
export async function settleCalls(sql: postgres.Sql, results: CallResult[]): Promise<boolean[]> {
  const keys = results.flatMap(({ concurrencyKey }) => concurrencyKey ?? []);
  if (keys.length === 0) return writeResults(sql, results);
  const [, stored] = await sql.begin((tx) =>
    Promise.all([lockKeys(tx, keys), writeResults(tx, results), startQueuedCalls(tx, keys)]),
  );
  return stored;
}

async function writeResults(tx: Sql, results: CallResult[]): Promise<boolean[]> {
  const next = results.map(getContinuation);
  const steps = results.flatMap(({ effects }, index) => toSteps(effects, index));
  const stored = await tx<{ n: number }[]>`
    with result as (
      select * from unnest(
        ${results.map((_, index) => String(index))}::text[]::integer[],
        ${results.map(({ job }) => job.id)}::text[]::bigint[],
        ${results.map(({ job }) => String(job.attempts))}::text[]::integer[],
        ${results.map(({ job }) => job.pool)}::text[],
        ${results.map(({ run }) => run.id)}::text[]::uuid[],
        ${results.map(({ version }) => version && String(version))}::text[]::integer[],
        ${next.map(({ status }) => status)}::text[],
        ${next.map(({ output }) => toJson(output))}::text[]::json[],
        ${next.map(({ task }) => task ?? null)}::text[],
        ${next.map(({ payload }) => toJson(payload))}::text[]::json[],
        ${next.map(({ due }) => (due && "at" in due ? due.at.toISOString() : null))}::text[]::timestamptz[],
        ${next.map(({ due }) => String(due && "inMs" in due ? due.inMs : 0))}::text[]::float8[],
        ${next.map(({ sleep }) => sleep?.step ?? null)}::text[],
        ${next.map(({ sleep }) => sleep?.name ?? null)}::text[]
      ) as r(n, job, attempts, pool, run, version, status, output, task, payload, due_at, due_in_ms,
        sleep, sleep_name)
    ), ended as (
      delete from graphile_worker._private_jobs j using result r
      where j.id = r.job and j.attempts = r.attempts and j.locked_by = r.pool
      returning r.*
    ), released as (
      delete from engine_slots s using ended where s.job_id = ended.job
    ), accepted as (
      update engine_runs e
      set version = coalesce(e.version, r.version), status = r.status, output = r.output,
        finished_at = case when r.status <> 'active' then now() end
      from ended r where e.id = r.run and e.status = 'active'
      returning r.*
    ), saved as (${buildStepInsert(tx, steps)}
    ), slept as (
      insert into engine_steps (run_id, id, name)
      select run, sleep, sleep_name from accepted where sleep is not null
      on conflict do nothing returning run_id, id
    ), continued as (
      select graphile_worker.add_jobs(array_agg(row(
        task, payload, null, coalesce(due_at, now()) + due_in_ms * interval '1 millisecond',
        ${MAX_ATTEMPTS}::integer, null, null, null
      )::graphile_worker.job_spec)) from accepted
      where task is not null
        and (sleep is null or (run, sleep) in (select run_id, id from slept))
      having count(*) > 0
    )
    select n, (select count(*) from continued) from ended`;
  const indexes = new Set(stored.map(({ n }) => n));
  return results.map((_, index) => indexes.has(index));
}

/** A finished step of the `n`th item of a batch. */
interface StepRow {
  n: number;
  step: string;
  name: string | null;
  output: unknown;
}

/** Returns the finished steps among the effects of the `n`th item of a batch. */
export const toSteps = (effects: Effect[], n: number): StepRow[] =>
  effects.flatMap((effect) => (effect.kind === "step-done" ? { n, ...effect } : []));

/**
 * Builds the statement that stores finished steps, in order, of the items that the statement's
 * `accepted(n, run)` contains. The first result of a step is final: a second one changes nothing.
 */
export const buildStepInsert = (tx: Sql, steps: StepRow[]) => tx`
  insert into engine_steps as s (run_id, id, name, output, done_at)
  select accepted.run, step.id, step.name, step.output, now()
  from unnest(
    ${steps.map(({ n }) => String(n))}::text[]::integer[],
    ${steps.map(({ step }) => step)}::text[],
    ${steps.map(({ name }) => name)}::text[],
    ${steps.map(({ output }) => JSON.stringify(output))}::text[]::json[]
  ) with ordinality as step(n, id, name, output, position)
  join accepted on accepted.n = step.n
  order by step.position
  on conflict (run_id, id) do update
    set output = excluded.output, done_at = excluded.done_at, ordinal = default
    where s.done_at is null`;

/** A response ends with what the run does next; finished steps alone mean another call. */
function getContinuation({ effects, call, run }: CallResult): Continuation {
  const last = effects.findLast(({ kind }) => kind !== "step-done");
  switch (last?.kind) {
    case "completed":
      return { status: "completed", output: last.output ?? null };
    case "failed":
      return { status: "failed", output: serializeError(last.error) };
    case "retry": {
      const payload = createCallPayload({ ...call, attempt: call.attempt + 1 });
      return { status: "active", task: TASKS.call, payload, due: last.due };
    }
    case "sleep": {
      const { step, name, due } = last;
      const payload = { run: run.id, step, kind: "sleep" };
      return { status: "active", task: TASKS.wake, payload, due, sleep: { step, name } };
    }
    default: {
      const payload = createCallPayload({ ...call, attempt: 0 });
      return { status: "active", task: TASKS.call, payload };
    }
  }
}

const toJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value));

/** Converts a thrown value to an object with a name and a message. */
function serializeError(error: unknown): Record<string, unknown> {
  if (typeof error === "object" && error !== null && "message" in error) {
    return { name: "Error", ...error };
  }
  return { name: "Error", message: typeof error === "string" ? error : JSON.stringify(error) };
}
