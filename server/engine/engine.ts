import { parseCronItem } from "graphile-worker";
import type { InngestFunction } from "inngest";
import { serve } from "inngest/edge";
import type { Logger } from "pino";
import { openDatabase } from "@/server/db/client";
import type { InngestClient } from "@/server/lib/inngest";
import type { Publish } from "@/server/lib/publish";
import { acceptEvents } from "./accept";
import { ENGINE_URL, type Serve } from "./calls";
import { beneath } from "./connection";
import { createInProcessFetch } from "./in-process";
import { finishJob } from "./jobs";
import { migrateQueue, startQueue } from "./queue";
import { createRegistry, type FunctionConfig, type Registry, registryOf } from "./registry";
import { type EngineStatus, type FailedRun, listFailedRuns, prune, readStatus } from "./runs";
import { createShift } from "./shift";
import { TASKS } from "./tasks";
import { createTasks } from "./work";

export interface EngineOptions {
  databaseUrl: string;
  log: Logger;
  /** Calls at a time in this process. Mostly they wait for others, so more than there are cores. */
  concurrency?: number;
  /** Days that finished runs and their events are kept. */
  retentionDays?: number;
  /** How late, at most, a sleep or a dead process's job may be noticed. */
  pollIntervalMs?: number;
}

export interface Engine {
  /** For `createInngest({ isDev: true, baseUrl, fetch })`: keeps the SDK's calls in this process. */
  baseUrl: string;
  fetch: typeof fetch;
  publish: Publish;
  /**
   * Takes the functions on. Comes before `start` and before the first `publish`.
   *
   * @throws Error naming the function whose configuration the engine does not support.
   */
  register(inngest: InngestClient, functions: InngestFunction.Any[]): void;
  /** As `register`, for functions of another process: `call` brings the calls there. */
  adopt(functions: FunctionConfig[], call: Serve): void;
  /** Migrates the queue and starts to work. */
  start(): Promise<void>;
  /**
   * Takes up no more work and lets running calls finish, for `graceMs` at most (default
   * 10 s); what still runs then is done again elsewhere. `publish` and `status` go on working.
   */
  standDown(graceMs?: number): Promise<void>;
  /** Stands down and closes its connections. */
  stop(graceMs?: number): Promise<void>;
  status(): Promise<EngineStatus>;
  /** Runs that failed for good, the latest first. */
  failedRuns(limit?: number): Promise<FailedRun[]>;
}

/**
 * The executor side of Inngest's SDK protocol on Postgres: runs the very functions that a real
 * server would, in this process. Any number of processes may share one database. Steps are at least
 * once; what a step answered is stored before the function goes on, and never run again.
 */
export function createEngine(options: EngineOptions): Engine {
  const { databaseUrl, log } = options;
  const { sql, close } = openDatabase(databaseUrl, 4);
  let known: { registry: Registry; serve: Serve } | null = null;
  const work = createShift(close);

  const functions = () => {
    if (!known) throw new Error("the engine has no functions yet: register them first");
    return known;
  };

  return {
    baseUrl: ENGINE_URL,
    fetch: createInProcessFetch(sql, log, () => functions().registry),
    publish: async (tx, events) => {
      const ts = Date.now();
      await acceptEvents(
        beneath(tx),
        functions().registry,
        events.map((event) => ({ ...event, ts })),
      );
    },
    register(inngest, list) {
      const registry = createRegistry(inngest.id, list);
      known = { registry, serve: serve({ client: inngest, functions: list }) };
    },
    adopt(functions, call) {
      known = { registry: registryOf(functions), serve: call };
    },
    async start() {
      const { registry, serve: call } = functions();
      await migrateQueue(databaseUrl, log);
      work.begin(() =>
        startQueue({
          databaseUrl,
          log,
          concurrency: options.concurrency ?? 32,
          pollIntervalMs: options.pollIntervalMs ?? 1_000,
          tasks: {
            ...createTasks({ sql, log, registry, serve: call }),
            [TASKS.prune]: async (job) => {
              await prune(sql, options.retentionDays ?? 30);
              await finishJob(sql, job);
            },
          },
          crons: [
            ...registry.crons(TASKS.tick),
            parseCronItem({ task: TASKS.prune, match: "17 * * * *", identifier: "engine:prune" }),
          ],
        }),
      );
    },
    standDown: work.standDown,
    stop: work.stop,
    status: () => readStatus(sql),
    failedRuns: (limit = 50) => listFailedRuns(sql, limit),
  };
}
