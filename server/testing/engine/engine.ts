import { setTimeout as pause } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import pino from "pino";
import { inject } from "vitest";
import { type Engine, type EngineOptions, openEngine } from "@/server/engine/engine";
import type { EngineStatus } from "@/server/engine/runs";
import type { BackgroundFunction } from "@/server/lib/background-function";
import type { Database, Publish } from "@/server/lib/context";
import { parseEnv } from "@/server/lib/env";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { serveHandler } from "@/server/testing/http/listen";
import { startInngestExecutor } from "./inngest-executor";

const log = pino({ level: "silent" });

/** Creates an engine over `databaseUrl` with these functions, without starting it. */
export const createTestEngine = <D>(
  databaseUrl: string,
  functions: BackgroundFunction<D>[],
  options: Partial<EngineOptions<D>> = {},
): Engine<D> =>
  openEngine({ databaseUrl, functions, env: parseEnv({}), log, pollIntervalMs: 200, ...options });

export interface TestEngine {
  database: TestDatabase;
  engine: Pick<Engine, "stop" | "stopWork"> & { status(): Promise<EngineStatus> };
  /** Publishes events in the caller's transaction. */
  publishIn: Publish;
  /** Publishes one event in its own transaction and returns its id. */
  publish(name: string, data?: Record<string, unknown>, id?: string): Promise<string>;
  close(): Promise<void>;
}

type Define = () => BackgroundFunction[];
type Options = Partial<EngineOptions<unknown>>;

/**
 * Starts an engine on a new database: the embedded one, or, if the run's transport is `http`, a
 * remote executor that calls the functions by Inngest's protocol.
 */
export async function startTestEngine(define: Define, options: Options = {}): Promise<TestEngine> {
  const database = await createTestDatabase();
  const { engine, publish, close } = await (inject("transport") === "http"
    ? startRemote(database.url, define(), options)
    : startEmbedded(database.url, define(), options));
  let serial = 0;
  return {
    database,
    engine,
    publishIn: publish,
    async publish(name, data = {}, id) {
      serial += 1;
      const event = { id: id ?? `${name}-${serial}`, name, data };
      await database.db.transaction((tx) => publish(tx, [event]));
      // A relay may deliver events out of order.
      await waitFor(async () => {
        const { db } = database;
        return (await db.execute(sql`select from engine_events where id = ${event.id}`)).length > 0;
      });
      return event.id;
    },
    async close() {
      await close();
      await database.close();
    },
  };
}

interface Started extends Pick<TestEngine, "engine" | "close"> {
  publish: Publish;
}

async function startEmbedded(
  url: string,
  functions: BackgroundFunction[],
  options: Options,
): Promise<Started> {
  const engine = createTestEngine(url, functions, options);
  await engine.start(undefined);
  return { engine, publish: engine.publish, close: () => engine.stop() };
}

/** Starts the app as with the `INNGEST_…` variables set, and the executor that calls it. */
async function startRemote(
  url: string,
  functions: BackgroundFunction[],
  options: Options,
): Promise<Started> {
  const executor = await startInngestExecutor({
    databaseUrl: url,
    log,
    pollIntervalMs: 200,
    ...options,
  });
  let handle: Engine<unknown>["handle"] = null;
  const endpoint = await serveHandler(
    async (request) => (await handle?.(request)) ?? Response.error(),
  );
  const env = parseEnv({ ...executor.env, INNGEST_SERVE_ORIGIN: endpoint.url });
  const app = openEngine({ env, databaseUrl: url, log, functions });
  handle = app.handle;
  await app.start(undefined);
  await executor.sync(`${endpoint.url}/api/inngest`);
  return {
    engine: executor,
    publish: app.publish,
    async close() {
      await executor.close();
      await app.stop();
      await endpoint.close();
    },
  };
}

/** Polls until the result is truthy. The test's own time-out is the limit. */
export async function waitFor<T>(poll: () => Promise<T | null | undefined | false>): Promise<T> {
  for (;;) {
    const result = await poll();
    if (result) return result;
    await pause(20);
  }
}

/** Suspends the sweeps for 100 seconds, and waits until none is active. */
export async function suspendSweeps({ db }: Pick<TestDatabase, "db">) {
  // A tick fires only if it is later than the latest one; the engine corrects a latest tick more
  // than two minutes ahead.
  await waitFor(async () => {
    const suspended = await db.execute(sql`
      update engine_crons set last_tick = now() + interval '100 s' where id like 'standing-sweep:%'
      returning id`);
    return suspended.length > 0;
  });
  await waitFor(async () => {
    const [found] = await db.execute<{ idle: boolean }>(sql`
      select not exists (
        select from engine_runs where status = 'active'
          and function_id in ('standing-sweep', 'standing-do-due-work')) as idle`);
    return found?.idle;
  });
}

export interface EndedRun {
  id: string;
  status: "completed" | "failed";
  output: unknown;
}

/** Waits until `count` runs of a function have ended, and returns them in the order in which they ended. */
export function waitForEndedRuns(db: Database, functionId: string, count = 1): Promise<EndedRun[]> {
  return waitFor(async () => {
    const runs = await db.execute<Record<keyof EndedRun, unknown>>(sql`
      select id, status, output from engine_runs
      where function_id = ${`standing-${functionId}`} and finished_at is not null
      order by finished_at, id`);
    return runs.length >= count && ([...runs] as unknown as EndedRun[]);
  });
}

export interface DueJob {
  run: string;
  attempt: number;
  due: Date;
}

/** Waits until a run of the function has a call or a wake-up due later, and returns it. */
export function waitForDueJob(db: Database, functionId: string): Promise<DueJob> {
  return waitFor(async () => {
    const [job] = await db.execute<{ run: string; attempt: number; due: string }>(sql`
      select run_id as run, attempt, due_at as due from engine_jobs
      where function_id = ${`standing-${functionId}`} and state = 'sleeping' and due_at > now()`);
    return job && { ...job, due: new Date(job.due) };
  });
}

/** Makes the delayed calls of all runs of a function due now. */
export async function hasten(db: Database, functionId: string): Promise<void> {
  await makeDue(db, sql`function_id = ${`standing-${functionId}`}`);
}

/** Polls for a result of the function's next attempt, without waiting until that is due. */
export function waitAndHasten<T>(
  db: Database,
  functionId: string,
  poll: () => Promise<T | false>,
): Promise<T> {
  return waitFor(async () => {
    const result = await poll();
    // At each poll: on a slow machine the next attempt may already run, or be over, when this begins.
    if (result === false) await hasten(db, functionId);
    return result;
  });
}

/** Makes everything that one run waits for due now. */
export async function advanceTime(db: Database, run: string): Promise<void> {
  await makeDue(db, sql`run_id = ${run}::uuid`);
}

const makeDue = (db: Database, whereJob: SQL) =>
  db.execute(sql`
    with woken as (
      update engine_jobs set due_at = now() where state = 'sleeping' and ${whereJob} returning run_id
    )
    update engine_steps s set wakes_at = now() from woken
    where s.run_id = woken.run_id and s.wakes_at > now()`);
