import { join, resolve } from "node:path";
import { formatEther } from "viem";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { getExitCode } from "@/scripts/lib/command-line";
import { loadDotEnv } from "@/scripts/lib/dot-env.mjs";
import {
  describeDatabaseError,
  findDatabaseUrl,
  requireSchema,
  withService,
} from "@/scripts/lib/running-service";
import { createProgressBar } from "@/scripts/verify/compare";
import { getConfiguredChain, type Stage } from "@/server/bootstrap/parts";
import { type Chain, openChain } from "@/server/chain/client";
import { openDatabase } from "@/server/db/client";
import { migrateDatabase } from "@/server/db/migrate";
import { type Env, parseEnv } from "@/server/lib/env";
import { createLog } from "@/server/lib/process/log";
import { DAY_SECONDS } from "@/server/lib/time";
import { fromMicro } from "@/server/lib/usdc";
import { findRunningChain } from "@/server/local/anvil";
import { openLocalParts } from "@/server/local/local-parts";
import { findClockProblems } from "@/server/operations/clocks";
import { OperationRefused } from "@/server/operations/operation-refused";
import { backup } from "@/server/operations/recovery/backup";
import {
  addApplicationName,
  withExclusiveDatabase,
} from "@/server/operations/recovery/exclusive-database";
import { type ChainCore, type Rebuilt, rebuild } from "@/server/operations/recovery/rebuild";
import { reseal } from "@/server/operations/recovery/reseal";
import { restore } from "@/server/operations/recovery/restore";
import { retryStalled } from "@/server/operations/retry";
import { type Stalled, WAITING_WORK } from "@/server/operations/stalled";
import { readStatus, type Status } from "@/server/operations/status";
import { type Command, parseCommand } from "./arguments";
import { DEPLOYMENTS, deploy } from "./deploy";
import { limitWaits } from "./limit-waits";

/** Runs the command with its arguments, prints its result and resolves to the exit code. */
export const runOps = (args: string[]): Promise<number> =>
  getExitCode(main, args, {
    refusal: OperationRefused,
    describeError: describeDatabaseError,
  });

async function main(args: string[]): Promise<number> {
  const command = parseCommand(args);
  loadDotEnv();
  // The configuration is incomplete until a registry exists.
  if (command.verb === "deploy" || command.verb === "deploy-gate") {
    const { name, variable } = DEPLOYMENTS[command.verb];
    const address = await deploy(command, process.env.DEPLOYER_KEY);
    console.log(`The ${name} is at ${address}: set ${variable} to it.`);
    return 0;
  }
  const env = parseEnv();
  if (command.verb === "restore") await restoreBackup(env, command.file);
  else if (command.verb === "rebuild") await rebuildFromChain(env);
  else {
    return limitWaits(await findDatabaseUrl(env), async () => {
      if (command.verb === "status") return printStatus(env, command);
      if (command.verb === "retry") await retry(env, command);
      if (command.verb === "backup") await makeBackup(env, command.file);
      if (command.verb === "reseal") await resealSecrets(env);
      return 0;
    });
  }
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

/** Backs up the database of the running or configured service. */
async function makeBackup(env: Env, file: string): Promise<void> {
  const parts = getConfiguredChain(env) ?? (await findRunningChain(join(env.DATA_DIR, "chain")));
  if (!parts) throw new CommandError("No local chain runs, and CHAIN_RPC_URL names none.");
  const handle = openDatabase(addApplicationName(await findDatabaseUrl(env)), 1);
  try {
    await requireSchema(handle.db);
    // Only chain id and registry are needed, so with a configured id the node may be unavailable.
    const chain = await openChain(parts);
    const { tables, rows } = await backup({ db: handle.db, chain }, { file, now: new Date() });
    console.log(`${resolve(file)} holds ${rows} rows of ${tables} tables.`);
    console.log("Keep it as you keep the database itself, and SECRET_KEY apart from it.");
  } finally {
    await handle.close();
  }
}

/**
 * Restores a backup into the configured database, or the data folder's, and catches up with the
 * chain.
 */
async function restoreBackup(env: Env, file: string): Promise<void> {
  await withStoppedService(env, async (core) => {
    const restored = await restore(core, {
      file,
      now: new Date(),
      progress: createProgressBar("Catching up"),
    });
    console.log(`Restored ${restored.tables} tables as of ${restored.at}.`);
    printRebuilt(restored);
  });
}

/** Imports what the chain has and the database lacks. */
async function rebuildFromChain(env: Env): Promise<void> {
  await withStoppedService(env, async (core) => {
    const rebuilt = await rebuild(core, new Date(), createProgressBar("Rebuilding"));
    printRebuilt(rebuilt);
    if (rebuilt.imported > 0) {
      console.log(
        "Names, profiles, keys, texts, reasons and evidence are not on chain. Owners get their agents back by registering with a wallet proof.",
      );
    }
  });
}

function printRebuilt({ records, imported, unclaimed, taskPayments, paid }: Rebuilt): void {
  console.log(`The registry has ${records} records; ${imported} of them were imported.`);
  if (paid > 0) console.log(`${paid} payouts had been paid already and are marked so.`);
  if (taskPayments > 0) {
    console.log(
      `${taskPayments} payments may have proven imported outcomes: none of them counts again.`,
    );
  }
  if (unclaimed.count > 0) {
    const usdc = fromMicro(unclaimed.micro).toFixed(2);
    console.log(
      `${unclaimed.count} payments to the stake account, ${usdc} USDC in all, are unknown to the database. None counts again; docs/operations.md explains which of them to send back.`,
    );
  }
}

/**
 * Runs `work` with exclusive use of the database. Starts the parts of local mode that are not
 * configured.
 */
async function withStoppedService(env: Env, work: (core: ChainCore) => Promise<void>) {
  const quietly: Stage = (_name, start) => start();
  const parts = await openLocalParts(env, quietly, () => {});
  try {
    const log = createLog({ ...env, LOG_LEVEL: "silent" });
    const url = addApplicationName(parts.databaseUrl);
    await new Promise<void>((resolve, reject) => {
      const notify = (reason: string) => reject(new CommandError(reason));
      migrateDatabase(url, { notify }).then(resolve, reject);
    });
    await limitWaits(url, async () => {
      const handle = openDatabase(url, 4);
      try {
        const chain = await openChain({ ...parts.chain, isLocal: parts.local.chain });
        const core = { env, db: handle.db, log, chain, publish: async () => {} };
        await withExclusiveDatabase(handle.db.sql, () => work(core));
      } finally {
        await handle.close();
      }
    });
  } finally {
    await parts.stop();
  }
}

/** Balance below which an account needs a top-up: enough for some hundred transactions on Base. */
const LOW_WEI = 200_000_000_000_000n;

/** Formats the status for people. */
function formatStatus(status: Status): string {
  return [
    "Work",
    ...status.stalled.flatMap(formatWork),
    "",
    "Engine",
    formatLine(
      "runs",
      `${status.engine.active} in progress, ${status.engine.failed} failed permanently`,
    ),
    formatLine("jobs", `${status.engine.running} running, ${status.engine.pending} due`),
    ...status.engine.latestFailures.map(({ id, functionId, error }) =>
      formatLine("failed", `${id} ${functionId}: ${getReason(error)}`),
    ),
    "",
    "Judge",
    ...formatJudges(status),
    ...status.faults.map(({ id, fault }) => formatLine("fault", `${id} ${fault}`)),
    "",
    "Chain",
    ...formatChain(status),
    "",
    "Clocks",
    formatLine("database", `${status.databaseAheadMs} ms ahead of this machine`),
    ...listClockProblems(status).map((sentence) => formatLine("warning", sentence)),
  ].join("\n");
}

/** Returns whether nothing needs the operator's attention. */
const isHealthy = (status: Status): boolean =>
  status.chain !== null &&
  status.silentJudges.length === 0 &&
  listWarnings(status).length === 0 &&
  listClockProblems(status).length === 0 &&
  status.stalled.every(({ kind, stalled }) => kind === "webhooks" || stalled === 0);

function formatWork({ kind, waiting, stalled, oldestSeconds, ids }: Stalled): string[] {
  const work = WAITING_WORK.find(({ name }) => name === kind);
  if (waiting === 0) return [formatLine(kind, "none")];
  const age = oldestSeconds === null ? "" : `, the oldest for ${formatDuration(oldestSeconds)}`;
  const first = formatLine(kind, `${waiting} waiting, ${stalled} stalled${age}`);
  if (stalled === 0) return [first];
  return [
    first,
    `${" ".repeat(16)}${work?.waiting.description}`,
    `${" ".repeat(16)}${ids.join(" ")}`,
  ];
}

function formatJudges({ silentJudges }: Status): string[] {
  if (silentJudges.length === 0) return [formatLine("judge", "no failure recorded")];
  return silentJudges.map(({ id, since, reason }) =>
    formatLine("judge", `${id} gives no usable answer since ${since.toISOString()}: ${reason}`),
  );
}

function formatChain(status: Status): string[] {
  const { chain, records, owedMicro } = status;
  if (!chain)
    return [
      formatLine("node", "not responding"),
      formatLine("ledger", `${records} records in the database`),
    ];
  const { recorder, stake } = chain.accounts;
  const finalized =
    chain.finalizedBlock === null ? "no finalized block" : `finalized ${chain.finalizedBlock}`;
  return [
    formatLine(
      "node",
      `block ${chain.block}, ${formatDuration(chain.blockAgeSeconds)} old, ${finalized}`,
    ),
    formatLine(
      "ledger",
      `${records} records in the database, ${chain.registryRecords} in the registry`,
    ),
    formatLine("recorder", `${recorder.address} ${formatEther(recorder.wei)} ETH`),
    formatLine("stakes", `${stake.address} ${formatEther(stake.wei)} ETH`),
    formatLine(
      "",
      `${formatUsdc(stake.usdcMicro)} USDC held, ${formatUsdc(owedMicro)} may have to be returned`,
    ),
    ...status.takenNonces.map(({ transactionId, signer, nonce, isDropped }) =>
      formatLine(
        "nonce",
        `something else signs with the key of ${signer}: it used nonce ${nonce} of transaction ${transactionId}, which ${isDropped ? "was dropped" : "is dropped once that is final"}`,
      ),
    ),
    ...listWarnings(status).map((sentence) => formatLine("warning", sentence)),
  ];
}

/** Returns a warning for each chain figure that indicates a problem. */
function listWarnings({ chain, missingRecords, owedMicro }: Status): string[] {
  if (!chain) return [];
  const { recorder, stake } = chain.accounts;
  const candidates: [boolean, string][] = [
    [!recorder.mayRecord, "the recorder has no recorder role: nothing is recorded"],
    [recorder.wei < LOW_WEI, "the recorder is low on ETH for gas"],
    [stake.wei < LOW_WEI, "the stake account is low on ETH for gas: no stake can be returned"],
    [stake.usdcMicro < owedMicro, "the stake account holds less USDC than it may have to return"],
    [chain.finalizedBlock === null, "the node reports no finalized block: no stake is returned"],
    [
      missingRecords > 0,
      `a rebuild is due: the database lacks ${missingRecords} records of the registry. Stop every instance, then run rebuild`,
    ],
  ];
  return candidates.flatMap(([applies, sentence]) => (applies ? sentence : []));
}

const listClockProblems = ({ databaseAheadMs, chain }: Status): string[] =>
  findClockProblems({ databaseAheadMs, chainAheadMs: chain?.aheadMs ?? null });

const formatLine = (name: string, text: string) => `  ${name.padEnd(14)}${text}`;

const formatUsdc = (micro: bigint) => fromMicro(micro).toFixed(2);

const getReason = (error: unknown) =>
  typeof error === "object" && error !== null && "message" in error
    ? String(error.message).split("\n")[0]
    : String(error);

const HOUR_SECONDS = 3_600;

function formatDuration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 2 * HOUR_SECONDS) return `${Math.round(seconds / 60)} min`;
  return seconds < 2 * DAY_SECONDS
    ? `${Math.round(seconds / HOUR_SECONDS)} h`
    : `${Math.round(seconds / DAY_SECONDS)} d`;
}
