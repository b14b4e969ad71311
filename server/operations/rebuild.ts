import { eq } from "drizzle-orm";
import type { Chain } from "@/server/chain/client";
import { confirmTransaction } from "@/server/chain/confirm";
import { readRegistry } from "@/server/chain/read-registry";
import { isSuperseded } from "@/server/chain/superseded";
import { chainTransactions } from "@/server/chain/tables";
import type { Core, Database } from "@/server/lib/context";
import { refreshBatch } from "@/server/reputation/functions/refresh-scores";
import { adoptRecord, missingRecords, timeOf } from "./adopt-records";
import { claimTaskPayments, readTaskPayments } from "./payment-books";
import { OperationRefused } from "./refused";
import { claimUnknown, readStakeMoves, settlePaidPayouts } from "./stake-books";

export type ChainCore = Core & { chain: Chain };

/** Told how far it has come. */
export type Progress = (done: number, all: number) => void;

export interface Rebuilt {
  /** Records that the registry has. */
  records: number;
  /** Of these, how many the database lacked. */
  adopted: number;
  /** Payments to the stake account that the database did not know, and their sum in millionths. */
  unclaimed: { count: number; micro: bigint };
  /** Transfers that may have proven the outcomes taken in, and that the database did not know. */
  taskPayments: number;
  /** Payouts that turned out to be paid. */
  paid: number;
}

/**
 * Brings a database up to the chain, which may be an empty one: see `catchUp`; then the scores to the
 * day of `now`. It can be cut short and done again.
 */
export async function rebuild(core: ChainCore, now: Date, progress?: Progress): Promise<Rebuilt> {
  const rebuilt = await catchUp(core, progress);
  await refreshAll(core, now);
  return rebuilt;
}

/**
 * First the money, so that no payment counts and no stake goes back twice; then every record that
 * the database lacks. No instance of the service may run meanwhile. Throws `OperationRefused` where
 * chain and database do not belong together, and whatever the node says where it is silent.
 */
export async function catchUp(core: ChainCore, progress?: Progress): Promise<Rebuilt> {
  const { db, chain } = core;
  const ledger = await readRegistry({ client: chain.client, address: chain.registryAddress });
  if (ledger.faults.length > 0) {
    throw new OperationRefused(
      `The ledger that the node answers is not the one that the contract keeps: ${ledger.faults[0]}`,
    );
  }
  const missing = await missingRecords(core, ledger.records);
  const moves = await readStakeMoves(db, chain);
  const payments = await readTaskPayments(db, chain, missing);
  const booked = await db.transaction(async (tx) => ({
    unclaimed: await claimUnknown(tx, chain, moves),
    paid: await settlePaidPayouts(tx, chain, moves),
    taskPayments: await claimTaskPayments(tx, chain, payments),
  }));
  let { paid } = booked;
  let at = new Date(0);
  for (const [index, placed] of missing.entries()) {
    const own = timeOf(placed.record);
    if (own && own > at) at = own;
    await adoptRecord(core, placed, {
      at,
      afterDispute: async (tx) => {
        paid += await settlePaidPayouts(tx, chain, moves);
      },
    });
    progress?.(index + 1, missing.length);
  }
  await endSigned(db, chain);
  return { ...booked, paid, records: ledger.records.length, adopted: missing.length };
}

/** Brings every stored score to the day of `now`. */
export async function refreshAll({ db }: Pick<Core, "db">, now: Date): Promise<void> {
  const publish = async () => {};
  for (let after: string | null = ""; after !== null; ) {
    after = await refreshBatch({ db, publish }, { now, after, size: 500 });
  }
}

/**
 * What was mined after the database's time is seen to be: its records are settled by now, so nobody
 * else would look. What was signed again after that time has lost its nonce for good.
 */
async function endSigned(db: Database, chain: Chain): Promise<void> {
  const open = await db
    .select({ id: chainTransactions.id })
    .from(chainTransactions)
    .where(eq(chainTransactions.status, "signed"));
  for (const { id } of open) {
    const { state } = await confirmTransaction(db, chain, id);
    if (state !== "pending" || !(await isSuperseded(db, chain, id))) continue;
    await db
      .update(chainTransactions)
      .set({ status: "reverted" })
      .where(eq(chainTransactions.id, id));
  }
}
