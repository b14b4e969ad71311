import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type postgres from "postgres";
import { type Listener, listenToChannel } from "@/server/db/listener";
import { isPermanentError } from "@/server/db/permanent-error";
import { CHANNEL } from "./accept-events";
import { type Call, type CallResult, createFailure, type TakenJob } from "./calls";
import { openPool } from "./connection";
import { addCrons, type Cron, fireCrons, getCrons, MARK_UNKNOWN } from "./crons";
import type { RegisteredFunction } from "./function-table";
import {
  freeDeadJobs,
  lockPickups,
  lockWorker,
  markUnknownJobs,
  releaseJobs,
  storeResults,
  takeJobs,
  wakeJobs,
} from "./jobs";

export interface WorkerOptions {
  databaseUrl: string;
  log: Logger;
  /** Connections for everything that needs no session of its own. */
  connections: number;
  /** Concurrent calls in this process. */
  concurrency: number;
  /** Maximum delay before a due cron or a dead process's job is noticed; a second by default. */
  pollIntervalMs?: number | undefined;
}

/** What a worker runs. */
interface Work {
  functions: RegisteredFunction[];
  /** If it throws, the run fails. */
  call: Call;
}

const POLL_INTERVAL_MS = 1_000;

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
export class Worker {
  /** For everything that needs no session of its own; usable until `stop`. */
  readonly sql: postgres.Sql;
  readonly #id = randomUUID();
  readonly #options: WorkerOptions;
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
  #workStopped: Promise<void> | null = null;
  #stopped: Promise<void> | null = null;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.sql = openPool(options.databaseUrl, options.connections);
    this.#session = openPool(options.databaseUrl, 1);
  }

  /** Starts working. Starts nothing once stopping has begun. */
  async start(work: Work): Promise<void> {
    if (this.#workStopped) return;
    const { databaseUrl, log } = this.#options;
    const crons = getCrons(work.functions);
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
    this.#loops = Promise.all([this.#takeTurns(work), this.#keepWatch(crons, work)]);
  }

  /**
   * Takes no more jobs and lets running calls finish, for at most `graceMs`; other processes repeat
   * calls that are still running then. Repeated requests to stop share one shutdown.
   */
  stopWork(graceMs = GRACE_MS): Promise<void> {
    this.#workStopped ??= this.#stopWork(graceMs);
    return this.#workStopped;
  }

  /** Calls `stopWork`, then closes the connections. */
  stop(graceMs?: number): Promise<void> {
    this.#stopped ??= this.stopWork(graceMs).then(() => this.sql.end({ timeout: 5 }));
    return this.#stopped;
  }

  async #stopWork(graceMs: number): Promise<void> {
    this.#stopping.abort();
    this.#announce();
    const timer = new AbortController();
    const grace = pause(graceMs, "grace", timer).catch(() => null);
    if ((await Promise.race([this.#loops, grace])) === "grace") {
      this.#options.log.warn(
        "engine: calls outlasted the grace period; another process repeats them",
      );
    }
    timer.abort();
    this.#isOver = true;
    this.#announce();
    const released = releaseJobs(this.sql, this.#id).catch(() => {});
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
    // No signal: it would create an error with its stack for every turn.
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #takeTurns(work: Work): Promise<void> {
    const isIdle = () => this.#running.size + this.#ended.length === 0;
    while (!this.#isOver && !(this.#stopping.signal.aborted && isIdle())) {
      this.#hasNews = false;
      // Calls that end in the same turn of the event loop share a turn.
      await nextTurn();
      try {
        await this.#pause(await this.#takeTurn(work));
      } catch (error) {
        this.#options.log.warn({ err: error }, "engine: a turn failed, retrying");
        await pause(RETRY_MS);
      }
    }
  }

  /** Stores the calls that have ended, and takes jobs. Returns the milliseconds to the next turn. */
  async #takeTurn(work: Work): Promise<number> {
    const { concurrency, pollIntervalMs = POLL_INTERVAL_MS } = this.#options;
    const results = this.#ended.splice(0, this.#maxResults);
    const limit = this.#stopping.signal.aborted ? 0 : concurrency - this.#running.size;
    try {
      const [stored, , [next], jobs] = await this.sql.begin((tx) => [
        storeResults(tx, results),
        lockPickups(tx),
        wakeJobs(tx),
        takeJobs(tx, { functions: work.functions, worker: this.#id, limit }),
      ]);
      const indexes = new Set(stored.map(({ n }) => n));
      const nextMs = next?.ms ?? pollIntervalMs;
      for (const [n, result] of results.entries()) this.#log(result, indexes.has(n));
      for (const job of jobs) this.#run(work, job);
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

  #run(work: Work, job: TakenJob): void {
    this.#running.add(job);
    void callSafely(work, job).then((result) => {
      this.#running.delete(job);
      this.#ended.push(result);
      this.#announce();
    });
  }

  #log(result: CallResult, isStored: boolean): void {
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

  async #keepWatch(crons: Cron[], work: Work): Promise<void> {
    const { signal } = this.#stopping;
    const { pollIntervalMs = POLL_INTERVAL_MS } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#watch(crons, work);
      } catch (error) {
        if (!signal.aborted) this.#options.log.warn({ err: error }, "engine: cannot poll");
      }
      await pause(pollIntervalMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Fires crons, and takes jobs over from dead workers. */
  async #watch(crons: Cron[], { functions }: Work): Promise<void> {
    const { log } = this.#options;
    await this.#showAlive();
    const freed = await freeDeadJobs(this.#session, this.#id);
    if (freed > 0) log.warn({ jobs: freed }, "engine: took over the jobs of dead workers");
    const fired = await fireCrons(this.#session, crons);
    if (freed + fired.length > 0) this.#announce();
    if (fired.includes(MARK_UNKNOWN)) {
      const jobs = await markUnknownJobs(this.#session, functions);
      if (jobs > 0) log.warn({ jobs }, "engine: jobs wait for a version that knows them");
    }
  }

  /**
   * Takes this worker's lock, which ends with the session: at once if the process dies. Called again
   * and again, because the session may be a new one; only its end releases the lock.
   */
  async #showAlive(): Promise<void> {
    await lockWorker(this.#session, this.#id);
  }
}

/** Calls a job's function; an invalid answer fails the run, like an error of the function. */
async function callSafely({ call }: Work, job: TakenJob): Promise<CallResult> {
  const effects = await call(job).catch((error: Error) => [createFailure(error.message)]);
  return { job, effects };
}
