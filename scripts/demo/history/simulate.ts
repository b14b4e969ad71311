import { join } from "node:path";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { findDatabaseUrl } from "@/scripts/lib/running-service";
import { createProgressBar } from "@/scripts/verify/compare";
import { agents } from "@/server/agents/tables";
import { openChain } from "@/server/chain/client";
import { readRegistry } from "@/server/chain/registry/read-registry";
import { createSender } from "@/server/chain/transactions/sender";
import { openDatabase } from "@/server/db/client";
import type { Core } from "@/server/lib/context";
import type { Env } from "@/server/lib/env";
import { createLog } from "@/server/lib/process/log";
import { findRunningChain } from "@/server/local/anvil";
import { DAYS, planHistory } from "./plan";
import type { Plan } from "./planned-events";
import { playHistory } from "./play";

/**
 * Plays a simulated half-year into the service that runs on the data folder, beside it: the database
 * assigns nonces, so both never use the same one. Returns the plan. Throws `CommandError` unless that
 * service is empty and in local mode.
 */
export async function simulateHistory(env: Env, seed: number): Promise<Plan> {
  const local = await findRunningChain(join(env.DATA_DIR, "chain"));
  if (env.DATABASE_URL || env.CHAIN_RPC_URL || !local) {
    throw new CommandError(
      "A simulated history needs a running service in local mode: start it with npm start, with neither DATABASE_URL nor CHAIN_RPC_URL.",
    );
  }
  const { db, close } = openDatabase(await findDatabaseUrl(env));
  try {
    const log = createLog({ ...env, LOG_LEVEL: "silent" });
    const chain = await openChain({ ...local, confirmations: 1, isLocal: true });
    // Events of the simulated past have no subscribers.
    const core: Core = { env, db, log, chain, publish: async () => {} };
    await requireEmpty(core);
    const now = new Date();
    const plan = planHistory({ seed, now: Math.floor(now.getTime() / 1_000) });
    const outcomeCount = plan.events.filter(({ type }) => type === "outcome").length;
    console.log(
      `\nSimulating ${DAYS} days of ${plan.agents.length} agents: ${outcomeCount} outcomes among ${plan.events.length} records. This takes two to three minutes.`,
    );
    const startedAt = performance.now();
    const environment = {
      core,
      sender: createSender({ db, chain, log }),
      rpcUrl: local.rpcUrl,
    };
    await playHistory(environment, plan, { now, onProgress: createProgressBar("Playing", true) });
    console.log(`  done in ${Math.round((performance.now() - startedAt) / 1_000)} s\n`);
    return plan;
  } finally {
    await close();
  }
}

/**
 * Rejects a service with data, so that simulated and real history never mix: chain records are
 * permanent.
 */
export async function requireEmpty({ env, db, chain }: Core): Promise<void> {
  const agentCount = await db.$count(agents);
  const { records } = await readRegistry({ client: chain.client, address: chain.registryAddress });
  if (agentCount === 0 && records.length === 0) return;
  throw new CommandError(
    `A simulated history needs an empty service, but that of ${env.DATA_DIR} has ${agentCount} agents and ${records.length} records. Stop it, and start it with DATA_DIR set to another folder.`,
  );
}
