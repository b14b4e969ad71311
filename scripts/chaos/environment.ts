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

interface Options {
  /** An existing folder for logs and data. */
  folder: string;
  apps: number;
  /** Draws the clock error of a process, in milliseconds. */
  skewMs: () => number;
}

/** Starts all processes. */
export async function startEnvironment(options: Options): Promise<Environment> {
  const { folder, skewMs } = options;
  // Postgres may run as another user, who needs access.
  await chmod(folder, 0o755);
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const stopPart of stops.splice(0).reverse()) await stopPart().catch(() => {});
  };
  try {
    let cluster: LocalPostgres | null = null;
    const port = await findFreePort();
    const database = await keepRunning<LocalPostgres>("The database", {
      async start() {
        cluster = await startPostgres({ folder: join(folder, "postgres"), port });
        return cluster;
      },
      notify: () => {},
    });
    stops.push(database.stop);
    const chain = await superviseChain(join(folder, "chain"), await findFreePort());
    stops.push(chain.stop);
    const judge = await startFaultyJudge();
    stops.push(judge.close);
    const databaseUrl = database.first.url;
    const ports: number[] = [];
    while (ports.length < options.apps) ports.push(await findFreePort());
    const env = {
      DATABASE_URL: databaseUrl,
      // One URL for all processes, as behind a proxy: every wallet proof contains it.
      PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
      ...buildChainEnv(chain.chain),
      CHAIN_CONFIRMATIONS: "2",
      SECRET_KEY: randomBytes(32).toString("hex"),
      OUTBOUND_ALLOW_LOOPBACK: "true",
      PUBLIC_READS_PER_MINUTE: "1000000",
      DISPUTE_RESPONSE_WINDOW: "12s",
      OPENAI_BASE_URL: judge.url,
      JUDGE_MODEL: GULLIBLE_MODELS.model,
      JUDGE_ESCALATION_MODEL: GULLIBLE_MODELS.escalationModel,
      JUDGE_TIMEOUT_SECONDS: "6",
      LOG_LEVEL: "info",
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
      killDatabase: () => sendSignal(cluster?.pid, "SIGKILL"),
      async sql(work) {
        const sql = postgres(databaseUrl, {
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
      },
      async isServing() {
        const all = await Promise.all(apps.map(isServing));
        return all.every(Boolean);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
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
