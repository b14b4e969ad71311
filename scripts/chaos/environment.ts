import { randomBytes } from "node:crypto";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { type LocalPostgres, startPostgres } from "@/server/local/postgres";
import { findFreePort, keepRunning } from "@/server/local/process";
import { GULLIBLE_MODELS } from "@/server/testing/model/gullible-model";
import { buildChainEnv } from "@/server/testing/process/process-env";
import { type ChainNode, sendSignal, superviseChain } from "./chain-node";
import { type FaultyJudge, startFaultyJudge } from "./faulty-endpoints";
import { type ServiceProcess, superviseService } from "./service-process";

/** The service and everything it depends on, each in a separate process. */
export interface Environment {
  apps: ServiceProcess[];
  chain: ChainNode;
  judge: FaultyJudge;
  /** The service's configuration. */
  env: Record<string, string>;
  killDatabase(): boolean;
  /** Runs `work` on a new connection and closes it. Throws if the database is unavailable. */
  sql<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T>;
  /** Returns whether every process of the service responds. */
  isServing(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Number of service processes. */
const APPS = 2;

interface Options {
  /** An existing folder for logs and data. */
  folder: string;
  /** Draws the clock error of a process, in milliseconds. */
  skewMs: () => number;
}

/** Starts all processes. */
export async function startEnvironment({ folder, skewMs }: Options): Promise<Environment> {
  // Postgres may run as another user, who needs access.
  await chmod(folder, 0o755);
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const stopPart of stops.splice(0).reverse()) await stopPart().catch(() => {});
  };
  try {
    const database = await superviseDatabase(join(folder, "postgres"));
    stops.push(database.stop);
    const chain = await superviseChain(join(folder, "chain"), await findFreePort());
    stops.push(chain.stop);
    const judge = await startFaultyJudge();
    stops.push(judge.close);
    const ports: number[] = [];
    while (ports.length < APPS) ports.push(await findFreePort());
    const env = {
      DATABASE_URL: database.url,
      // One URL for all processes, as behind a proxy: every wallet proof contains it.
      PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
      ...buildChainEnv(chain.chain),
      SECRET_KEY: randomBytes(32).toString("hex"),
      OPENAI_BASE_URL: judge.url,
      ...SERVICE_ENV,
    };
    const apps: ServiceProcess[] = [];
    for (const [index, port] of ports.entries()) {
      const app = { name: `app-${index + 1}`, port, folder, env, skewMs };
      apps.push(await superviseService(app));
    }
    stops.push(...apps.map((app) => app.stop));
    return {
      apps,
      chain,
      judge,
      env,
      killDatabase: database.kill,
      sql: (work) => runSql(database.url, work),
      isServing: async () => (await Promise.all(apps.map(isServing))).every(Boolean),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const SERVICE_ENV = {
  CHAIN_CONFIRMATIONS: "2",
  OUTBOUND_ALLOW_LOOPBACK: "true",
  PUBLIC_READS_PER_MINUTE: "1000000",
  DISPUTE_RESPONSE_WINDOW: "12s",
  JUDGE_MODEL: GULLIBLE_MODELS.model,
  JUDGE_ESCALATION_MODEL: GULLIBLE_MODELS.escalationModel,
  JUDGE_TIMEOUT_SECONDS: "6",
  LOG_LEVEL: "info",
};

/** Runs a Postgres that restarts whenever it ends. */
async function superviseDatabase(folder: string) {
  const port = await findFreePort();
  let current: LocalPostgres | null = null;
  const { first, stop } = await keepRunning<LocalPostgres>("The database", {
    async start() {
      current = await startPostgres({ folder, port });
      return current;
    },
    notify: () => {},
  });
  return { url: first.url, kill: () => sendSignal(current?.pid, "SIGKILL"), stop };
}

async function runSql<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, {
    max: 1,
    connect_timeout: 5,
    onnotice: () => {},
    transform: postgres.camel,
  });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Returns whether a process of the service is ready. */
export const isServing = ({ url }: ServiceProcess): Promise<boolean> =>
  fetch(`${url}/api/v1/network`, { signal: AbortSignal.timeout(5_000) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
