import type postgres from "postgres";
import { array, columns } from "@/server/db/arrays";
import { CHANNEL } from "./accept-events";
import type { CallResult, Due, Effect, Pickup, TakenJob } from "./calls";
import { setUpSession } from "./connection";
import type { RegisteredFunction } from "./function-table";

/**
 * Makes other processes wait until the transaction ends, so that only one at a time counts calls
 * against the limits. A statement of its own: the next one then sees what the previous holder stored.
 */
export const lockPickups = (tx: postgres.ISql) =>
  tx`select ${setUpSession(tx)}, pg_advisory_xact_lock(hashtextextended('standing-engine', 0))`;

/**
 * Makes sleeping jobs that are due ready. Returns the milliseconds until the next one is due; null if
 * there is none.
 */
export const wakeJobs = (tx: postgres.ISql) =>
  tx<{ ms: number | null }[]>`
    with woken as (
      update engine_jobs set state = 'ready' where state = 'sleeping' and due_at <= now()
    )
    select (extract(epoch from min(due_at) - now()) * 1000)::float8 as ms
    from engine_jobs where state = 'sleeping' and due_at > now()`;

/**
 * Takes up to `limit` ready jobs of these functions, within their concurrency limits. Functions take
 * turns, and so do the keys of one function: first come those with the fewest running calls, in
 * random order between equal ones, because the oldest call would always be one of a key that queues
 * many. Jobs of functions and events that this version does not know are left to another.
 */
export const takeJobs = (
  tx: postgres.ISql,
  { functions, worker, limit }: { functions: RegisteredFunction[]; worker: string; limit: number },
) => tx<TakenJob[]>`
  with recursive fn as materialized (
    select f.*, f."limit" - (
      select count(*) from engine_jobs j where j.state = 'running' and j.function_id = f.id
    ) as permits
    from jsonb_to_recordset(${JSON.stringify(functions)}::text::jsonb)
      as f(id text, "limit" bigint, "perValue" bigint, events jsonb)
  ), queue as (
    -- One probe of the index per key, however many jobs are ready.
    select fn.id, (
      select min(j.key) from engine_jobs j where j.state = 'ready' and j.function_id = fn.id
    ) as key
    from fn where permits is null or permits > 0
    union all
    select queue.id, (
      select min(j.key) from engine_jobs j
      where j.state = 'ready' and j.function_id = queue.id and j.key > queue.key
    ) from queue where queue.key is not null
  ), next as (
    select fn.id as fn, fn.permits, j.run_id, j.due_at, running.n + j.position as turn, running.rank
    from queue join fn on fn.id = queue.id, lateral (
      select count(*) as n, random() as rank from engine_jobs j
      where j.state = 'running' and j.function_id = queue.id and j.key = queue.key
    ) running, lateral (
      select j.run_id, j.due_at, row_number() over (order by j.due_at, j.run_id) as position
      from engine_jobs j
      where j.state = 'ready' and j.function_id = queue.id and j.key = queue.key
        and (j.event_name is null or fn.events ? j.event_name)
      order by j.due_at, j.run_id
      limit greatest(least(${limit}::bigint, fn.permits, fn."perValue" - running.n), 0)
    ) j
  ), ranked as (
    select next.*, row_number() over (partition by fn order by turn, rank, due_at) as place from next
  ), chosen as materialized (
    select run_id from ranked where permits is null or place <= permits
    order by place, due_at limit ${limit}::bigint
  )
  update engine_jobs j
  set state = 'running', worker = ${worker}::text, pickups = pickups + 1, unknown_since = null
  from chosen c join engine_runs r on r.id = c.run_id
  where j.run_id = c.run_id and j.state = 'ready'
  returning j.run_id as run, j.pickups, j.worker, j.function_id as "functionId", j.attempt,
    (
      select json_build_object('id', e.id, 'name', e.name, 'data', e.data, 'ts', e.ts)
      from engine_events e where e.id = r.event_id
    ) as event,
    coalesce((
      select json_agg(json_build_object('id', s.id, 'output', s.output) order by s.ordinal)
      from engine_steps s
      -- Not the time of this transaction, which may be before the commit of another process.
      where s.run_id = j.run_id and (s.done_at is not null or s.wakes_at <= clock_timestamp())
    ), '[]') as steps`;

/**
 * Stores the results of calls: their steps, and what each run does next. Returns the indexes of those
 * that are stored: nothing is written of one whose job another process has taken over.
 */
export function storeResults(tx: postgres.ISql, results: CallResult[]): Promise<{ n: number }[]> {
  if (results.length === 0) return Promise.resolve([]);
  const rows = results.map((result, n) => {
    const { due, ...next } = getContinuation(result);
    return { ...result.job, n, ...next, ...toColumns(due) };
  });
  return tx<{ n: number }[]>`
    with result as (
      select * from unnest(
        ${columns(tx, rows, { ...PICKUP, status: "text", attempt: "integer", ...DUE })},
        ${jsonArray(tx, rows)}
      ) as r(n, run, pickups, worker, status, attempt, due_at, due_in_ms, output)
    ), accepted as (
      select r.n, r.run, r.status, r.output, r.attempt,
        coalesce(r.due_at, now() + r.due_in_ms * interval '1 millisecond') as due_at
      from result r join engine_jobs j
        on j.run_id = r.run and j.pickups = r.pickups and j.worker = r.worker
      for update of j
    ), ended as (
      delete from engine_jobs j using accepted a where j.run_id = a.run and a.status <> 'active'
    ), continued as (
      update engine_jobs j set worker = null, attempt = a.attempt, due_at = a.due_at,
        state = case when a.due_at > now() then 'sleeping' else 'ready' end
      from accepted a where j.run_id = a.run and a.status = 'active'
    ), changed as (
      update engine_runs e set status = a.status, output = a.output, finished_at = now()
      from accepted a where e.id = a.run and a.status <> 'active'
    ), saved as (${insertSteps(tx, results)})
    select n from accepted`;
}

/**
 * Stores finished steps of running calls. Returns, for each, false if another process has taken the
 * call over; nothing of it is written then.
 */
export async function storeSteps(
  sql: postgres.ISql,
  calls: { job: Pickup; effects: Effect[] }[],
): Promise<boolean[]> {
  const rows = calls.map(({ job }, n) => ({ ...job, n }));
  // Locked, so that no other process takes a job over between the check and the write.
  const stored = await sql<{ n: number }[]>`
    with accepted as (
      select c.n, c.run
      from unnest(${columns(sql, rows, PICKUP)}) as c(n, run, pickups, worker)
      join engine_jobs j on j.run_id = c.run and j.pickups = c.pickups and j.worker = c.worker
      for update of j
    ), saved as (${insertSteps(sql, calls)})
    select n from accepted`;
  const indexes = new Set(stored.map(({ n }) => n));
  return calls.map((_, index) => indexes.has(index));
}

/**
 * Builds the statement that stores finished and sleeping steps, in order, of the items that the
 * statement's `accepted(n, run)` contains. The first result of a step is final: a second one changes
 * nothing.
 */
function insertSteps(tx: postgres.ISql, items: Pick<CallResult, "effects">[]) {
  const steps = items.flatMap(({ effects }, n) =>
    effects.flatMap((effect) => {
      if (effect.kind === "step-done") return { n, ...effect, isDone: true, ...toColumns(NOW) };
      if (effect.kind !== "sleep") return [];
      return { n, ...effect, output: null, isDone: false, ...toColumns(effect.due) };
    }),
  );
  return tx`
    insert into engine_steps as s (run_id, id, output, done_at, wakes_at)
    select accepted.run, step.id, step.output,
      case when step.is_done then now() end,
      case when not step.is_done
        then coalesce(step.due_at, now() + step.due_in_ms * interval '1 millisecond') end
    from unnest(
      ${columns(tx, steps, { n: "integer", step: "text", isDone: "boolean", ...DUE })},
      ${jsonArray(tx, steps)}
    ) with ordinality as step(n, id, is_done, due_at, due_in_ms, output, position)
    join accepted on accepted.n = step.n
    order by step.position
    on conflict (run_id, id) do update
      set output = excluded.output, done_at = excluded.done_at, wakes_at = excluded.wakes_at
      where s.done_at is null`;
}

const NOW: Due = { inMs: 0 };

/** The columns that identify pick-ups, with the index of each. */
const PICKUP = { n: "integer", run: "uuid", pickups: "integer", worker: "text" } as const;
const DUE = { dueAt: "timestamptz", dueInMs: "float8" } as const;

const toColumns = (due: Due) => ({
  dueAt: "at" in due ? due.at : null,
  dueInMs: "inMs" in due ? due.inMs : 0,
});

/** Returns the outputs. Null is stored as the JSON null: only a run that goes on has no output. */
const jsonArray = (tx: postgres.ISql, rows: { output?: unknown }[]) =>
  tx`${array(
    tx,
    "text",
    rows.map(({ output }) => JSON.stringify(output)),
  )}::json[]`;

/** What a run does after a call: it ends, or its next call is due. */
interface Continuation {
  status: "active" | "completed" | "failed";
  /** Return value or error of a run that ends. */
  output?: unknown;
  attempt: number;
  due: Due;
}

/** The last effect is what the run does next. Without one, another call follows. */
function getContinuation({ effects, job }: CallResult): Continuation {
  const last = effects.findLast(({ kind }) => kind !== "step-done");
  switch (last?.kind) {
    case "completed":
      return { status: "completed", output: last.output ?? null, attempt: 0, due: NOW };
    case "failed":
      return { status: "failed", output: last.error, attempt: 0, due: NOW };
    case "retry":
      return { status: "active", attempt: job.attempt + 1, due: last.due };
    case "sleep":
      return { status: "active", attempt: 0, due: last.due };
    default:
      return { status: "active", attempt: 0, due: NOW };
  }
}

/** Makes the jobs that `worker` still runs ready for other processes. */
export const releaseJobs = (sql: postgres.ISql, worker: string) => sql`
  with released as (
    update engine_jobs set state = 'ready', worker = null
    where state = 'running' and worker = ${worker}::text returning run_id
  )
  select pg_notify(${CHANNEL}, '') from released having count(*) > 0`;

const WORKER_LOCK = "standing-worker:";

/** Takes the lock of `worker`, which ends with this session. Repeating it changes nothing. */
export const lockWorker = (sql: postgres.ISql, worker: string) =>
  sql`select ${setUpSession(sql)},
    pg_try_advisory_lock(hashtextextended(${WORKER_LOCK}::text || ${worker}::text, 0))`;

/**
 * Makes the jobs of dead workers ready: others than `worker` whose advisory lock can be acquired, because it ended
 * with their process. Returns the number of jobs.
 */
export async function freeDeadJobs(sql: postgres.ISql, worker: string): Promise<number> {
  const { count } = await sql`
    with dead as materialized (
      select worker from (select distinct worker from engine_jobs where state = 'running') running
      where worker <> ${worker}::text
        and pg_try_advisory_xact_lock(hashtextextended(${WORKER_LOCK}::text || worker, 0))
    ), held as (
      select run_id from engine_jobs where state = 'running' and worker in (select worker from dead)
      for update skip locked
    )
    update engine_jobs j set state = 'ready', worker = null from held where j.run_id = held.run_id
    returning j.run_id`;
  return count;
}

/** Notes since when jobs have been ready that none of these functions takes. */
export async function markUnknownJobs(
  sql: postgres.ISql,
  functions: RegisteredFunction[],
): Promise<number> {
  const { count } = await sql`
    update engine_jobs j set unknown_since = due_at
    where state = 'ready' and due_at < now() - interval '30 seconds' and unknown_since is null
      and not exists (
        select from jsonb_to_recordset(${JSON.stringify(functions)}::text::jsonb) as f(id text, events jsonb)
        where f.id = j.function_id and (j.event_name is null or f.events ? j.event_name)
      )
    returning j.run_id`;
  return count;
}
