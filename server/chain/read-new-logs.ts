import { and, eq } from "drizzle-orm";
import {
  type LogFilter,
  type RawLog,
  readLogRanges,
  readLogs,
} from "@/server/chain/registry/read-logs";
import { logCursors } from "@/server/chain/tables";
import { getFinalizedHeight, mineLocalBlocks } from "@/server/chain/transactions/finality";
import type { ChainInfo, Core, Transaction } from "@/server/lib/context";
import { databaseNow } from "@/server/lib/database";

interface Options {
  /** Name of the cursor, with chain and addresses: it must not be shared by different logs. */
  cursor: string;
  filter: LogFilter;
  /** Block at which a new cursor begins. */
  fromBlock: bigint;
  /**
   * Block to read up to. Default: the latest finalized one, so that no reorg undoes what was read.
   */
  toBlock?: bigint;
}

/** A call ends soon after this time, so that a run that catches up never takes long. */
const ENOUGH_MS = 40_000;

/**
 * Reads the logs that are new since the last call, range by range, and passes those of each range, in
 * order, to `apply`. The cursor moves in the same transaction, so each log is applied once, also by
 * several processes at a time and after a crash. Returns whether everything up to `toBlock` has been
 * read. Throws if the node is unreachable.
 */
export async function readNewLogs(
  { db, chain }: Pick<Core, "db" | "chain">,
  { cursor, filter, fromBlock, toBlock }: Options,
  apply: (tx: Transaction, logs: RawLog[]) => Promise<void>,
): Promise<boolean> {
  if (toBlock === undefined) await finalizeLocalLogs(chain, filter);
  let from = await findNextBlock(db, cursor, fromBlock);
  const to = toBlock ?? (await getFinalizedHeight(chain));
  if (to === null) return false;
  if (chain.rpcUrl !== null && from > to + 1n) {
    // A local chain that lost its data starts over, so its logs are read again.
    await db.update(logCursors).set({ nextBlock: fromBlock }).where(eq(logCursors.name, cursor));
    from = fromBlock;
  }
  const isRead = new Set([filter.address].flat().map((address) => address.toLowerCase()));
  const end = Date.now() + ENOUGH_MS;
  for await (const { logs, next } of readLogRanges(chain.client, { filter, from, to })) {
    const isAt = and(eq(logCursors.name, cursor), eq(logCursors.nextBlock, from));
    const isOurs = await db.transaction(async (tx) => {
      const moved = await tx
        .update(logCursors)
        .set({ nextBlock: next, updatedAt: databaseNow })
        .where(isAt)
        .returning({ name: logCursors.name });
      if (moved.length === 0) return false;
      const own = logs.filter(({ address }) => isRead.has(address.toLowerCase()));
      if (own.length > 0) await apply(tx, own);
      return true;
    });
    // Another process has read this range; it also reads the next one.
    if (!isOurs) return false;
    from = next;
    if (Date.now() > end) return from > to;
  }
  return true;
}

/** Returns the first block that the cursor has not read; creates the cursor. */
async function findNextBlock(db: Core["db"], name: string, fromBlock: bigint): Promise<bigint> {
  await db.insert(logCursors).values({ name, nextBlock: fromBlock }).onConflictDoNothing();
  const [row] = await db.select().from(logCursors).where(eq(logCursors.name, name));
  return row?.nextBlock ?? fromBlock;
}

/**
 * Makes the latest logs of a local chain final: it mines only pending transactions, so that they would
 * wait for the next ones.
 */
async function finalizeLocalLogs(
  chain: Pick<ChainInfo, "client" | "rpcUrl">,
  filter: LogFilter,
): Promise<void> {
  if (chain.rpcUrl === null) return;
  const finalized = await getFinalizedHeight(chain);
  const to = await chain.client.getBlockNumber({ cacheTime: 0 });
  const waiting = await readLogs(chain.client, { filter, from: (finalized ?? to) + 1n, to });
  if (waiting.length > 0) await mineLocalBlocks(chain);
}
