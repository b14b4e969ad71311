import type { Logger } from "pino";
import type postgres from "postgres";
import { z } from "zod";
import { createBatcher } from "@/server/db/batch";
import { isPermanentError } from "@/server/db/permanent-error";
import { COLLECT_MS } from "@/server/lib/process/load";
import { MINUTE_MS } from "@/server/lib/time";
import { acceptEvents } from "./accept-events";
import { retryTransient } from "./connection";
import { addJob, type Call, finishJob, type HeldJob, TASKS } from "./jobs";
import { callFunction, type Effect, parseResponse, type Serve } from "./protocol";
import { type RegisteredFunction, type Registry, TICK_EVENT } from "./registry";
import { loadRuns, lockRun, pruneRuns, type RunState, scheduleNext } from "./runs";
import { type CallResult, settleCalls } from "./settle-calls";
import {
  acquireSlots,
  type ConcurrencyKey,
  releaseSlot,
  type SlotRequest,
  type SlotResponse,
  transferSlot,
} from "./slots";

interface Options {
  sql: postgres.Sql;
  log: Logger;
  registry: Registry;
  serve: Serve;
  retentionDays: number;
}

/** The writes and reads of each call, combined with those of other calls. */
interface Batches {
  load(run: string): Promise<RunState | null>;
  acquireSlot(request: SlotRequest): Promise<SlotResponse>;
  settle(result: CallResult): Promise<boolean>;
}

const createBatches = ({ sql, log }: Options): Batches => ({
  load: createBatcher((runs) => loadRuns(sql, runs)),
  acquireSlot: createBatcher((requests) => acquireSlots(sql, requests)),
  settle: createBatcher((results) => retryTransient(log, () => settleCalls(sql, results)), {
    loadedMs: COLLECT_MS,
  }),
});

const callSchema = z.object({
  run: z.string(),
  attempt: z.int().min(0).default(0),
  functionId: z.string().optional(),
  slot: z.string().nullish(),
});

/** Delay before a job that this version does not know is offered to every process again. */
const UNKNOWN_RETRY_MS = 5_000;

/** A cron tick that no version takes for this long is of a function that was removed. */
const MAX_TICK_AGE_MS = 10 * MINUTE_MS;

/** Creates the handler for each kind of job. */
export function createJobHandlers(
  options: Options,
): Record<string, (job: HeldJob) => Promise<void>> {
  const batches = createBatches(options);
  return {
    [TASKS.call]: (job) => handleCall(options, batches, job),
    [TASKS.wake]: (job) => endSleep(options, job),
    [TASKS.tick]: (job) => startScheduledRun(options, job),
    [TASKS.prune]: async (job) => {
      await pruneRuns(options.sql, options.retentionDays);
      await finishJob(options.sql, job);
    },
  };
}

async function handleCall(options: Options, batches: Batches, job: HeldJob): Promise<void> {
  const { sql, log, registry } = options;
  const call = callSchema.parse(job.payload);
  const started = await startCall(options, batches, call, job);
  if (!started) return;
  const { run, concurrencyKey } = started;
  if (run?.status !== "active") {
    await sql.begin(async (tx) => {
      if (await finishJob(tx, job)) await transferSlot(tx, job);
    });
    return;
  }
  const fn = registry.findFor(run.functionId, run.event?.name);
  if (!fn) {
    const { functionId, event } = run;
    const context = { functionId, run: run.id, event: event?.name };
    log.warn(context, "engine: this version does not know the function or its event");
    await leaveToOtherVersion(sql, TASKS.call, job);
    return;
  }
  try {
    const response = await runCall(options, fn, run, call, job);
    await storeResult(log, batches, { job, call, run, concurrencyKey, ...response });
  } catch (error) {
    // The job remains and is retried later; other calls need not wait for that.
    if (concurrencyKey) {
      await sql.begin((tx) => releaseSlot(tx, concurrencyKey, job)).catch(() => {});
    }
    throw error;
  }
}

/**
 * Loads a call's run and takes the slot that the call needs. Returns null if it has to wait for a
 * slot: its job has ended then.
 */
async function startCall(
  { registry }: Options,
  { load, acquireSlot }: Batches,
  { run: runId, functionId = "", slot }: Call,
  job: HeldJob,
): Promise<{ run: RunState | null; concurrencyKey: ConcurrencyKey | null } | null> {
  const start = async (key: ConcurrencyKey) => {
    const { run, hasSlot } = await acquireSlot({ job, runId, key });
    return hasSlot ? { run, concurrencyKey: key } : null;
  };
  const key = findKey(registry, functionId, slot);
  if (key) return start(key);
  const run = await load(runId);
  // Jobs of earlier versions don't name their slot.
  const keyOfRun = run?.status === "active" ? findKey(registry, run.functionId, run.slot) : null;
  return keyOfRun ? start(keyOfRun) : { run, concurrencyKey: null };
}

/** Returns null if nothing limits the calls, or if this version does not have the function. */
function findKey(
  registry: Registry,
  functionId: string,
  slot: string | null | undefined,
): ConcurrencyKey | null {
  const fn = registry.get(functionId);
  if (!fn || !slot) return null;
  const { limit = Number.MAX_SAFE_INTEGER, perValue = null } = fn.concurrency ?? {};
  return perValue === null
    ? { name: slot, limit, share: "", perShare: limit }
    : { name: functionId, limit, share: slot, perShare: perValue };
}

/** Calls the function. An invalid response fails the run, like an error of the function. */
async function runCall(
  { serve }: Options,
  fn: RegisteredFunction,
  run: RunState,
  call: Call,
  job: HeldJob,
): Promise<{ effects: Effect[]; version: number | null }> {
  let version: number | null = null;
  try {
    const response = await callFunction(serve, fn, run, call, job);
    version = response.version;
    const { attempt } = call;
    return { version, effects: parseResponse(response, { attempt, maxAttempts: fn.maxAttempts }) };
  } catch (error) {
    return { version, effects: [createFailure((error as Error).message)] };
  }
}

const createFailure = (message: string): Effect => ({
  kind: "failed",
  error: { name: "Error", message },
});

async function storeResult(log: Logger, { settle }: Batches, result: CallResult): Promise<void> {
  const isStored = await settle(result).catch((error) => {
    if (!isPermanentError(error)) throw error;
    const failure = createFailure(`the result cannot be stored: ${(error as Error).message}`);
    return settle({ ...result, effects: [failure] });
  });
  if (isStored) logEffects(log, result);
  else log.warn({ run: result.run.id }, "engine: a call was taken over, its result is dropped");
}

function logEffects(log: Logger, { run, call, effects }: CallResult): void {
  const context = { functionId: run.functionId, run: run.id, attempt: call.attempt };
  for (const effect of effects) {
    if (effect.kind === "retry") {
      log.warn({ ...context, error: effect.error, due: effect.due }, "run will be retried");
    } else if (effect.kind === "failed") {
      log.error({ ...context, error: effect.error }, "run failed permanently");
    }
  }
}

async function endSleep({ sql, log }: Options, job: HeldJob): Promise<void> {
  const { run, step } = job.payload as { run: string; step: string };
  await retryTransient(log, () =>
    sql.begin(async (tx) => {
      const isActive = await lockRun(tx, run);
      if (!(await finishJob(tx, job)) || !isActive) return;
      const ended = await tx`
        update engine_steps set output = 'null'::json, done_at = now(), ordinal = default
        where run_id = ${run}::uuid and id = ${step}::text and done_at is null
        returning id`;
      if (ended.length > 0) await scheduleNext(tx, run);
    }),
  );
}

type Tick = { functionId: string; cron: string; _cron: { ts: string } };

async function startScheduledRun({ sql, log, registry }: Options, job: HeldJob): Promise<void> {
  const { functionId, cron, _cron } = job.payload as Tick;
  const fn = registry.get(functionId);
  if (!fn && Date.now() - Date.parse(_cron.ts) < MAX_TICK_AGE_MS) {
    await leaveToOtherVersion(sql, TASKS.tick, job);
    return;
  }
  await retryTransient(log, () =>
    sql.begin(async (tx) => {
      if (!(await finishJob(tx, job)) || !fn) return;
      const id = `cron:${functionId}:${cron}:${_cron.ts}`;
      const event = { id, name: TICK_EVENT, data: { cron }, ts: Date.now() };
      await acceptEvents(tx, registry, [event], fn);
    }),
  );
}

/** Postpones a job that this version does not know, for a process of another version to take. */
async function leaveToOtherVersion(sql: postgres.Sql, task: string, job: HeldJob): Promise<void> {
  // Replaced by the job's own, if another process has left it before.
  const payload = { unknownSince: new Date().toISOString(), ...(job.payload as object) };
  await sql.begin(async (tx) => {
    if (!(await finishJob(tx, job))) return;
    await addJob(tx, task, payload, { inMs: UNKNOWN_RETRY_MS });
    await transferSlot(tx, job);
  });
}
