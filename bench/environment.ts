import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { spawnService } from "@/scripts/lib/spawn-service";
import { migrateDatabase } from "@/server/db/migrate";
import { MINUTE_MS } from "@/server/lib/time";
import { type LocalChain, startAnvil } from "@/server/local/anvil";
import { startPostgres } from "@/server/local/postgres";
import { findFreePort, pollWhileAlive } from "@/server/local/process";
import { buildChainEnv } from "@/server/testing/process/process-env";

/** Environment of the benchmarks: one Postgres, chains and servers, each in a separate process. */
export interface BenchEnvironment {
  /** Process id of Postgres, whose children are its connections. */
  postgresPid: number;
  /**
   * Creates a database with the service's schema, or a copy of `from`, which must have no
   * connections.
   */
  createDatabase(name: string, from?: string): Promise<string>;
  startChain(options?: { blockTime?: number }): Promise<LocalChain>;
  /** Runs the module `file` and resolves to its URL once it listens. */
  startServer(
    file: string,
    options: { args?: string[]; env?: Record<string, string> },
  ): Promise<Server>;
  /** Runs the built service with its pages, as `npm start` does, and resolves once it serves. */
  startBuiltService(env: Record<string, string>): Promise<Server>;
}

export interface Server {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Runs `work` in a new environment that ends with it, or on Ctrl-C. */
export async function withBenchEnvironment(
  work: (env: BenchEnvironment) => Promise<void>,
): Promise<void> {
  const env = await startBenchEnvironment();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void env.stop().finally(() => process.exit(130)));
  }
  try {
    await work(env);
  } finally {
    await env.stop();
  }
}

/** Opens an environment in a new folder. Postgres syncs to disk, as in production. */
async function startBenchEnvironment(): Promise<BenchEnvironment & { stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "standing-bench-"));
  const stops = [() => rm(folder, { recursive: true, force: true })];
  await chmod(folder, 0o755);
  const cluster = await startPostgres({ folder: join(folder, "postgres") });
  stops.push(cluster.stop);
  const admin = postgres(cluster.url, { max: 1 });
  stops.push(() => admin.end());
  let servers = 0;

  const nextLogFile = () => join(folder, `server-${++servers}.log`);

  return {
    postgresPid: cluster.pid,
    async createDatabase(name, from) {
      const url = new URL(cluster.url);
      url.pathname = `/${name}`;
      await admin.unsafe(`create database ${name}${from ? ` template ${from}` : ""}`);
      if (!from) {
        await migrateDatabase(url.href);
      }
      return url.href;
    },
    async startChain(options = {}) {
      const chain = await startAnvil(options);
      stops.push(chain.stop);
      return chain;
    },
    async startServer(file, options) {
      const server = await startServer(file, nextLogFile(), options);
      stops.push(server.stop);
      return server;
    },
    async startBuiltService(env) {
      const server = await startBuiltService(env, nextLogFile());
      stops.push(server.stop);
      return server;
    },
    /** Ends everything, newest first. */
    async stop() {
      for (const stop of stops.splice(0).reverse()) await stop();
    },
  };
}

async function startServer(
  file: string,
  logFile: string,
  { args = [], env = {} }: { args?: string[]; env?: Record<string, string> },
): Promise<Server> {
  const log = openSync(logFile, "w");
  const child = fork(join(import.meta.dirname, file), args, {
    execArgv: ["--import", "tsx"],
    // Excludes this process's environment, so that runs are comparable.
    env: { NODE_ENV: "production", ...env },
    stdio: ["ignore", log, log, "ipc"],
  });
  closeSync(log);
  const { pid = 0 } = child;
  const stop = () => endProcess(child);
  const ready = await Promise.race([
    once(child, "message").then(([message]) => message as { port: number }),
    once(child, "exit").then(() => null),
  ]);
  if (ready) return { url: `http://127.0.0.1:${ready.port}`, pid, stop };
  throw new Error(`${file} ended at once:\n${await readFile(logFile, "utf8")}`);
}

async function startBuiltService(env: Record<string, string>, logFile: string): Promise<Server> {
  const port = await findFreePort();
  const log = openSync(logFile, "w");
  const child = spawnService({ port, env, output: log });
  closeSync(log);
  const { pid = 0 } = child;
  const url = `http://127.0.0.1:${port}`;
  const isServing = () =>
    fetch(`${url}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  if (await pollWhileAlive(pid, isServing, MINUTE_MS)) {
    return { url, pid, stop: () => endProcess(child) };
  }
  await endProcess(child);
  throw new Error(`The service does not serve:\n${await readFile(logFile, "utf8")}`);
}

/**
 * Kills the process, because responses that a server withholds on purpose would keep it running.
 */
async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** Returns the configuration of a service under test: as in production, without read limits per client. */
export function buildServiceEnv(databaseUrl: string, chain: LocalChain): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    ...buildChainEnv(chain),
    SECRET_KEY: "0".repeat(64),
    // The rate limiter counts every request of the only client, and admits all of them.
    PUBLIC_READS_PER_MINUTE: "1000000000",
  };
}
