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
import type { HeldJob } from "./jobs";
import { createPoolLocks } from "./pool-locks";

export interface QueueOptions {
  databaseUrl: string;
  log: Log;
  /** Jobs at a time in this process. */
  concurrency: number;
  /** How often to look for jobs that fell due or were freed. Added jobs are announced at once. */
  pollIntervalMs: number;
  /** Each ends its job itself (`finishJob`) unless it throws, which has it done again later. */
  tasks: Record<string, (job: HeldJob) => Promise<void>>;
  crons: ParsedCronItem[];
}

export interface Queue {
  /** Ends when running jobs have, or after `graceMs`; what still runs then is done again elsewhere. */
  stop(graceMs: number): Promise<void>;
}

const LONGEST_WAIT = "30 s";

/** What a pool that broke is given to tell the database of its last jobs. */
const LAST_WORDS_MS = 1_000;

/** By more than this no clock is ahead that is kept by anything. */
const CLOCKS_DIFFER = "2 min";

/** Any number, the same for every process: two that start at once migrate in turn. */
const MIGRATION_LOCK = 7_265_818;

/** Brings graphile-worker's schema up to date. */
export async function migrateQueue(databaseUrl: string, log: Log): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await runMigrations({ connectionString: databaseUrl, maxPoolSize: 1, ...shared(log) });
  } finally {
    await client.end();
  }
}

/** A graphile-worker pool that survives database restarts, and that takes over from dead ones. */
export function startQueue(options: QueueOptions): Queue {
  const { log } = options;
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: 6,
    // Who took which job up is no loss in a power cut: the job is there and is taken up again. What
    // a job did is written through another pool, which does wait for the disk.
    options: "-c synchronous_commit=off",
  });
  pool.on("error", (error) => log.warn({ err: error }, "engine: lost a database connection"));
  // A client that breaks while in use has its query fail; the event itself must find a listener.
  pool.on("connect", (client) => client.on("error", () => {}));
  const locks = createPoolLocks(options.databaseUrl, log);
  let workers: WorkerPool | null = null;
  let runner: Runner | null = null;
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;

  const preset: GraphileConfig.Preset = {
    plugins: [
      {
        name: "StandingPoolLocks",
        version: "1",
        worker: {
          hooks: {
            // Awaited before a worker's first look for jobs: it never holds one without the lock.
            async startWorker(_ctx, { worker }) {
              await locks.hold(worker.workerPool.id);
            },
          },
        },
      },
    ],
    // A batched completion is tried again and reported; an unbatched one that fails ends the process.
    worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 },
  };

  /** Pools that run, and those that broke and still have a job to end. */
  const pools = new Set<WorkerPool>();
  /** What pools are at, by their ids. */
  const underWay = new Map<string, Set<Promise<void>>>();
  const endings = new Set<Promise<void>>();

  async function work(): Promise<void> {
    while (!stopping) {
      try {
        await startPool();
      } catch (error) {
        if (!stopping) log.error({ err: error }, "engine: no worker pool, trying again");
      }
      if (!stopping) await pause(1_000);
    }
    while (endings.size > 0) await Promise.all(endings);
  }

  /**
   * Starts a pool and resolves when it takes no more jobs: when it was told to stop, or when it could
   * not tell the database what became of one. It may have jobs that go on for long; the next pool
   * does not wait for those.
   */
  async function startPool(): Promise<void> {
    const events: WorkerEvents = new EventEmitter();
    let mine: WorkerPool | null = null;
    events.once("pool:create", ({ workerPool }) => {
      mine = workerPool;
      workers = workerPool;
      pools.add(workerPool);
    });
    const isOver = new Promise<void>((resolve) => {
      events.once("pool:gracefulShutdown", () => resolve());
    });
    const started = await runPool(events);
    runner = started;
    const ended = started.promise.catch((error: unknown) => {
      if (!stopping) log.error({ err: error }, "engine: a worker pool ended");
    });
    // A pool that broke may never say that it ended: https://github.com/graphile/worker/issues/636.
    const ending = Promise.race([ended, isOver.then(() => untilIdle(mine))]).then(() => {
      if (!mine) return;
      pools.delete(mine);
      underWay.delete(mine.id);
      void locks.drop(mine.id).catch(() => {});
    });
    endings.add(ending);
    void ending.finally(() => endings.delete(ending)).catch(() => {});
    if (stopping) void started.stop().catch(() => {});
    await Promise.race([isOver, ending]);
    if (stopping) return;
    workers = null;
    log.warn("engine: a worker pool takes no more jobs, starting another");
    void started.stop().catch(() => {});
  }

  /** Until the jobs of a pool that takes no more have ended, and it could say what became of them. */
  async function untilIdle(ending: WorkerPool | null): Promise<void> {
    const left = (ending && underWay.get(ending.id)) ?? new Set();
    while (left.size > 0) await Promise.allSettled(left);
    await pause(LAST_WORDS_MS);
  }

  function runPool(events: WorkerEvents): Promise<Runner> {
    return run({
      pgPool: pool,
      preset,
      events,
      concurrency: options.concurrency,
      // Ours looks once for all workers; theirs would look once each.
      pollInterval: 60_000,
      parsedCronItems: options.crons,
      noHandleSignals: true,
      taskList: Object.fromEntries(
        Object.entries(options.tasks).map(([name, task]) => [
          name,
          async (payload: unknown, { job }) => {
            const { id, attempts, locked_by } = job;
            const pool = locked_by ?? "";
            const ofPool = underWay.get(pool) ?? new Set();
            underWay.set(pool, ofPool);
            const doing = task({ id, attempts, pool, payload }).finally(() => ofPool.delete(doing));
            ofPool.add(doing);
            await doing;
            // The worker would now delete the job by its id alone, also one that was taken over
            // by somebody else, whose run would be lost. There is no job 0.
            job.id = "0";
          },
        ]),
      ),
      ...shared(log),
    });
  }

  /** Frees dead workers' jobs, wakes workers for what is due, and looks again when the next is. */
  async function look(): Promise<void> {
    let next = options.pollIntervalMs;
    try {
      await hasten(pool);
      const silenced = await unsilence(pool);
      if (silenced.length > 0) {
        log.warn({ crons: silenced }, "engine: a clock that is ahead kept crons silent");
      }
      const freed = await locks.sweep();
      if (freed > 0) log.warn({ pools: freed }, "engine: took over the jobs of dead workers");
      const { rows } = await pool.query<{ ms: number }>(
        `select (extract(epoch from run_at - now()) * 1000)::float8 as ms
         from graphile_worker._private_jobs where is_available
         order by priority, run_at limit $1`,
        [options.concurrency + 1],
      );
      const due = rows.filter((row) => row.ms <= 0).length;
      if (due > 0 && !stopping) workers?.nudge(due);
      const upcoming = rows.find((row) => row.ms > 0)?.ms ?? next;
      next = Math.min(next, Math.ceil(upcoming) + 1);
    } catch (error) {
      if (!stopping) log.warn({ err: error }, "engine: cannot look for due jobs");
    }
    if (!stopping) timer = setTimeout(look, next);
  }

  const working = work();
  timer = setTimeout(look, 0);

  return {
    async stop(graceMs) {
      stopping = true;
      clearTimeout(timer);
      void runner?.stop().catch(() => {});
      const late = setTimeout(() => {
        log.warn("engine: jobs outlasted the grace period, leaving them to others");
        // Not `runner.kill()`: after a graceful stop that does nothing.
        for (const one of pools) {
          void Promise.resolve(one.forcefulShutdown("grace period over")).catch(() => {});
        }
      }, graceMs);
      await working;
      clearTimeout(late);
      await locks.release();
      await pool.end();
    },
  };
}

/**
 * graphile-worker puts a job off whose task threw, as ours do when the database is away: by seconds at
 * first, by six hours from the tenth pick-up on, and those of killed workers count. Nothing here may
 * wait that long, least of all a sweep. Only such a job has an error and is due later.
 */
async function hasten(pool: pg.Pool): Promise<void> {
  await pool.query(
    `update graphile_worker._private_jobs set run_at = now() + interval '${LONGEST_WAIT}'
     where is_available and last_error is not null and run_at > now() + interval '${LONGEST_WAIT}'`,
  );
}

/**
 * graphile-worker fires a tick only where it is later than the latest, and stamps it by the clock of
 * the process: one host that was a day ahead for a minute would leave every cron silent for that day,
 * on all hosts and through restarts and backups. Answers the crons whose latest tick lay too far
 * ahead of the database's clock.
 */
async function unsilence(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ identifier: string }>(
    `update graphile_worker._private_known_crontabs set last_execution = now()
     where last_execution > now() + interval '${CLOCKS_DIFFER}' returning identifier`,
  );
  return rows.map(({ identifier }) => identifier);
}

/** What a worker says of every job is too much for `info`. */
function shared(log: Log) {
  const logger = new Logger(() => (level, message) => {
    if (level === "error") log.warn(`queue: ${message}`);
    else log.trace(`queue: ${message}`);
  });
  return { logger, schema: "graphile_worker" };
}
