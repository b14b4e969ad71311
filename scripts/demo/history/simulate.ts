import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { createProgressBar } from "@/scripts/verify/compare";
import { agents } from "@/server/agents/tables";
import { stopAll } from "@/server/bootstrap/parts";
import { openChain } from "@/server/chain/client";
import { readRegistry } from "@/server/chain/registry/read-registry";
import { createSender } from "@/server/chain/transactions/sender";
import { openDatabase } from "@/server/db/client";
import { migrateDatabase } from "@/server/db/migrate";
import type { Core } from "@/server/lib/context";
import type { Env } from "@/server/lib/env";
import { createLog } from "@/server/lib/process/log";
import { startAnvil } from "@/server/local/anvil";
import { getLockHolder, openDataFolder } from "@/server/local/data-folder";
import { findRunningPostgres, startPostgres } from "@/server/local/postgres";
import { DAYS, planHistory } from "./plan";
import type { Plan } from "./planned-events";
import { type Environment, playHistory } from "./play";

export type CleanUp = () => unknown;

/**
 * Plays a simulated half-year into an empty service in local mode. Returns the plan. Adds to
 * `cleanUps` what ends the database and the chain that it starts.
 */
export async function simulateHistory(
  env: Env,
  { seed, cleanUps = [] }: { seed: number; cleanUps?: CleanUp[] },
): Promise<{ plan: Plan; isServed: boolean }> {
  const opening = openEnvironment(env);
  cleanUps.push(async () => (await opening).close());
  const environment = await opening;
  try {
    await requireEmpty(environment, env);
    const now = new Date();
    const plan = planHistory({ seed, now: Math.floor(now.getTime() / 1_000) });
    await markFolder(env, { seed, until: now.toISOString() });
    const outcomeCount = plan.events.filter(({ type }) => type === "outcome").length;
    console.log(
      `\nSimulating ${DAYS} days of ${plan.agents.length} agents: ${outcomeCount} outcomes among ${plan.events.length} records`,
    );
    const startedAt = performance.now();
    await playHistory(environment, plan, { now, onProgress: createProgressBar("Playing") });
    console.log(`  done in ${Math.round((performance.now() - startedAt) / 1_000)} s\n`);
    return { plan, isServed: environment.isServed };
  } finally {
    await environment.close();
  }
}

/**
 * Rejects a service with data, so that simulated and real history never mix: chain records are
 * permanent.
 */
async function requireEmpty({ core }: LocalEnvironment, { DATA_DIR }: Env): Promise<void> {
  const agentCount = await core.db.$count(agents);
  const { client, registryAddress: address } = core.chain;
  const { records } = await readRegistry({ client, address });
  if (agentCount === 0 && records.length === 0) return;
  throw new CommandError(
    `A simulated history needs an empty data folder, but ${DATA_DIR} has ${agentCount} agents and ${records.length} records. Set DATA_DIR to another folder; or, if this one holds a simulated history, remove it with npm run demo -- --history --remove.`,
  );
}

interface LocalEnvironment extends Environment {
  /** Whether a service is running on it. */
  isServed: boolean;
  close(): Promise<void>;
}

/** Returns the path of the file that marks a folder as a simulated history. */
const getMarkerPath = (folder: string) => join(folder, "simulated-history.json");

/**
 * Opens the database and the chain of local mode: those of the running service, or temporary ones.
 * The database assigns nonces, so this process never uses the same one as a running service.
 */
export async function openEnvironment(env: Env): Promise<LocalEnvironment> {
  requireLocalMode(env);
  const folder = resolve(env.DATA_DIR);
  const isServed = getLockHolder(join(folder, "service.json")) !== null;
  const stops: (() => Promise<void>)[] = [];
  const stopAfterwards = (stop: () => Promise<void>) => !isServed && stops.push(stop);
  try {
    if (!isServed) {
      const folderLock = await openDataFolder(folder);
      stops.push(async () => folderLock.release());
    }
    const postgres = await startPostgres({ folder: join(folder, "postgres") });
    stopAfterwards(postgres.stop);
    const anvil = await startAnvil({ folder: join(folder, "chain") });
    stopAfterwards(anvil.stop);
    await migrateDatabase(postgres.url);
    const { db, close } = openDatabase(postgres.url);
    stops.push(close);
    const chain = await openChain({ ...anvil, confirmations: 1, isLocal: true });
    const log = createLog({ ...env, LOG_LEVEL: "silent" });
    // Events of the simulated past have no subscribers.
    const core: Core = { env, db, log, chain, publish: async () => {} };
    const sender = createSender({ db, chain, log });
    return { core, sender, rpcUrl: anvil.rpcUrl, isServed, close: () => stopAll(stops) };
  } catch (error) {
    await stopAll(stops);
    throw error;
  }
}

/** Marks the folder as a simulated history and stores facts about it. */
export async function markFolder(env: Env, facts: Record<string, unknown>): Promise<void> {
  await writeFile(getMarkerPath(env.DATA_DIR), `${JSON.stringify(facts)}\n`);
}

/**
 * Removes database and chain of a folder with a simulated history if `confirm` returns true: single
 * records can't be removed from a chain. Returns whether it did. Throws if a service uses the folder, or
 * if it has no simulated history.
 */
export async function removeHistory(
  env: Env,
  confirm: (folder: string) => Promise<boolean>,
): Promise<boolean> {
  requireLocalMode(env);
  const folder = resolve(env.DATA_DIR);
  if (!existsSync(getMarkerPath(folder))) {
    throw new CommandError(`There is no simulated history in ${folder}; nothing was removed.`);
  }
  const folderLock = await openDataFolder(folder);
  try {
    if (!(await confirm(folder))) return false;
    const [postgres, chain] = [join(folder, "postgres"), join(folder, "chain")];
    // Stops a Postgres that a killed service left running.
    if (await findRunningPostgres(postgres))
      await (await startPostgres({ folder: postgres })).stop();
    if (existsSync(join(chain, "anvil.json"))) await (await startAnvil({ folder: chain })).stop();
    const clusterFolder = (
      await readFile(join(postgres, "lies-in"), "utf8").catch(() => "")
    ).trim();
    for (const path of [clusterFolder, postgres, chain, getMarkerPath(folder)]) {
      if (path) await rm(path, { recursive: true, force: true });
    }
    return true;
  } finally {
    folderLock.release();
  }
}

/** Asks at the terminal whether a folder's data may be removed. */
export async function confirmRemoval(folder: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new CommandError("This terminal is not interactive: confirm with --yes.");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(
    `This removes the database and the local chain in ${folder}: the simulated history and everything done there since. Type yes to continue: `,
  );
  terminal.close();
  return answer.trim() === "yes";
}

function requireLocalMode(env: Env): void {
  if (!env.DATABASE_URL && !env.CHAIN_RPC_URL) return;
  throw new CommandError(
    "A simulated history needs local mode: neither DATABASE_URL nor CHAIN_RPC_URL may be set.",
  );
}
