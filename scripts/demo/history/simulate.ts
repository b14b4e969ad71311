import { createInterface } from "node:readline/promises";
import { createClient } from "@standing/sdk";
import { count } from "drizzle-orm";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { createProgressBar } from "@/scripts/verify/report";
import { agents } from "@/server/agents/tables";
import { readRegistry } from "@/server/chain/registry/read-registry";
import type { Env } from "@/server/lib/env";
import { ledgerRecords } from "@/server/reputation/tables";
import {
  clearEnvironment,
  type LocalEnvironment,
  markFolder,
  openEnvironment,
} from "./environment";
import { DAYS, planHistory } from "./plan";
import type { Plan } from "./planned-events";
import { playHistory } from "./play";

export type CleanUp = () => unknown;

/**
 * Plays a simulated half-year into an empty service in local mode. Returns the plan. Adds to
 * `cleanUps` what ends the database and the chain that it starts.
 */
export async function simulateHistory(
  env: Env,
  { seed, base, cleanUps = [] }: { seed: number; base: string; cleanUps?: CleanUp[] },
): Promise<{ plan: Plan; isServed: boolean }> {
  const opening = openEnvironment(env);
  cleanUps.push(async () => (await opening).close());
  const environment = await opening;
  try {
    await requireEmpty(environment, env);
    await requireSameService(environment, base);
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
async function requireEmpty({ core, chain }: LocalEnvironment, env: Env): Promise<void> {
  const [agentCount] = await core.db.select({ agents: count() }).from(agents);
  const [recordCount] = await core.db.select({ records: count() }).from(ledgerRecords);
  const { client, registryAddress: address } = chain;
  const { records } = await readRegistry({ client, address });
  if (agentCount?.agents === 0 && recordCount?.records === 0 && records.length === 0) return;
  throw new CommandError(
    `A simulated history needs an empty data folder, but ${env.DATA_DIR} has ${agentCount?.agents} agents and ${records.length} records. Set DATA_DIR to another folder; or, if this one holds a simulated history, remove it with npm run demo -- --history --remove.`,
  );
}

/** Rejects a `base` of another service, since that would be verified at the end. */
async function requireSameService(
  { isServed, rpcUrl }: LocalEnvironment,
  base: string,
): Promise<void> {
  if (!isServed) return;
  const network = await createClient({ url: base }).get("/network");
  if (network.rpcUrl === rpcUrl) return;
  throw new CommandError(
    `The service at ${base} uses another data folder: set DATA_DIR to that folder, or give another service with --url.`,
  );
}

/**
 * Removes a simulated history and all other data in the folder. Returns false if the user declined.
 */
export async function removeHistory(env: Env, { isSure }: { isSure: boolean }): Promise<boolean> {
  return clearEnvironment(env, async (folder) => {
    if (isSure) return true;
    if (!process.stdin.isTTY)
      throw new CommandError("This terminal is not interactive: confirm with --yes.");
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    const answer = await terminal.question(
      `This removes the database and the local chain in ${folder}: the simulated history and everything done there since. Type yes to continue: `,
    );
    terminal.close();
    return answer.trim() === "yes";
  });
}
