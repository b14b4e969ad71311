import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { ensureDependencies } from "@/scripts/lib/dependencies.mjs";
import { killChild, spawnNode, spawnService } from "@/scripts/lib/spawn-service";
import { migrateDatabase } from "@/server/db/migrate";
import { MINUTE_MS } from "@/server/lib/time";
import { type LocalChain, startAnvil } from "@/server/local/anvil";
import { startPostgres } from "@/server/local/postgres";
import { findFreePort, pollWhileAlive } from "@/server/local/process";
import { buildChainEnv } from "@/server/testing/process/process-env";

/** Environment of the benchmarks: one Postgres, chains and servers, each in a separate process. */
export type BenchEnvironment = Awaited<ReturnType<typeof startBenchEnvironment>>;

export interface Server {
  url: string;
  pid: number;
  process: ChildProcess;
  stop(): Promise<void>;
}

/** Installs the tools and runs `work` in a new environment that ends with it, or on Ctrl-C. */
export async function withBenchEnvironment(
  work: (env: BenchEnvironment) => Promise<void>,
): Promise<void> {
  await ensureDependencies({ tools: true });
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
async function startBenchEnvironment() {
  const folder = await mkdtemp(join(tmpdir(), "standing-bench-"));
  const stops = [() => rm(folder, { recursive: true, force: true })];
  await chmod(folder, 0o755);
  const cluster = await startPostgres({ folder: join(folder, "postgres") });
  stops.push(cluster.stop);
  const admin = postgres(cluster.url, { max: 1 });
  stops.push(() => admin.end());
  let servers = 0;
  /** Starts a server with its output in a file. Throws with that output if it does not serve. */
  async function startServer(
    startChild: (logFile: string) => ChildProcess,
    waitForUrl: (child: ChildProcess) => Promise<string | null>,
  ): Promise<Server> {
    const logFile = join(folder, `server-${++servers}.log`);
    const child = startChild(logFile);
    const stop = () => killChild(child);
    stops.push(stop);
    const url = await waitForUrl(child);
    if (url) return { url, pid: child.pid ?? 0, process: child, stop };
    await stop();
    throw new Error(`The server does not serve:\n${await readFile(logFile, "utf8")}`);
  }

  return {
    /** Process id of Postgres, whose children are its connections. */
    postgresPid: cluster.pid,
    /**
     * Creates a database with the service's schema, or a copy of `from`, which must have no
     * connections.
     */
    async createDatabase(name: string, from?: string) {
      const url = new URL(cluster.url);
      url.pathname = `/${name}`;
      await admin.unsafe(`create database ${name}${from ? ` template ${from}` : ""}`);
      if (!from) await migrateDatabase(url.href);
      return url.href;
    },
    async startChain(options: { blockTime?: number } = {}) {
      const chain = await startAnvil(options);
      stops.push(chain.stop);
      return chain;
    },
    /**
     * Runs the module `file`, without this process's environment so that runs are comparable, and resolves
     * once it reports its port.
     */
    startModule: (file: string, { args = [], env }: ModuleOptions) =>
      startServer(
        (logFile) =>
          spawnNode(["--import", "tsx", join(import.meta.dirname, file), ...args], logFile, env),
        (child) =>
          Promise.race([
            once(child, "message").then(([{ port }]) => `http://127.0.0.1:${port}`),
            once(child, "exit").then(() => null),
          ]),
      ),
    /**
     * Runs the built service with its pages, as `npm start` does but for `nodeArgs`, and resolves once it
     * serves.
     */
    async startBuiltService(env: Record<string, string>, nodeArgs: string[] = []) {
      const port = await findFreePort();
      const url = `http://127.0.0.1:${port}`;
      return startServer(
        (logFile) => spawnService({ port, env, nodeArgs, logFile }),
        async ({ pid }) =>
          (await pollWhileAlive(pid, () => isServing(url), MINUTE_MS)) ? url : null,
      );
    },
    /** Ends everything, newest first. */
    async stop() {
      for (const stop of stops.splice(0).reverse()) await stop();
    },
  };
}

interface ModuleOptions {
  args?: string[];
  env?: Record<string, string>;
}

/** Whether the service at `url` responds to its health check with success. */
const isServing = (url: string): Promise<boolean> =>
  fetch(`${url}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  );

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
