import { EventEmitter } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import {
  Logger,
  type ParsedCronItem,
  type Runner,
  run,
  runMigrations,
  type WorkerEvents,
  type WorkerPool,
} from "graphile-worker";
import pg from "pg";
import type { Logger as Log } from "pino";
import { COLLECT_MS, createPace } from "@/server/lib/process/load";
import { MINUTE_MS } from "@/server/lib/time";
import type { HeldJob } from "./jobs";
import { createPoolLocks } from "./pool-locks";

export interface QueueOptions {
  databaseUrl: string;
  log: Log;
  /** Concurrent jobs in this process. */
  concurrency: number;
  /**
   * Interval for finding jobs that fell due or were freed. Added jobs are announced immediately.
   */
  pollIntervalMs: number;
  /**
   * Each handler ends its job itself (`finishJob`) unless it throws; the job is then retried later.
   */
  handlers: Record<string, (job: HeldJob) => Promise<void>>;
  crons: ParsedCronItem[];
}

export interface Queue {
  /**
   * Resolves when running jobs have ended, or after `graceMs`; unfinished ones are repeated
   * elsewhere.
   */
  stop(graceMs: number): Promise<void>;
}

const MAX_RETRY_DELAY = "30 s";

/** Time after which jobs that were picked up but not started are returned. */
const LOCAL_QUEUE_TTL_MS = 1_000;

const COMPLETION_DELAY_MS = 1_000;

/** Time a broken pool gets to report its last jobs to the database. */
const REPORT_GRACE_MS = 1_000;

/** Maximum tolerated clock skew. */
const MAX_CLOCK_SKEW = "2 min";

/** Arbitrary, but the same for every process, so that two that start at once migrate in turn. */
const MIGRATION_LOCK = 7_265_818;

type OnClient = Parameters<InstanceType<typeof pg.Pool>["connect"]>[0];

/**
 * A pool whose clients are given out once `gate` resolves, and under load at most every `COLLECT_MS`: a
 * statement that picks up jobs costs about the same for one as for many.
 */
class GatedPool extends pg.Pool {
  gate: Promise<void> = Promise.resolve();
  readonly #pace = createPace(COLLECT_MS);

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: OnClient): void;
  override connect(callback?: OnClient): Promise<pg.PoolClient> | undefined {
    const ready = this.gate.then(this.#pace);
    if (!callback) return ready.then(() => super.connect());
    ready.then(
      () => super.connect(callback),
      (error) => callback(error, undefined, () => {}),
    );
  }
}

/** Migrates graphile-worker's schema. */
export async function migrateQueue(databaseUrl: string, log: Log): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await runMigrations({
      connectionString: databaseUrl,
      maxPoolSize: 1,
      ...createSharedOptions(log),
    });
  } finally {
    await client.end();
  }
}

/** Starts a graphile-worker pool that survives database restarts and takes over from dead pools. */
export function startQueue(options: QueueOptions): Queue {
  const { log } = options;
  const pool = new GatedPool({
    connectionString: options.databaseUrl,
    max: 6,
    // Losing a pick-up in a power cut is harmless: the job still exists and is picked up again. The
    // effects of a job are written through another pool, which does wait for the disk.
    options: "-c synchronous_commit=off",
  });
  pool.on("error", (error) => log.warn({ err: error }, "engine: lost a database connection"));
  // If a client breaks while in use, its query fails; the `error` event itself needs a listener.
  pool.on("connect", (client) => client.on("error", () => {}));
  const locks = createPoolLocks(options.databaseUrl, log);
  let currentPool: WorkerPool | null = null;
  let currentRunner: Runner | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;

  const preset: GraphileConfig.Preset = {
    worker: {
      // One statement picks up the jobs of all workers. Those that no worker has started soon are
      // returned, for other processes.
      localQueue: { size: options.concurrency, ttl: LOCAL_QUEUE_TTL_MS },
      // A batched completion is retried and reported; a failing unbatched one ends the process. It
      // deletes nothing (see `runPool`), so it can wait for others.
      completeJobBatchDelay: COMPLETION_DELAY_MS,
      failJobBatchDelay: 0,
    },
  };

  /** Running pools, and broken ones that still have a job to finish. */
  const pools = new Set<WorkerPool>();
  /** Running jobs by pool id. */
  const runningJobs = new Map<string, Set<Promise<void>>>();
  const endings = new Set<Promise<void>>();

  async function keepPoolRunning(): Promise<void> {
    while (!isStopping) {
      try {
        await startPool();
      } catch (error) {
        if (!isStopping) log.error({ err: error }, "engine: cannot start a worker pool, retrying");
      }
      if (!isStopping) await pause(1_000);
    }
    while (endings.size > 0) await Promise.all(endings);
  }

  /**
   * Starts a pool and resolves when it takes no more jobs: it was stopped, or it could not report
   * the result of a job to the database. It may still have long-running jobs; the next pool does
   * not wait for those.
   */
  async function startPool(): Promise<void> {
    const events: WorkerEvents = new EventEmitter();
    let ownPool: WorkerPool | null = null;
    events.once("pool:create", ({ workerPool }) => {
      ownPool = workerPool;
      currentPool = workerPool;
      pools.add(workerPool);
      // Before the pool's first query, so it never holds a job without the lock.
      pool.gate = locks.acquire(workerPool.id);
    });
    const shutdown = new Promise<void>((resolve) => {
      events.once("pool:gracefulShutdown", () => resolve());
    });
    const runner = await runPool(events);
    currentRunner = runner;
    const ended = runner.promise.catch((error: unknown) => {
      if (!isStopping) log.error({ err: error }, "engine: a worker pool ended");
    });
    // A broken pool may never report that it ended: https://github.com/graphile/worker/issues/636.
    const ending = Promise.race([ended, shutdown.then(() => waitUntilIdle(ownPool))]).then(() => {
      if (!ownPool) return;
      pools.delete(ownPool);
      runningJobs.delete(ownPool.id);
      void locks.release(ownPool.id).catch(() => {});
    });
    endings.add(ending);
    void ending.finally(() => endings.delete(ending)).catch(() => {});
    if (isStopping) void runner.stop().catch(() => {});
    await Promise.race([shutdown, ending]);
    if (isStopping) return;
    currentPool = null;
    log.warn("engine: a worker pool takes no more jobs, starting another");
    void runner.stop().catch(() => {});
  }

  /** Resolves when the jobs of a pool that takes no more have ended and been reported. */
  async function waitUntilIdle(ending: WorkerPool | null): Promise<void> {
    const jobs = (ending && runningJobs.get(ending.id)) ?? new Set();
    while (jobs.size > 0) await Promise.allSettled(jobs);
    await pause(REPORT_GRACE_MS);
  }

  function runPool(events: WorkerEvents): Promise<Runner> {
    return run({
      pgPool: pool,
      preset,
      events,
      concurrency: options.concurrency,
      // Our poll serves all workers; graphile-worker's would query once per worker.
      pollInterval: MINUTE_MS,
      parsedCronItems: options.crons,
      noHandleSignals: true,
      taskList: Object.fromEntries(
        Object.entries(options.handlers).map(([name, handle]) => [
          name,
          async (payload: unknown, { job }) => {
            const { id, attempts, locked_by } = job;
            const pool = locked_by ?? "";
            const jobs = runningJobs.get(pool) ?? new Set();
            runningJobs.set(pool, jobs);
            const running = handle({ id, attempts, pool, payload }).finally(() =>
              jobs.delete(running),
            );
            jobs.add(running);
            await running;
            // The worker would now delete the job by its id alone, even if another process had
            // taken it over, and that run would be lost. No job has id 0.
            job.id = "0";
          },
        ]),
      ),
      ...createSharedOptions(log),
    });
  }

  /** Frees dead workers' jobs, wakes workers for due jobs, and schedules the next poll. */
  async function poll(): Promise<void> {
    let next = options.pollIntervalMs;
    try {
      await limitRetryDelays(pool);
      const reset = await resetFutureCrons(pool);
      if (reset.length > 0) {
        log.warn({ crons: reset }, "engine: reset crons whose last tick was in the future");
      }
      const freed = await locks.freeDeadPools();
      if (freed > 0) log.warn({ pools: freed }, "engine: took over the jobs of dead workers");
      const { rows } = await pool.query<{ ms: number }>(
        `select (extract(epoch from run_at - now()) * 1000)::float8 as ms
         from graphile_worker._private_jobs where is_available
         order by priority, run_at limit $1`,
        [options.concurrency + 1],
      );
      const due = rows.filter((row) => row.ms <= 0).length;
      if (due > 0 && !isStopping) currentPool?.nudge(due);
      const upcoming = rows.find((row) => row.ms > 0)?.ms ?? next;
      next = Math.min(next, Math.ceil(upcoming) + 1);
    } catch (error) {
      if (!isStopping) log.warn({ err: error }, "engine: cannot poll for due jobs");
    }
    if (!isStopping) timer = setTimeout(poll, next);
  }

  const ended = keepPoolRunning();
  timer = setTimeout(poll, 0);

  return {
    async stop(graceMs) {
      isStopping = true;
      clearTimeout(timer);
      void currentRunner?.stop().catch(() => {});
      const graceTimer = setTimeout(() => {
        log.warn("engine: jobs outlasted the grace period; another process repeats them");
        // Not `runner.kill()`, which does nothing after a graceful stop.
        for (const workerPool of pools) {
          void Promise.resolve(workerPool.forcefulShutdown("grace period over")).catch(() => {});
        }
      }, graceMs);
      await ended;
      clearTimeout(graceTimer);
      await locks.close();
      await pool.end();
    },
  };
}

/**
 * Limits the delay of jobs whose task threw to `MAX_RETRY_DELAY`. graphile-worker delays such a job by
 * seconds at first and by six hours from the tenth pick-up on, and pick-ups by killed workers
 * count. Our handlers throw when the database is unavailable, and none may wait that long, least of
 * all a sweep. Only a job whose task threw has an error and a later due time.
 */
async function limitRetryDelays(pool: pg.Pool): Promise<void> {
  await pool.query(
    `update graphile_worker._private_jobs set run_at = now() + interval '${MAX_RETRY_DELAY}'
     where is_available and last_error is not null and run_at > now() + interval '${MAX_RETRY_DELAY}'`,
  );
}

/**
 * Resets the latest tick of crons to now if it is too far ahead of the database's clock, and
 * returns those crons. graphile-worker fires a tick only if it is later than the latest one, and
 * stamps it with the clock of the process: one host that ran a day ahead for a minute would silence
 * every cron for that day, on all hosts and through restarts and backups.
 */
async function resetFutureCrons(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ identifier: string }>(
    `update graphile_worker._private_known_crontabs set last_execution = now()
     where last_execution > now() + interval '${MAX_CLOCK_SKEW}' returning identifier`,
  );
  return rows.map(({ identifier }) => identifier);
}

/** Logs the workers' messages about single jobs at `trace`, and their errors as warnings. */
function createSharedOptions(log: Log) {
  const logger = new Logger(() => (level, message) => {
    if (level === "error") log.warn(`queue: ${message}`);
    else log.trace(`queue: ${message}`);
  });
  return { logger, schema: "graphile_worker" };
}
