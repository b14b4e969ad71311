import { parseCronItem } from "graphile-worker";
import type { InngestFunction } from "inngest";
import type { Logger } from "pino";
import { openDatabase } from "@/server/db/client";
import { underlyingConnection } from "@/server/db/underlying-connection";
import type { Publish } from "@/server/lib/context";
import type { InngestClient } from "@/server/lib/inngest";
import { acceptEvents } from "./accept-events";
import { createInProcessFetch } from "./in-process-fetch";
import { createJobHandlers } from "./job-handlers";
import { TASKS } from "./jobs";
import type { Serve } from "./protocol";
import {
  createRegistry,
  ENGINE_URL,
  type FunctionConfig,
  getConfigs,
  type Registry,
} from "./registry";
import { type EngineStatus, readEngineStatus } from "./runs";
import { serveInProcess } from "./serve-in-process";
import { createWorkerLifecycle } from "./worker-lifecycle";

export interface EngineOptions {
  databaseUrl: string;
  log: Logger;
  /**
   * Concurrent calls in this process. Most of them wait for I/O, so more than the number of cores.
   */
  concurrency?: number;
  /** Days to keep finished runs and their events. */
  retentionDays?: number;
  /** Maximum delay before a due sleep or a dead process's job is noticed. */
  pollIntervalMs?: number;
}

export interface Engine {
  /** For `createInngest({ isDev: true, baseUrl, fetch })`: keeps SDK calls in this process. */
  baseUrl: string;
  fetch: typeof fetch;
  publish: Publish;
  /**
   * Registers the functions. Must be called before `start` and before the first `publish`.
   *
   * @throws Error naming the function and the option or step that the engine does not support.
   */
  register(inngest: InngestClient, functions: InngestFunction.Any[]): void;
  /** Like `register`, for functions of another process: `call` transports the calls there. */
  registerConfigs(functions: FunctionConfig[], call: Serve): void;
  /** Migrates the queue and starts working. */
  start(): Promise<void>;
  /**
   * Takes no more work and lets running calls finish, for at most `graceMs` (default 10 s); calls
   * that are still running then are repeated elsewhere. `publish` and `status` keep working.
   */
  stopWork(graceMs?: number): Promise<void>;
  /** Calls `stopWork`, then closes the connections. */
  stop(graceMs?: number): Promise<void>;
  status(): Promise<EngineStatus>;
}

/**
 * Implements the executor side of Inngest's SDK protocol on Postgres, as far as our functions need
 * it: steps, `sleepUntil`, events, crons, retries and concurrency keys. Any number of processes may
 * share one database. Steps run at least once; a step's result is stored before the function
 * continues, and a stored step never runs again.
 */
export function createEngine(options: EngineOptions): Engine {
  const {
    databaseUrl,
    log,
    concurrency = 96,
    retentionDays = 30,
    pollIntervalMs = 1_000,
  } = options;
  const { sql, close } = openDatabase(databaseUrl, 4);
  let registered: { registry: Registry; serve: Serve } | null = null;
  const getRegistered = () => {
    if (!registered) throw new Error("the engine has no functions yet: register them first");
    return registered;
  };
  const lifecycle = createWorkerLifecycle(() => {
    const { registry, serve } = getRegistered();
    return {
      databaseUrl,
      log,
      concurrency,
      pollIntervalMs,
      handlers: createJobHandlers({ sql, log, registry, serve, retentionDays }),
      crons: [
        ...registry.crons(TASKS.tick),
        parseCronItem({ task: TASKS.prune, match: "17 * * * *", identifier: "engine:prune" }),
      ],
    };
  }, close);

  return {
    baseUrl: ENGINE_URL,
    fetch: createInProcessFetch(sql, log, () => getRegistered().registry),
    async publish(tx, events) {
      const ts = Date.now();
      await acceptEvents(
        underlyingConnection(tx),
        getRegistered().registry,
        events.map((event) => ({ ...event, ts })),
      );
    },
    register(client, functions) {
      const registry = createRegistry(getConfigs(client.id, functions));
      registered = { registry, serve: serveInProcess(client, functions) };
    },
    registerConfigs(functions, call) {
      registered = { registry: createRegistry(functions), serve: call };
    },
    ...lifecycle,
    status: () => readEngineStatus(sql),
  };
}
