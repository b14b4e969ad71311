import { renameSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Hex } from "viem";
import {
  describeChain,
  getConfiguredChain,
  type ServiceParts,
  type Stage,
  stopAll,
} from "@/server/bootstrap/parts";
import { type Env, getLocalUrl } from "@/server/lib/env";
import { StartupError } from "@/server/lib/errors";
import { type LocalChain, startAnvil } from "./anvil";
import { type DataFolder, openDataFolder } from "./data-folder";
import { type LocalPostgres, startPostgres } from "./postgres";
import { keepRunning } from "./process";

type Stops = (() => Promise<void>)[];

const LOG_LIMIT = 10 * 1024 * 1024;

/** Receives messages for the user. */
type Notify = (message: string) => void;

/**
 * Uses the parts that the environment configures, and starts and supervises the others. `stop` ends
 * the started ones in reverse order.
 */
export async function openLocalParts(
  env: Env,
  stage: Stage,
  notify: Notify,
): Promise<ServiceParts> {
  const stops: Stops = [];
  const stop = () => stopAll(stops);
  try {
    const needsFolder = !env.DATABASE_URL || !env.CHAIN_RPC_URL || !env.SECRET_KEY;
    const folder = needsFolder ? await openDataFolder(env.DATA_DIR, getLocalUrl(env)) : null;
    if (folder) stops.push(async () => folder.release());
    const database = await stage(
      "Database",
      () => withStartupErrors(() => openDatabasePart(env, stops, notify)),
      ({ text }) => text,
    );
    const chain = await stage(
      "Chain",
      () => withStartupErrors(() => openChainPart(env, folder, stops, notify)),
      ({ text }) => text,
    );
    return {
      databaseUrl: database.url,
      chain: chain.config,
      secretKey: env.SECRET_KEY ?? folder?.secretKey ?? "",
      local: { database: !env.DATABASE_URL, chain: !env.CHAIN_RPC_URL },
      describe: { database: database.text, chain: chain.text },
      notify,
      logFile: env.LOG_LEVEL || !folder ? undefined : rotateLog(folder),
      onChainRestart: chain.onRestart,
      stopping: () => folder?.stopping(),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openDatabasePart(env: Env, stops: Stops, notify: Notify) {
  if (env.DATABASE_URL) return { url: env.DATABASE_URL, text: "given by DATABASE_URL" };
  const { first, stop } = await keepRunning<LocalPostgres>("The database", {
    start: (before) =>
      startPostgres({
        folder: join(env.DATA_DIR, "postgres"),
        port: before ? getPort(before.url) : undefined,
      }),
    notify,
  });
  stops.push(stop);
  return { url: first.url, text: `embedded PostgreSQL 18 in ${first.folder}` };
}

async function openChainPart(env: Env, data: DataFolder | null, stops: Stops, notify: Notify) {
  const given = getConfiguredChain(env);
  if (given) return { text: describeChain(given), config: given, onRestart: () => {} };
  let onRestart = async () => {};
  const { first, stop } = await keepRunning<LocalChain>("The local chain", {
    start: (before) =>
      startAnvil({
        folder: join(env.DATA_DIR, "chain"),
        statementKey: (env.STATEMENT_KEY as Hex | undefined) ?? data?.statementKey,
        port: before ? getPort(before.rpcUrl) : undefined,
        notify,
      }),
    onRestart: () => onRestart(),
    notify,
  });
  stops.push(stop);
  return {
    text: `local chain ${first.chainId} at ${first.rpcUrl}, test USDC`,
    config: {
      ...first,
      identityAddress: env.ERC8004_IDENTITY_ADDRESS ?? first.identityAddress,
      confirmations: env.CHAIN_CONFIRMATIONS ?? 1,
    },
    onRestart: (listener: () => Promise<void>) => {
      onRestart = listener;
    },
  };
}

const getPort = (url: string) => Number(new URL(url).port);

/** Turns system call errors, such as a full disk or a missing permission, into `StartupError`. */
async function withStartupErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new StartupError(`A part of local mode cannot start: ${error.message}.`, {
      cause: error,
    });
  }
}

/** Returns the log file of local mode, after moving a long log of an earlier run aside. */
function rotateLog(folder: DataFolder): string {
  const file = join(folder.path, "standing.log");
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT) renameSync(file, `${file}.1`);
  return file;
}
