import type { EngineEvent } from "@/server/engine/accept-events";
import { createFailure } from "@/server/engine/calls";
import { TICK_EVENT } from "@/server/engine/function-table";
import { type EngineStatus, readEngineStatus } from "@/server/engine/runs";
import { Worker, type WorkerOptions } from "@/server/engine/worker";
import { type Listening, serveHandler } from "@/server/testing/http/listen";
import {
  type CalledFunction,
  callFunction,
  createServerHandler,
  type SdkAnswer,
  type SdkCall,
} from "./inngest-protocol";
import { deriveBearer, isSignedResponse, signCall } from "./inngest-signature";

/** One call of a function and its response, as sent over HTTP. */
export interface Exchange {
  url: string;
  status: number;
  body: string;
  answer: string;
}

export interface InngestExecutor {
  url: string;
  /** The variables that an app needs to work with it. */
  env: Record<string, string>;
  status(): Promise<EngineStatus>;
  stopWork(graceMs?: number): Promise<void>;
  stop(): Promise<void>;
  exchanges: Exchange[];
  /**
   * Makes the app at `url` register its functions; later calls go to the URL that it registered.
   */
  sync(url: string): Promise<void>;
  close(): Promise<void>;
}

const EVENT_KEY = "an-event-key";
const SIGNING_KEY = `signkey-test-${"5".repeat(64)}`;

/**
 * Starts the server side of Inngest's public SDK protocol, over real HTTP and with signatures:
 * accepts events and checkpoints, and registers and calls functions. It is not Inngest's server:
 * the embedded engine's executor decides when to call which step. Tests with it verify the app's
 * side of the protocol, not how that server behaves in cases the protocol leaves open.
 */
export async function startInngestExecutor(
  options: Omit<WorkerOptions, "connections" | "concurrency">,
): Promise<InngestExecutor> {
  const worker = new Worker({ ...options, connections: 4, concurrency: 96 });
  let functions: CalledFunction[] = [];
  const startedBy = ({ name }: EngineEvent) =>
    functions.filter(({ events }) => events.includes(name));
  const handle = createServerHandler(worker.sql, options.log, startedBy);
  const addresses = new Map<string, string>();
  const exchanges: Exchange[] = [];
  let started: Promise<void> | null = null;

  const server: Listening = await serveHandler(async (request) => {
    const { pathname } = new URL(request.url);
    const isEvent = pathname === `/e/${EVENT_KEY}`;
    const isKnown = request.headers.get("authorization") === deriveBearer(SIGNING_KEY);
    if (!isEvent && !isKnown) return Response.json({ error: "unauthorised" }, { status: 401 });
    return handle(request);
  });

  async function call({ url: { searchParams }, body: content }: SdkCall): Promise<SdkAnswer> {
    const url = new URL(addresses.get(searchParams.get("fnId") ?? "") ?? "");
    url.searchParams.set("stepId", searchParams.get("stepId") ?? "");
    const body = JSON.stringify(content);
    const response = await post("POST", url, body).catch(() => null);
    // An unreachable app uses up an attempt, like one that fails.
    if (!response) return { status: 503, headers: {}, body: "" };
    const { status, headers, answer } = response;
    exchanges.push({ url: url.href, status, body, answer });
    if (!isSignedResponse(answer, headers.get("x-inngest-signature"), SIGNING_KEY)) {
      throw new Error(`the app's response is not signed: ${status} ${answer}`);
    }
    return { status, headers: Object.fromEntries(headers), body: answer };
  }

  return {
    url: server.url,
    env: {
      INNGEST_BASE_URL: server.url,
      INNGEST_EVENT_KEY: EVENT_KEY,
      INNGEST_SIGNING_KEY: SIGNING_KEY,
    },
    status: () => readEngineStatus(worker.sql),
    stopWork: (graceMs) => worker.stopWork(graceMs),
    stop: () => worker.stop(),
    exchanges,
    async sync(url) {
      const { status, answer } = await post("PUT", new URL(url), JSON.stringify({ url }), {
        "x-inngest-sync-kind": "in_band",
      });
      if (status !== 200) throw new Error(`the app does not list its functions: ${answer}`);
      const { functions: listed } = JSON.parse(answer) as { functions: Registered[] };
      for (const { id, steps } of listed) addresses.set(id, steps.step.runtime.url);
      functions = listed.map(toRegistered);
      started ??= worker.start({
        functions,
        call: async (job) => {
          const fn = functions.find(({ id }) => id === job.functionId);
          return fn ? callFunction(call, fn, job) : [createFailure("unknown function")];
        },
      });
      await started;
    },
    async close() {
      await worker.stop();
      await server.close();
    },
  };
}

/** A function as an app registers it with its server. */
interface Registered {
  id: string;
  triggers: { event?: string; cron?: string }[];
  steps: { step: { runtime: { url: string }; retries: { attempts: number } } };
  concurrency?: { limit: number; key?: string }[];
}

function toRegistered({ id, triggers, steps, concurrency = [] }: Registered): CalledFunction {
  const perField = concurrency.find(({ key }) => key);
  return {
    id,
    maxAttempts: steps.step.retries.attempts + 1,
    events: triggers.map(({ event }) => event ?? TICK_EVENT),
    crons: triggers.flatMap(({ cron }) => cron ?? []),
    limit: concurrency.find(({ key }) => !key)?.limit ?? null,
    field: perField?.key?.replace("event.data.", "") ?? null,
    perValue: perField?.limit ?? null,
  };
}

async function post(method: string, url: URL, body: string, extra: Record<string, string> = {}) {
  const response = await fetch(url, {
    method,
    headers: {
      "Content-Type": "application/json",
      "x-inngest-signature": signCall(body, SIGNING_KEY),
      ...extra,
    },
    body,
  });
  return { status: response.status, headers: response.headers, answer: await response.text() };
}
