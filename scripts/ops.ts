// The operator's command: status of stalled work, requeue, backup, restore, rebuild, keys,
// deployment.

import { join } from "node:path";
import { getConfiguredChain } from "@/server/bootstrap/parts";
import { type Chain, openChain } from "@/server/chain/client";
import { type Env, parseEnv } from "@/server/lib/env";
import { findRunningChain } from "@/server/local/anvil";
import { OperationRefused } from "@/server/operations/operation-refused";
import { reseal } from "@/server/operations/recovery/reseal";
import { retryStalled } from "@/server/operations/retry";
import { readStatus } from "@/server/operations/status";
import { CommandError } from "./lib/command-error.mjs";
import { runMain } from "./lib/command-line";
import { loadDotEnv } from "./lib/dot-env.mjs";
import { describeDatabaseError, withService } from "./lib/running-service";
import { type Command, parseCommand } from "./ops/arguments";
import { deploy, deployGate } from "./ops/deploy";
import { makeBackup, rebuildFromChain, restoreBackup } from "./ops/recovery";
import { formatStatus, isHealthy } from "./ops/status-text";

/** Runs the command, prints its result and resolves to the exit code. */
async function main(args: string[]): Promise<number> {
  const command = parseCommand(args);
  loadDotEnv();
  // The configuration is incomplete until a registry exists.
  if (command.verb === "deploy") {
    const address = await deploy(command, process.env.DEPLOYER_KEY);
    console.log(`The registry is at ${address}: set REGISTRY_ADDRESS to it.`);
    return 0;
  }
  if (command.verb === "deploy-gate") {
    const address = await deployGate(command, process.env.DEPLOYER_KEY);
    console.log(`The score gate is at ${address}: set SCORE_GATE_ADDRESS to it.`);
    return 0;
  }
  const env = parseEnv();
  if (command.verb === "status") return printStatus(env, command);
  if (command.verb === "retry") await retry(env, command);
  if (command.verb === "backup") await makeBackup(env, command.file);
  if (command.verb === "restore") await restoreBackup(env, command.file);
  if (command.verb === "reseal") await resealSecrets(env);
  if (command.verb === "rebuild") await rebuildFromChain(env);
  return 0;
}

const printStatus = (env: Env, { json }: { json: boolean }) =>
  withService(env, async ({ db }) => {
    const status = await readStatus({ db, chain: await openChainIfRunning(env) }, new Date());
    console.log(json ? JSON.stringify(status, formatJsonValue, 2) : formatStatus(status));
    return isHealthy(status) ? 0 : 1;
  });

/** Converts amounts, which may exceed what a JSON number holds exactly. */
const formatJsonValue = (_key: string, value: unknown) =>
  typeof value === "bigint" ? value.toString() : value;

const retry = (env: Env, { kind, id }: Extract<Command, { verb: "retry" }>) =>
  withService(env, async (service) => {
    const done = await retryStalled(service, { kind, id, now: new Date() });
    if (done === null && id) {
      throw new OperationRefused(`There are no pending ${kind} with id ${id}.`);
    }
    console.log(done === null ? `There are no pending ${kind}.` : `Retrying ${kind}: ${done}.`);
  });

async function resealSecrets(env: Env): Promise<void> {
  const { SECRET_KEY: current } = env;
  const previous = process.env.PREVIOUS_SECRET_KEY;
  if (!current || !previous) {
    throw new CommandError("Set SECRET_KEY to the new key and PREVIOUS_SECRET_KEY to the old one.");
  }
  const count = await withService(env, ({ db }) => reseal(db, { previous, current }));
  console.log(`${count} webhook secrets are encrypted with the new key.`);
}

/** Returns the chain, or null if the node does not respond. */
async function openChainIfRunning(env: Env): Promise<Chain | null> {
  const chain = getConfiguredChain(env) ?? (await findRunningChain(join(env.DATA_DIR, "chain")));
  return chain && openChain(chain).catch(() => null);
}

await runMain(main, { refusal: OperationRefused, describeError: describeDatabaseError });
