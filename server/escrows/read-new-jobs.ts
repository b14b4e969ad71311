import { eq, sql } from "drizzle-orm";
import { readNewLogs } from "@/server/chain/read-new-logs";
import { type RawLog, readLogs } from "@/server/chain/registry/read-logs";
import { logCursors } from "@/server/chain/tables";
import { getFinalizedHeight } from "@/server/chain/transactions/finality";
import type { Core, EvaluatedEscrows, Transaction } from "@/server/lib/context";
import { readDatabaseTime } from "@/server/lib/database";
import { createdFilter, decodeCreated } from "./contract";
import { JOBS_CURSOR } from "./queries";
import { escrowJobs } from "./tables";

/** What a reading of the escrows has seen. */
export interface Reading {
  /** The latest block. */
  head: bigint;
  /** The latest block at the depth at which payments count. */
  confirmed: bigint;
  /** Time before it, by the database. */
  at: Date;
}

/**
 * Stores the jobs that name the service's evaluator, up to the latest block. Blocks that are not final
 * are read again by each call, so that a reorg hides no job. Returns null while older blocks are left to
 * the next call. Throws if the node is unreachable.
 */
export async function readNewJobs(
  core: Pick<Core, "db" | "chain">,
  { addresses, fromBlock, evaluator }: EvaluatedEscrows,
): Promise<Reading | null> {
  const { db, chain } = core;
  const at = await readDatabaseTime(db);
  const head = await chain.client.getBlockNumber({ cacheTime: 0 });
  const finalized = (await getFinalizedHeight(chain)) ?? -1n;
  const filter = createdFilter(addresses);
  const store = async (tx: Transaction, logs: RawLog[]) => {
    const jobs = decodeCreated(logs, evaluator);
    if (jobs.length === 0) return;
    await tx
      .insert(escrowJobs)
      .values(jobs)
      .onConflictDoUpdate({
        target: [escrowJobs.escrow, escrowJobs.jobId],
        set: { createdBlock: sql`least(${escrowJobs.createdBlock}, excluded.created_block)` },
      });
  };
  const cursor = `escrows:${chain.id}:${evaluator}:${addresses.toSorted()}`;
  const options = { cursor, filter, fromBlock, toBlock: finalized };
  const isComplete = await readNewLogs(core, options, store);
  const from = finalized < fromBlock ? fromBlock : finalized + 1n;
  const recent = await readLogs(chain.client, { filter, from, to: head });
  await db.transaction((tx) => store(tx, recent));
  const depth = BigInt(chain.confirmations - 1);
  return isComplete ? { head, confirmed: head > depth ? head - depth : 0n, at } : null;
}

/**
 * Has records wait for the first reading of the escrows, or, if none are configured, for no further one.
 * Called at the start, before anything is judged.
 */
export async function prepareReading({ db, chain }: Pick<Core, "db" | "chain">): Promise<void> {
  if (chain.escrows) {
    const never = { name: JOBS_CURSOR, nextBlock: 0n, updatedAt: new Date(0) };
    await db.insert(logCursors).values(never).onConflictDoNothing();
  } else {
    await db.delete(logCursors).where(eq(logCursors.name, JOBS_CURSOR));
  }
}

/** Stores that no job funded before the reading is unknown: records wait for that. */
export async function markRead(tx: Transaction, { head, at }: Reading): Promise<void> {
  const row = { nextBlock: head + 1n, updatedAt: at };
  await tx
    .insert(logCursors)
    .values({ name: JOBS_CURSOR, ...row })
    .onConflictDoUpdate({ target: logCursors.name, set: row });
}
