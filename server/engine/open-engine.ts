import { serve } from "inngest/edge";
import type { Logger } from "pino";
import type { BackgroundFunction } from "@/server/lib/background-function";
import type { Env } from "@/server/lib/env";
import { createInngest } from "@/server/lib/inngest";
import { createEngine, type Engine } from "./engine";
import { toInngest } from "./function-table";
import { createOutbox } from "./outbox";

/** Runs the functions: the embedded engine, or the client of an Inngest server. */
export interface OpenEngine<D> extends Omit<Engine<D>, "status"> {
  /** One phrase for log lines and operators. */
  description: string;
  /**
   * Handles the Inngest server's calls at `/api/inngest`, with 503 before `start`; null if the engine is
   * embedded.
   */
  handle: ((request: Request) => Promise<Response>) | null;
  status(): Promise<Record<string, unknown>>;
}

interface Options<D> {
  env: Env;
  databaseUrl: string;
  log: Logger;
  functions: BackgroundFunction<D>[];
}

/** Opens the engine that the `INNGEST_…` variables select; the embedded one if none is set. */
export function openEngine<D>(options: Options<D>): OpenEngine<D> {
  const { INNGEST_DEV, INNGEST_BASE_URL } = options.env;
  return INNGEST_DEV || INNGEST_BASE_URL ? openRemote(options) : openEmbedded(options);
}

function openEmbedded<D>(options: Options<D>): OpenEngine<D> {
  const engine = createEngine({ ...options, retentionDays: options.env.RUN_RETENTION });
  return {
    ...engine,
    description: "embedded, in this process, on the same database",
    handle: null,
    status: async () => ({ kind: "embedded", ...(await engine.status()) }),
  };
}

const DEV_SERVER = "http://127.0.0.1:8288";

function openRemote<D>({ env, databaseUrl, log, functions }: Options<D>): OpenEngine<D> {
  const { INNGEST_DEV, INNGEST_BASE_URL, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY } = env;
  const { INNGEST_SIGNING_KEY_FALLBACK, INNGEST_SERVE_ORIGIN, PUBLIC_URL } = env;
  const devUrl = INNGEST_DEV && URL.canParse(INNGEST_DEV) ? INNGEST_DEV : DEV_SERVER;
  const baseUrl = INNGEST_BASE_URL ?? devUrl;
  const inngest = createInngest({
    isDev: !INNGEST_BASE_URL,
    baseUrl,
    logger: log,
    ...(INNGEST_EVENT_KEY ? { eventKey: INNGEST_EVENT_KEY } : {}),
    ...(INNGEST_SIGNING_KEY ? { signingKey: INNGEST_SIGNING_KEY } : {}),
    ...(INNGEST_SIGNING_KEY_FALLBACK ? { signingKeyFallback: INNGEST_SIGNING_KEY_FALLBACK } : {}),
  });
  const outbox = createOutbox({ databaseUrl, inngest, log });
  let serveCall: ((request: Request) => Promise<Response>) | undefined;
  return {
    ...outbox,
    description: `Inngest at ${new URL(baseUrl).host}`,
    handle: (request) =>
      serveCall ? serveCall(request) : Promise.resolve(new Response(null, { status: 503 })),
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
      return outbox.start();
    },
    async status() {
      const [server, jobs] = await Promise.all([probeServer(baseUrl), outbox.status()]);
      return { kind: "inngest", status: server, server, ...jobs };
    },
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
