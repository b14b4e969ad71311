import type { BackgroundFunction } from "@/server/lib/background-function";
import type { Publish } from "@/server/lib/context";
import type { InngestClient } from "@/server/lib/inngest";
import { acceptEvents, type EngineEvent } from "./accept-events";
import { ENGINE_URL, type RegisteredFunction, toInngest, toRegistered } from "./function-table";
import { createInProcessFetch } from "./in-process-fetch";
import { callFunction, type Serve } from "./protocol";
import { type EngineStatus, readEngineStatus } from "./runs";
import { serveInProcess } from "./serve-in-process";
import { Worker, type WorkerOptions } from "./worker";

/**
 * `concurrency` is 96 by default, more than the number of cores, because most calls wait for I/O.
 */
export type EngineOptions = Omit<WorkerOptions, "connections" | "concurrency"> &
  Partial<Pick<WorkerOptions, "concurrency">>;

export interface Engine {
  /** For `createInngest({ isDev: true, baseUrl, fetch })`: keeps SDK calls in this process. */
  baseUrl: string;
  fetch: typeof fetch;
  publish: Publish;
  /** Registers the functions. Must be called before `start` and before the first `publish`. */
  register(inngest: InngestClient, functions: BackgroundFunction[]): void;
  /** Like `register`, for functions of another process: `call` transports the calls there. */
  registerRemote(functions: RegisteredFunction[], call: Serve): void;
  /** Starts working. Starts nothing once stopping has begun. */
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
export function createEngine({ concurrency = 96, ...options }: EngineOptions): Engine {
  let registered: { functions: RegisteredFunction[]; serve: Serve } | null = null;
  const getRegistered = () => {
    if (!registered) throw new Error("the engine has no functions yet: register them first");
    return registered;
  };
  const startedBy = ({ name }: EngineEvent) =>
    getRegistered().functions.filter(({ events }) => events.includes(name));
  const worker = new Worker({ ...options, concurrency, connections: 4 });
  return {
    baseUrl: ENGINE_URL,
    fetch: createInProcessFetch(worker.sql, options.log, startedBy),
    async publish(tx, events) {
      const ts = Date.now();
      const stamped = events.map((event) => ({ ...event, ts }));
      await acceptEvents(tx.sql, stamped, startedBy);
    },
    register(client, functions) {
      const serve = serveInProcess(client, toInngest(client, functions));
      registered = { functions: toRegistered(functions), serve };
    },
    registerRemote(functions, call) {
      registered = { functions, serve: call };
    },
    start() {
      const { functions, serve } = getRegistered();
      return worker.start({ functions, call: (job, fn) => callFunction(serve, fn, job) });
    },
    stopWork: (graceMs) => worker.stopWork(graceMs),
    stop: (graceMs) => worker.stop(graceMs),
    status: () => readEngineStatus(worker.sql),
  };
}
