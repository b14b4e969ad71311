import type { Sql } from "./connection";

/** Names of the engine's jobs in graphile-worker. They are stored, so they never change. */
export const TASKS = {
  call: "engine:call",
  wake: "engine:wake",
  tick: "engine:tick",
  prune: "engine:prune",
  sendEvent: "relay:event",
} as const;

/**
 * When something is due: at a time, or a delay after it is stored. Delays use the database's clock,
 * which all processes share, so a process with a wrong clock does not skip its waits.
 */
export type Due = { at: Date } | { inMs: number };

/**
 * A job as a worker holds it. Every pick-up raises `attempts`, so the three fields identify one.
 */
export interface HeldJob {
  id: string;
  attempts: number;
  pool: string;
  payload: unknown;
}

/** A call of a run's function; `attempt` counts from 0. */
export interface Call {
  run: string;
  attempt: number;
  /**
   * The run's function and the name of its concurrency key, if the job says so: a call can then take
   * its slot while its run is loaded.
   */
  functionId?: string | undefined;
  slot?: string | null | undefined;
}

/** Builds the payload of a call job. An earlier version reads `step`. */
export const createCallPayload = (call: Call) => ({ ...call, step: null });

/**
 * Far more attempts than crashes can use up: graphile-worker counts a killed worker as an attempt,
 * and a job out of attempts would be a lost run.
 */
export const MAX_ATTEMPTS = 32_767;

/** Adds a job in the caller's transaction: it exists, and is announced, once that commits. */
export async function addJob(
  tx: Sql,
  task: string,
  payload: Record<string, unknown>,
  due: Due = { inMs: 0 },
): Promise<string> {
  const [at, inMs] = "at" in due ? [due.at.toISOString(), 0] : [null, due.inMs];
  const [row] = await tx<{ id: string }[]>`
    select id from graphile_worker.add_job(
      ${task}::text, ${JSON.stringify(payload)}::text::json,
      run_at := coalesce(${at}::text::timestamptz, now())
        + ${inMs}::float8 * interval '1 millisecond',
      max_attempts := ${MAX_ATTEMPTS}::integer
    )`;
  return String(row?.id);
}

/**
 * Ends a job in the transaction of its effects, so that both are stored or neither is. Returns
 * false if the job is no longer held (this process was considered dead and another took the job
 * over); the caller must then discard its result.
 */
export async function finishJob(tx: Sql, job: HeldJob): Promise<boolean> {
  const rows = await tx`
    delete from graphile_worker._private_jobs where ${whereHeld(tx, job)} returning id`;
  return rows.length === 1;
}

/** Builds a condition on `graphile_worker._private_jobs`: this pick-up still holds the job. */
export const whereHeld = (tx: Sql, job: Omit<HeldJob, "payload">) =>
  tx`id = ${job.id}::text::bigint and attempts = ${job.attempts}::integer
    and locked_by = ${job.pool}::text`;

/** Seconds to wait after the first, second … failed attempt; the last value repeats. */
const BACKOFF = [10, 30, 60, 120, 300, 600, 1_200, 2_400, 3_600];

/** Returns the delay after failed attempt `attempt` (from 0) that requested no other. */
export function getBackoff(attempt: number): { inMs: number } {
  const seconds = BACKOFF[Math.min(attempt, BACKOFF.length - 1)] ?? 3_600;
  return { inMs: seconds * 1_000 };
}
