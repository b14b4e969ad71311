import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import next from "next";
import { findPageParameters } from "@/components/site/page-parameters";
import { THEME_COOKIE, THEMES } from "@/components/site/theme";
import { loadDotEnv } from "@/scripts/lib/dot-env.mjs";
import { printStage } from "@/scripts/lib/print-stage.mjs";
import { printNotice, printReady } from "@/scripts/lib/startup-output";
import { openRuntime, type Runtime } from "@/server/bootstrap/boot";
import { findLocalModel } from "@/server/bootstrap/find-local-model";
import type { Stage } from "@/server/bootstrap/parts";
import { setRuntime } from "@/server/bootstrap/runtime";
import { findPublicNode } from "@/server/chain/public-node";
import { getWalletConnectors } from "@/server/chain/wallet-connectors";
import { serveCompressedFirst } from "@/server/http/compressed-files";
import { createHttpServer, type Drainable, makeDrainable } from "@/server/http/http-server";
import { cachePages } from "@/server/http/page-cache";
import { createPageLimit } from "@/server/http/page-limit";
import { getAllowedOrigins, setPagePolicy } from "@/server/http/page-policy";
import { createPageRenderer, type RenderPage } from "@/server/http/render-page";
import { createRequestHandler } from "@/server/http/request-handler";
import { warmUp } from "@/server/http/warm-up";
import { type Env, hasModel, IS_DEVELOPMENT, parseEnv } from "@/server/lib/env";
import { StartupError } from "@/server/lib/errors";
import { openLocalParts } from "@/server/local/local-parts";
import { createHstsHeader } from "@/server/rest/response";
import { CommandError } from "./scripts/lib/command-error.mjs";
import { exitProcess, exitProcessAfter } from "./server/lib/process/exit";
import { toLoggableError } from "./server/lib/process/log";
import { closeWorkerPool } from "./server/lib/process/worker-pool";

/**
 * Time limit of the shutdown after the drain, for open requests, runs and parts. After it the process
 * exits.
 */
const SHUTDOWN_TIMEOUT_MS = 45_000;
const RUNS_TIMEOUT_MS = 10_000;
/** How long the shutdown waits for a page of the warm-up, which would fail without the database. */
const WARM_UP_TIMEOUT_MS = 1_000;
/** A single stop may send several signals: to the process and to its process group. */
const REPEATED_SIGNAL_MS = 1_000;

/** The abort reason of a requested shutdown; any other reason is an error. */
class StopRequested extends Error {}

const stopping = new AbortController();
/** Aborts when the drain should be cut short. */
const skipDrain = new AbortController();
let drainMs = 0;

/**
 * Runs the process until it is stopped. Always throws the reason for the shutdown, even a normal one.
 */
async function main(): Promise<never> {
  listenForStop();
  loadDotEnv();
  const env = parseEnv();
  drainMs = env.DRAIN_SECONDS * 1_000;
  const started = performance.now();
  const localModel = hasModel(env) ? null : findLocalModel();
  const parts = await openLocalParts(env, stage, printNotice);
  stopping.signal.addEventListener("abort", () => parts.stopping?.());
  const runtime = await openRuntime(env, parts, stage);
  try {
    const { server, render } = await serve(env, runtime);
    const warm = IS_DEVELOPMENT ? null : warmUpPages(runtime, render);
    await runtime.startWork(stage);
    const seconds = (performance.now() - started) / 1000;
    printReady({ runtime, logFile: parts.logFile, seconds, localModel: await localModel });
    if (!stopping.signal.aborted) await once(stopping.signal, "abort");
    const graceMs = skipDrain.signal.aborted ? 0 : drainMs;
    const workStopped = runtime.stopWork(Math.max(graceMs, RUNS_TIMEOUT_MS));
    await server.drain(drainMs, skipDrain.signal);
    await workStopped;
    await Promise.race([warm, pause(WARM_UP_TIMEOUT_MS, undefined, { ref: false })]);
  } finally {
    await runtime.stop().catch((error) => printError("The shutdown failed", error));
    await closeWorkerPool();
  }
  throw stopping.signal.reason;
}

function listenForStop(): void {
  let requestedAt = Number.POSITIVE_INFINITY;
  const requestStop = () => {
    if (!stopping.signal.aborted) requestedAt = performance.now();
    else if (performance.now() - requestedAt > REPEATED_SIGNAL_MS) skipDrain.abort();
    stopping.abort(new StopRequested());
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, requestStop);
  const stopNow = (reason: Error) => {
    skipDrain.abort();
    stopping.abort(reason);
  };
  // The channel to npm start closes however that process ends. Its next start waits for the port.
  process.on("disconnect", () => stopNow(new StopRequested()));
  if (process.send && !process.connected) stopNow(new StopRequested());
  // State may be inconsistent after an uncaught error, so the service shuts down, but gracefully.
  process.on("uncaughtException", (error) => {
    printError("Uncaught error", error);
    stopNow(error);
  });
  stopping.signal.addEventListener("abort", () => exitProcessAfter(drainMs + SHUTDOWN_TIMEOUT_MS));
}

/** Runs a startup stage. Throws if a shutdown was requested before it. */
const stage: Stage = (name, work, result) => {
  stopping.signal.throwIfAborted();
  return printStage(name, work, result);
};

interface Serving {
  server: Drainable;
  /** Renders a page, without limits and caches. */
  render: RenderPage;
}

async function serve(env: Env, runtime: Runtime): Promise<Serving> {
  setRuntime(runtime);
  const pages = next({
    dev: IS_DEVELOPMENT,
    dir: process.cwd(),
    hostname: env.HOST,
    port: env.PORT,
    // Next would listen for `Upgrade` on our server and close connections that send it, such as those
    // of curl --http2 and Java's client. Development needs it: pages reload over a WebSocket.
    ...(IS_DEVELOPMENT ? {} : { httpServer: createServer() }),
  });
  await stage("Web", pages.prepare.bind(pages), () => "pages and API");
  const nextHandler = pages.getRequestHandler();
  const handler = IS_DEVELOPMENT
    ? nextHandler
    : await serveCompressedFirst(nextHandler, ".next/static");
  const publicPages = {
    findParameters: findPageParameters,
    variant: { cookie: THEME_COOKIE, values: THEMES },
  };
  const { id, rpcUrl } = runtime.core.chain;
  const node = findPublicNode({ id, rpcUrl });
  const verifyPage = { connect: node ? [new URL(node).origin] : [], frame: [] };
  const ownerPages = getAllowedOrigins({ rpcUrl, connectors: getWalletConnectors(env, id) });
  const headers = createHstsHeader(env);
  const policy = { ownerPages, verifyPage, headers, isDevelopment: IS_DEVELOPMENT };
  const server = createHttpServer(
    createRequestHandler(runtime, handler, policy, createPageLimit(env), (pages) =>
      IS_DEVELOPMENT ? pages : cachePages(pages, publicPages),
    ),
  );
  const drainable = makeDrainable(server);
  if (IS_DEVELOPMENT) disconnectOnStop(server);
  await listen(server, env.PORT, env.HOST);
  const render = createPageRenderer((req, res) => {
    setPagePolicy(req, res, policy);
    return handler(req, res);
  });
  return { server: drainable, render };
}

const warmUpPages = ({ core, url }: Runtime, render: RenderPage): Promise<void> =>
  warmUp({ render, host: new URL(url).host, log: core.log, signal: stopping.signal });

/** Closes connections to open pages on shutdown, so that development restarts quickly. */
function disconnectOnStop(server: Server): void {
  server.on("upgrade", (_req, socket) => {
    stopping.signal.addEventListener("abort", () => socket.destroy());
  });
  stopping.signal.addEventListener("abort", () => server.closeAllConnections());
}

function printError(sentence: string, error: unknown): void {
  console.error(`\n${sentence}:`, toLoggableError(error));
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", ({ code }: NodeJS.ErrnoException) => {
      reject(
        new StartupError(
          code === "EADDRINUSE"
            ? `Port ${port} is taken: stop the program that uses it, or choose another port with PORT.`
            : `Cannot listen on ${host}:${port} (${code}): check HOST and PORT.`,
        ),
      );
    });
    server.listen(port, host, resolve);
  });
}

main().catch((error: unknown) => {
  if (error instanceof StopRequested) return exitProcess(0);
  if (error instanceof StartupError || error instanceof CommandError) {
    console.error(`\n${error.message}`);
  } else if (error !== stopping.signal.reason) {
    printError("Standing cannot start because of an internal error", error);
  }
  return exitProcess(1);
});
