import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type postgres from "postgres";
import { type Listener, listenToChannel } from "@/server/db/listener";
import { isPermanentError } from "@/server/db/permanent-error";
import { CHANNEL } from "./accept-events";
import { openPool } from "./connection";
import { addCrons, fireCrons, getCrons, MARK_UNKNOWN, PRUNE } from "./crons";
import {
  type CallResult,
  describeFunctions,
  freeDeadJobs,
  lockPickups,
  markUnknownJobs,
  readNextWake,
  releaseJobs,
  storeResults,
  type TakenJob,
  takeJobs,
  wakeJobs,
} from "./jobs";
import { createFailure } from "./protocol";
import type { RegisteredFunction } from "./registry";
import { pruneRuns } from "./runs";

interface WorkerOptions {
  databaseUrl: string;
  /** Pool for everything that needs no session of its own. */
  sql: postgres.Sql;
  log: Logger;
  functions: RegisteredFunction[];
  /** Calls a job's function. If it throws, the run fails. */
  call(job: TakenJob, fn: RegisteredFunction): Promise<Omit<CallResult, "job">>;
  /** Concurrent calls in this process. */
  concurrency: number;
  /** Maximum delay before a due cron or a dead process's job is noticed; a second by default. */
  pollIntervalMs?: number | undefined;
  /** Days to keep finished runs and their events; 30 by default. */
  retentionDays?: number | undefined;
}

const POLL_INTERVAL_MS = 1_000;
const RETENTION_DAYS = 30;

/** Time that running calls get to finish when the worker stops. */
const GRACE_MS = 10_000;

/** Results that are stored in one transaction. */
const MAX_RESULTS = 100;

/** Pause after a turn that failed, for example because the database restarts. */
const RETRY_MS = 250;

/** Time that the release of unfinished jobs may take at shutdown. */
const RELEASE_MS = 1_000;

/**
 * Runs the jobs of one process. Each active run has one job, which is in one of three states:
 *
 * ```
 *   event, cron
 *        │
 *        ▼        taken, within the limits
 *      ready ──────────────────────────────► running ──► deleted: the run has completed or failed
 *       ▲ ▲                                   │   │
 *       │ └── the next step is due at once, ──┘   │
 *   due │     or the worker died or stopped       │
 *       │                                         │
 *    sleeping ◄── a sleep, or a retry later ──────┘
 * ```
 *
 * One transaction, a turn, makes all of these changes except those by events, crons and the deaths of
 * workers: it stores the results of the calls that have ended, and takes new jobs. While it runs,
 * further calls end and further events arrive; the next turn takes all of them. So batches grow with
 * the load, and without load nothing waits. An acknowledged event is committed, a finished step is
 * committed before the function goes on, and a crash repeats only the calls of the crashed worker.
 */
class Worker {
  readonly #id = randomUUID();
  readonly #options: WorkerOptions;
  readonly #functions: Map<string, RegisteredFunction>;
  readonly #description: string;
  /** One connection. It holds the lock that shows other processes that this one is alive. */
  readonly #session: postgres.Sql;
  readonly #stopping = new AbortController();
  readonly #running = new Set<TakenJob>();
  #ended: CallResult[] = [];
  #maxResults = MAX_RESULTS;
  #hasNews = false;
  #endPause = () => {};
  #isOver = false;
  #listener: Listener | null = null;
  #loops: Promise<unknown> = Promise.resolve();

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#functions = new Map(options.functions.map((fn) => [fn.id, fn]));
    this.#description = describeFunctions(options.functions);
    this.#session = openPool(options.databaseUrl, 1);
  }

  async start(): Promise<void> {
    const { databaseUrl, log, functions } = this.#options;
    const crons = getCrons(functions);
    await this.#showAlive();
    await addCrons(this.#session, crons);
    const announce = () => this.#announce();
    this.#listener = listenToChannel({
      url: databaseUrl,
      channel: CHANNEL,
      log,
      onConnected: announce,
      onNotification: announce,
    });
    this.#loops = Promise.all([this.#takeTurns(), this.#keepWatch(crons)]);
  }

  /**
   * Takes no more jobs and lets running calls finish, for at most `graceMs`; other processes repeat
   * calls that are still running then.
   */
  async stop(graceMs: number): Promise<void> {
    const { sql, log } = this.#options;
    this.#stopping.abort();
    this.#announce();
    const timer = new AbortController();
    const grace = pause(graceMs, "grace", timer).catch(() => null);
    if ((await Promise.race([this.#loops, grace])) === "grace") {
      log.warn("engine: calls outlasted the grace period; another process repeats them");
    }
    timer.abort();
    this.#isOver = true;
    this.#announce();
    const released = releaseJobs(sql, this.#id).catch(() => {});
    await Promise.race([released, pause(RELEASE_MS, undefined, { ref: false })]);
    await Promise.all([this.#listener?.close(), this.#session.end({ timeout: 1 })]);
  }

  /** Makes the next turn begin at once, or as soon as the current one has ended. */
  #announce(): void {
    this.#hasNews = true;
    this.#endPause();
  }

  async #pause(ms: number): Promise<void> {
    if (this.#hasNews) return;
    const timer = new AbortController();
    this.#endPause = () => timer.abort();
    await pause(ms, undefined, timer).catch(() => {});
  }

  async #takeTurns(): Promise<void> {
    const isIdle = () => this.#running.size + this.#ended.length === 0;
    while (!this.#isOver && !(this.#stopping.signal.aborted && isIdle())) {
      this.#hasNews = false;
      // Calls that end in the same turn of the event loop share a turn.
      await nextTurn();
      try {
        await this.#pause(await this.#takeTurn());
      } catch (error) {
        this.#options.log.warn({ err: error }, "engine: a turn failed, retrying");
        await pause(RETRY_MS);
      }
    }
  }

  /** Stores the calls that have ended, and takes jobs. Returns the milliseconds to the next turn. */
  async #takeTurn(): Promise<number> {
    const { sql, concurrency, pollIntervalMs = POLL_INTERVAL_MS } = this.#options;
    const results = this.#ended.splice(0, this.#maxResults);
    const limit = this.#stopping.signal.aborted ? 0 : concurrency - this.#running.size;
    try {
      const { stored, jobs, nextMs } = await sql.begin(async (tx) => {
        const stored = await storeResults(tx, results);
        await lockPickups(tx);
        await wakeJobs(tx);
        const taking = { functions: this.#description, worker: this.#id, limit };
        const jobs = limit > 0 ? await takeJobs(tx, taking) : [];
        const [next] = await readNextWake(tx);
        return { stored, jobs, nextMs: next?.ms ?? pollIntervalMs };
      });
      for (const [index, isStored] of stored.entries()) this.#log(results[index], isStored);
      for (const job of jobs) this.#run(job);
      if (this.#ended.length > 0) this.#announce();
      else this.#maxResults = MAX_RESULTS;
      return Math.min(pollIntervalMs, Math.max(0, Math.ceil(nextMs)) + 1);
    } catch (error) {
      this.#ended.unshift(...(isPermanentError(error) ? this.#isolate(results, error) : results));
      throw error;
    }
  }

  /**
   * If the database rejects the data of a turn, the next ones store one result each. The one that is
   * rejected alone fails its run.
   */
  #isolate(results: CallResult[], error: unknown): CallResult[] {
    this.#maxResults = 1;
    const [only, ...others] = results;
    if (!only || others.length > 0) return results;
    const message = `the result cannot be stored: ${(error as Error).message}`;
    return [{ ...only, effects: [createFailure(message)] }];
  }

  #run(job: TakenJob): void {
    this.#running.add(job);
    void this.#call(job).then((result) => {
      this.#running.delete(job);
      this.#ended.push(result);
      this.#announce();
    });
  }

  async #call(job: TakenJob): Promise<CallResult> {
    try {
      const fn = this.#functions.get(job.functionId);
      if (!fn) throw new Error(`the function ${job.functionId} is not registered`);
      return { job, ...(await this.#options.call(job, fn)) };
    } catch (error) {
      return { job, version: null, effects: [createFailure((error as Error).message)] };
    }
  }

  #log(result: CallResult | undefined, isStored: boolean): void {
    if (!result) return;
    const { log } = this.#options;
    const { run, functionId, attempt } = result.job;
    if (!isStored) log.warn({ run }, "engine: a call was taken over, its result is dropped");
    for (const effect of isStored ? result.effects : []) {
      const context = { functionId, run, attempt };
      if (effect.kind === "retry") {
        log.warn({ ...context, error: effect.error, due: effect.due }, "run will be retried");
      } else if (effect.kind === "failed") {
        log.error({ ...context, error: effect.error }, "run failed permanently");
      }
    }
  }

  async #keepWatch(crons: ReturnType<typeof getCrons>): Promise<void> {
    const { signal } = this.#stopping;
    const { pollIntervalMs = POLL_INTERVAL_MS } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#watch(crons);
      } catch (error) {
        if (!signal.aborted) this.#options.log.warn({ err: error }, "engine: cannot poll");
      }
      await pause(pollIntervalMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Fires crons, and takes jobs over from dead workers. */
  async #watch(crons: ReturnType<typeof getCrons>): Promise<void> {
    const { sql, log, retentionDays = RETENTION_DAYS } = this.#options;
    await this.#showAlive();
    const freed = await freeDeadJobs(this.#session, this.#id);
    if (freed > 0) log.warn({ jobs: freed }, "engine: took over the jobs of dead workers");
    const fired = await fireCrons(this.#session, crons);
    if (freed + fired.length > 0) this.#announce();
    if (fired.includes(MARK_UNKNOWN)) {
      const jobs = await markUnknownJobs(this.#session, this.#description);
      if (jobs > 0) log.warn({ jobs }, "engine: jobs wait for a version that knows them");
    }
    if (fired.includes(PRUNE)) {
      // Does not keep the next polls waiting.
      void pruneRuns(sql, retentionDays).catch((error) =>
        log.warn({ err: error }, "engine: cannot prune old runs"),
      );
    }
  }

  /**
   * Takes this worker's lock, which ends with the session: at once if the process dies. Called again
   * and again, because the session may be a new one; only its end releases the lock.
   */
  async #showAlive(): Promise<void> {
    await this
      .#session`select pg_try_advisory_lock(hashtextextended(${`standing-worker:${this.#id}`}, 0))`;
  }
}

interface WorkerLifecycle {
  /** For everything that needs no session of its own; usable until `stop`. */
  sql: postgres.Sql;
  /** Starts working. Starts nothing once stopping has begun. */
  start(): Promise<void>;
  /** See `Engine.stopWork`. */
  stopWork(graceMs?: number): Promise<void>;
  /** Calls `stopWork`, then closes the connections. */
  stop(graceMs?: number): Promise<void>;
}

/** Opens a pool, and a worker on it. Repeated requests to stop share one shutdown. */
export function openWorker(
  databaseUrl: string,
  connections: number,
  getOptions: () => Omit<WorkerOptions, "databaseUrl" | "sql">,
): WorkerLifecycle {
  const sql = openPool(databaseUrl, connections);
  let worker: Worker | null = null;
  let workStopped: Promise<void> | null = null;
  let stopped: Promise<void> | null = null;
  const stopWork = (graceMs = GRACE_MS) => {
    workStopped ??= worker?.stop(graceMs) ?? Promise.resolve();
    return workStopped;
  };
  return {
    sql,
    async start() {
      if (workStopped) return;
      worker = new Worker({ ...getOptions(), databaseUrl, sql });
      await worker.start();
    },
    stopWork,
    stop(graceMs) {
      stopped ??= stopWork(graceMs).then(() => sql.end({ timeout: 5 }));
      return stopped;
    },
  };
}
