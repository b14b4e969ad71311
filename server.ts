import { once } from "node:events";
import { createServer, type Server } from "node:http";
import next from "next";
import { printReady, printStage, say } from "@/scripts/lib/progress";
import { openRuntime, type Runtime } from "@/server/boot";
import { frontOf } from "@/server/front";
import { CannotStart } from "@/server/lib/cannot-start";
import { type Env, EnvError, parseEnv } from "@/server/lib/env";
import { loggableError } from "@/server/lib/loggable-error";
import { openLocalParts } from "@/server/local/local-parts";
import { reachOf } from "@/server/page-policy";
import type { Stage } from "@/server/parts";
import { provideRuntime } from "@/server/runtime";

/** Requests under way, then runs under way, then the parts: what takes longer is cut off. */
const ANSWERED_WITHIN_MS = 10_000;
const STOPPED_WITHIN_MS = 45_000;

/** The end that somebody asked for; any other is a fault. */
class ToldToStop extends Error {}

const told = new AbortController();

/**
 * The process: the REST door answers first, Next has the rest, and a stop loses nothing. Throws
 * the reason of its end, also where that is the usual one.
 */
async function main(): Promise<never> {
  listenForTheEnd();
  loadDotEnv();
  const env = parseEnv();
  const started = performance.now();
  const parts = await openLocalParts(env, stage, say);
  told.signal.addEventListener("abort", () => parts.stopping?.());
  const runtime = await openRuntime(env, parts, stage);
  try {
    const server = await serve(env, runtime);
    const seconds = (performance.now() - started) / 1000;
    printReady({ env, runtime, logFile: parts.logFile, seconds });
    if (!told.signal.aborted) await once(told.signal, "abort");
    await close(server);
  } finally {
    await runtime.stop().catch((error) => sayFault("Not everything ended as it should", error));
  }
  throw told.signal.reason;
}

function listenForTheEnd(): void {
  const end = () => told.abort(new ToldToStop());
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end);
  // The channel to npm start ends with it, however that ended.
  process.on("disconnect", end);
  if (process.send && !process.connected) end();
  // Nobody knows what such a fault left half done: it ends the service, but in order.
  process.on("uncaughtException", (error) => {
    sayFault("A fault that nobody caught", error);
    told.abort(error);
  });
  told.signal.addEventListener("abort", () => {
    setTimeout(() => process.exit(1), STOPPED_WITHIN_MS).unref();
  });
}

/** Begins no stage after the end was asked for. */
const stage: Stage = (name, work, result) => {
  told.signal.throwIfAborted();
  return printStage(name, work, result);
};

async function serve(env: Env, runtime: Runtime): Promise<Server> {
  provideRuntime(runtime);
  const pages = next({
    dev: false,
    dir: process.cwd(),
    hostname: env.HOST,
    port: env.PORT,
    // Next would listen for `Upgrade` on ours and hang up on it, as on curl --http2 and Java's client.
    httpServer: createServer(),
  });
  await stage(
    "Web",
    () => pages.prepare(),
    () => "pages and API",
  );
  const front = frontOf(runtime, pages.getRequestHandler(), reachOf(runtime.core.chain));
  const server = createServer((req, res) => {
    if (told.signal.aborted) res.setHeader("Connection", "close");
    front(req, res);
  });
  await listen(server, env.PORT, env.HOST);
  return server;
}

/** Takes no more connections, answers what is under way, and hangs up on who asks nothing. */
async function close(server: Server): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  const late = setTimeout(() => server.closeAllConnections(), ANSWERED_WITHIN_MS);
  await new Promise<void>((closed) => server.close(() => closed()));
  clearInterval(idle);
  clearTimeout(late);
}

function sayFault(sentence: string, error: unknown): void {
  console.error(`\n${sentence}:`, loggableError(error));
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", ({ code }: NodeJS.ErrnoException) => {
      reject(
        new CannotStart(
          code === "EADDRINUSE"
            ? `Port ${port} is taken: stop what listens there, or choose another with PORT.`
            : `Cannot listen on ${host}:${port} (${code}): check HOST and PORT.`,
        ),
      );
    });
    server.listen(port, host, resolve);
  });
}

function loadDotEnv(): void {
  try {
    process.loadEnvFile(".env");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT") throw new CannotStart(`The file .env cannot be read (${code}).`);
  }
}

main().catch((error: unknown) => {
  if (error instanceof ToldToStop) process.exit(0);
  if (error instanceof EnvError) {
    console.error(`\nThe configuration is wrong:\n${error.message}`);
  } else if (error instanceof CannotStart) {
    console.error(`\n${error.message}`);
  } else if (error !== told.signal.reason) {
    sayFault("Standing cannot start by a fault of its own", error);
  }
  process.exit(1);
});
