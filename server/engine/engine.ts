import type { BackgroundFunction } from "@/server/lib/background-function";
import type { Publish } from "@/server/lib/context";
import type { Env } from "@/server/lib/env";
import { acceptEvents } from "./accept-events";
import { callInProcess } from "./call-in-process";
import { toRegistered } from "./function-table";
import { type EngineStatus, readEngineStatus } from "./runs";
import { Worker, type WorkerOptions } from "./worker";

export interface EngineOptions<D>
  extends Omit<WorkerOptions, "connections" | "concurrency">,
    Partial<Pick<WorkerOptions, "concurrency">> {
  env: Env;
  functions: BackgroundFunction<D>[];
}

export interface Engine<D = unknown> {
  publish: Publish;
  /** Starts working, with what the functions need. Starts nothing once stopping has begun. */
  start(dependencies: D): Promise<void>;
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
 * Runs the functions in this process, on Postgres: steps, `sleepUntil`, events, crons, retries and
 * concurrency keys, as an Inngest server does. Any number of processes may share one database. Steps run
 * at least once; a step's result is stored before the function continues, and a stored step never runs
 * again. Up to `concurrency` calls run at once, 96 by default, because most wait for I/O.
 */
export function createEngine<D>({
  concurrency = 96,
  functions,
  env,
  ...options
}: EngineOptions<D>): Engine<D> {
  const registered = functions.map((fn) => toRegistered(fn as BackgroundFunction, env));
  const worker = new Worker({ ...options, concurrency, connections: 4 });
  return {
    async publish(tx, events) {
      const ts = Date.now();
      const stamped = events.map((event) => ({ ...event, ts }));
      await acceptEvents(tx.sql, stamped, ({ name }) =>
        registered.filter(({ events }) => events.includes(name)),
      );
    },
    start: (dependencies) =>
      worker.start({
        functions: registered,
        call: callInProcess(worker.sql, functions, dependencies),
      }),
    stopWork: (graceMs) => worker.stopWork(graceMs),
    stop: (graceMs) => worker.stop(graceMs),
    status: () => readEngineStatus(worker.sql),
  };
}
