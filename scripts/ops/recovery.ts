import { join, resolve } from "node:path";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { findDatabaseUrl } from "@/scripts/lib/running-service";
import { createProgressBar } from "@/scripts/verify/report";
import { getConfiguredChain, type Stage } from "@/server/bootstrap/parts";
import { openChain } from "@/server/chain/client";
import { openDatabase } from "@/server/db/client";
import { migrateDatabase } from "@/server/db/migrate";
import { migrateQueue } from "@/server/engine/queue";
import type { Env } from "@/server/lib/env";
import { createLog } from "@/server/lib/process/log";
import { fromMicro } from "@/server/lib/usdc";
import { findRunningChain } from "@/server/local/anvil";
import { openLocalParts } from "@/server/local/local-parts";
import { backup } from "@/server/operations/recovery/backup";
import {
  addApplicationName,
  withExclusiveDatabase,
} from "@/server/operations/recovery/exclusive-database";
import { type ChainCore, type Rebuilt, rebuild } from "@/server/operations/recovery/rebuild";
import { restore } from "@/server/operations/recovery/restore";

/** Backs up the database of the running or configured service. */
export async function makeBackup(env: Env, file: string): Promise<void> {
  const parts = getConfiguredChain(env) ?? (await findRunningChain(join(env.DATA_DIR, "chain")));
  if (!parts) throw new CommandError("No local chain runs, and CHAIN_RPC_URL names none.");
  const handle = openDatabase(addApplicationName(await findDatabaseUrl(env)), 1);
  try {
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
export async function restoreBackup(env: Env, file: string): Promise<void> {
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
export async function rebuildFromChain(env: Env): Promise<void> {
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
    await migrateDatabase(url);
    await migrateQueue(url, log);
    const handle = openDatabase(url, 4);
    try {
      const chain = await openChain({ ...parts.chain, isLocal: parts.local.chain });
      const core = { env, db: handle.db, log, chain, publish: async () => {} };
      await withExclusiveDatabase(handle.sql, () => work(core));
    } finally {
      await handle.close();
    }
  } finally {
    await parts.stop();
  }
}
