import { serve } from "inngest/edge";
import type { Logger } from "pino";
import type { BackgroundFunction } from "@/server/lib/background-function";
import type { Publish } from "@/server/lib/context";
import type { Env } from "@/server/lib/env";
import { createInngest, type InngestClient } from "@/server/lib/inngest";
import { acceptEvents, type EngineEvent } from "./accept-events";
import { callInProcess } from "./call-in-process";
import { type Call, getBackoff } from "./calls";
import { type RegisteredFunction, toInngest, toRegistered } from "./function-table";
import { type EngineStatus, readEngineStatus } from "./runs";
import { Worker, type WorkerOptions } from "./worker";

/** Runs the functions: in this process, or as the client of an Inngest server. */
export interface Engine<D = unknown> {
  /** One phrase for log lines and operators. */
  description: string;
  publish: Publish;
  /**
   * Handles the Inngest server's calls at `/api/inngest`, with 503 before `start`; null if the engine is
   * embedded.
   */
  handle: ((request: Request) => Promise<Response>) | null;
  /** Starts working, with what the functions need. Starts nothing once stopping has begun. */
  start(dependencies: D): Promise<void>;
  /**
   * Takes no more work and lets running calls finish, for at most `graceMs` (default 10 s); calls
   * that are still running then are repeated elsewhere. `publish` and `status` keep working.
   */
  stopWork(graceMs?: number): Promise<void>;
  /** Calls `stopWork`, then closes the connections. */
  stop(graceMs?: number): Promise<void>;
  status(): Promise<EngineStatus & Record<string, unknown>>;
}

export interface EngineOptions<D> extends Partial<WorkerOptions> {
  env: Env;
  databaseUrl: string;
  log: Logger;
  functions: BackgroundFunction<D>[];
}

/** Opens the engine that the `INNGEST_…` variables select; the embedded one if none is set. */
export function openEngine<D>(options: EngineOptions<D>): Engine<D> {
  const { INNGEST_DEV, INNGEST_BASE_URL } = options.env;
  return INNGEST_DEV || INNGEST_BASE_URL ? openRemote(options) : openEmbedded(options);
}

/**
 * Runs the functions in this process, on Postgres: steps, `sleepUntil`, events, crons, retries and
 * concurrency keys, as an Inngest server does. Any number of processes may share one database. Steps run
 * at least once; a step's result is stored before the function continues, and a stored step never runs
 * again. Up to 96 calls run at once by default, because most wait for I/O.
 */
function openEmbedded<D>({ functions, env, ...options }: EngineOptions<D>): Engine<D> {
  const registered = functions.map((fn) => toRegistered(fn as BackgroundFunction, env));
  const worker = new Worker({ concurrency: 96, connections: 4, ...options });
  return {
    description: "embedded, in this process, on the same database",
    handle: null,
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
    status: async () => ({ kind: "embedded", ...(await readEngineStatus(worker.sql)) }),
  };
}

const DEV_SERVER = "http://127.0.0.1:8288";

/** Sends one event per run. The ids of its runs and events are stored, so they never change. */
const SEND: RegisteredFunction = {
  id: "outbox",
  events: ["outbox/event"],
  crons: [],
  limit: null,
  field: null,
  perValue: null,
};

/**
 * Serves the functions to an Inngest server. Events are stored in the transaction of the change they
 * announce, and sent after it commits, until the server has accepted them. The server deduplicates
 * repeated events by id.
 */
function openRemote<D>({ functions, env, ...options }: EngineOptions<D>): Engine<D> {
  const { INNGEST_DEV, INNGEST_BASE_URL, INNGEST_SERVE_ORIGIN, PUBLIC_URL } = env;
  const devUrl = INNGEST_DEV && URL.canParse(INNGEST_DEV) ? INNGEST_DEV : DEV_SERVER;
  const baseUrl = INNGEST_BASE_URL ?? devUrl;
  const inngest = openClient(env, baseUrl, options.log);
  const worker = new Worker({ concurrency: 4, connections: 2, ...options });
  let serveCall: ((request: Request) => Promise<Response>) | undefined;
  return {
    description: `Inngest at ${new URL(baseUrl).host}`,
    handle: (request) =>
      serveCall ? serveCall(request) : Promise.resolve(new Response(null, { status: 503 })),
    async publish(tx, events) {
      const ts = Date.now();
      const [name = ""] = SEND.events;
      const wrapped = events.map((event) => ({
        id: `outbox:${event.id}`,
        name,
        data: { ...event, ts },
        ts,
      }));
      await acceptEvents(tx.sql, wrapped, () => [SEND]);
    },
    start(dependencies) {
      // The registration endpoint is public. If the address were taken from the request, as the SDK
      // does by default, a forged `Host` would make the server send every call to another host.
      const serveOrigin = INNGEST_SERVE_ORIGIN ?? PUBLIC_URL;
      serveCall = serve({
        client: inngest,
        functions: toInngest(inngest, functions, { env, dependencies }),
        ...(serveOrigin ? { serveOrigin: new URL(serveOrigin).origin } : {}),
        servePath: "/api/inngest",
      });
      return worker.start({ functions: [SEND], call: sendEvent(inngest, options.log) });
    },
    stopWork: (graceMs) => worker.stopWork(graceMs),
    stop: (graceMs) => worker.stop(graceMs),
    async status() {
      const [server, jobs] = await Promise.all([
        probeServer(baseUrl),
        readEngineStatus(worker.sql),
      ]);
      return { kind: "inngest", status: server, server, ...jobs };
    },
  };
}

function openClient(env: Env, baseUrl: string, logger: Logger): InngestClient {
  const { INNGEST_BASE_URL, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY } = env;
  const { INNGEST_SIGNING_KEY_FALLBACK } = env;
  return createInngest({
    isDev: !INNGEST_BASE_URL,
    baseUrl,
    logger,
    ...(INNGEST_EVENT_KEY ? { eventKey: INNGEST_EVENT_KEY } : {}),
    ...(INNGEST_SIGNING_KEY ? { signingKey: INNGEST_SIGNING_KEY } : {}),
    ...(INNGEST_SIGNING_KEY_FALLBACK ? { signingKeyFallback: INNGEST_SIGNING_KEY_FALLBACK } : {}),
  });
}

/** Limits the delay of an event after the server is available again, however long the outage was. */
const MAX_RETRY_DELAY_MS = 300_000;

/** Returns the call that sends the event of a job of the outbox to the Inngest server. */
function sendEvent(inngest: InngestClient, log: Logger): Call {
  return async ({ event, attempt }) => {
    const sent = event?.data as unknown as EngineEvent;
    try {
      await inngest.send(sent);
      return [{ kind: "completed", output: null }];
    } catch (error) {
      const due = { inMs: Math.min(getBackoff(attempt).inMs, MAX_RETRY_DELAY_MS) };
      log.warn({ err: error, event: sent.id, due }, "cannot reach the Inngest server");
      return [{ kind: "retry", due, error: null }];
    }
  };
}

const PROBE_TIMEOUT_MS = 1_500;

/** Checks if the Inngest server answers. A proxy in front of a dead one returns a status from 500 on. */
async function probeServer(baseUrl: string): Promise<"ok" | "unavailable"> {
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  const response = await fetch(new URL("/health", baseUrl), { signal }).catch(() => null);
  await response?.body?.cancel();
  return response && response.status < 500 ? "ok" : "unavailable";
}
