import { and, eq, inArray } from "drizzle-orm";
import type { Chain } from "@/server/chain/client";
import type { PlacedRecord } from "@/server/chain/registry/decode-records";
import { readRegistry } from "@/server/chain/registry/read-registry";
import { markDropped } from "@/server/chain/transactions/finality";
import type { Core, Transaction } from "@/server/lib/context";
import { OperationRefused } from "@/server/operations/operation-refused";
import { refreshBatch } from "@/server/reputation/refresh";
import { ledgerRecords, reputations } from "@/server/reputation/tables";
import { toDate } from "@/server/settlement/kinds/rebuild";
import { RECORD_KINDS } from "@/server/settlement/record-kinds";
import { whereUnsettled } from "@/server/settlement/settle-transaction";
import { recordings } from "@/server/settlement/tables";
import { claimUnknownStakes, markPaidPayouts, readStakeTransfers } from "./stake-transfers";
import { claimTaskPayments, readTaskPayments } from "./task-payments";

export type ChainCore = Core & { chain: Chain };

/** Called with the progress so far. */
export type Progress = (done: number, all: number) => void;

export interface Rebuilt {
  /** Records in the registry. */
  records: number;
  /** Records that the database lacked. */
  imported: number;
  /** Payments to the stake account that the database did not know, and their sum in millionths. */
  unclaimed: { count: number; micro: bigint };
  /** Transfers, unknown to the database, that may have proven the imported outcomes. */
  taskPayments: number;
  /** Payouts found to be paid already. */
  paid: number;
}

/**
 * Brings a database, which may be empty, up to the chain (see `importFromChain`), then recomputes the
 * scores as of `now`. Safe to interrupt and run again.
 */
export async function rebuild(core: ChainCore, now: Date, progress?: Progress): Promise<Rebuilt> {
  const rebuilt = await importFromChain(core, progress);
  await recomputeAllScores(core, now);
  return rebuilt;
}

/**
 * Imports payments first, so that no payment counts twice and no stake is returned twice, then
 * every record that the database lacks. No instance of the service may be running. Throws
 * `OperationRefused` if chain and database do not belong together, and the node's error if it
 * fails.
 */
export async function importFromChain(core: ChainCore, progress?: Progress): Promise<Rebuilt> {
  const { db, chain } = core;
  const ledger = await readRegistry({ client: chain.client, address: chain.registryAddress });
  if (ledger.faults.length > 0) {
    throw new OperationRefused(
      `The ledger that the node returned does not match the contract: ${ledger.faults[0]}`,
    );
  }
  const missing = await findMissingRecords(core, ledger.records);
  const moves = await readStakeTransfers(db, chain);
  const payments = await readTaskPayments(db, chain, missing);
  const booked = await db.transaction(async (tx) => ({
    unclaimed: await claimUnknownStakes(tx, chain, moves),
    paid: await markPaidPayouts(tx, chain, moves),
    taskPayments: await claimTaskPayments(tx, chain, payments),
  }));
  let { paid } = booked;
  let at = new Date(0);
  for (const [index, placed] of missing.entries()) {
    const own = getRecordTime(placed.record);
    if (own && own > at) at = own;
    await importRecord(core, placed, {
      at,
      afterDispute: async (tx) => {
        paid += await markPaidPayouts(tx, chain, moves);
      },
    });
    progress?.(index + 1, missing.length);
  }
  // What was signed before the loss, such as in a backup, and can no longer be mined.
  await markDropped(db, chain);
  return { ...booked, paid, records: ledger.records.length, imported: missing.length };
}

/** Returns the time in a record; null for a revocation or superseded mark, which have none. */
function getRecordTime(record: PlacedRecord["record"]): Date | null {
  if ("resolvedAt" in record) return toDate(record.resolvedAt);
  if ("from" in record) return toDate(record.from);
  return "at" in record ? toDate(record.at) : null;
}

/**
 * Returns the registry's records that the database lacks, in order of `seq`. Throws
 * `OperationRefused` if the database has a different record under a `seq`, because it then belongs
 * to another registry.
 */
async function findMissingRecords(
  { db }: Pick<Core, "db">,
  records: PlacedRecord[],
): Promise<PlacedRecord[]> {
  const kept = await db
    .select({ seq: ledgerRecords.seq, txHash: ledgerRecords.txHash, type: ledgerRecords.type })
    .from(ledgerRecords);
  const known = new Map(kept.map((one) => [one.seq, one]));
  return records.filter(({ record, place }) => {
    const same = known.get(place.seq);
    if (same && (same.txHash !== place.txHash || same.type !== record.type)) {
      throw new OperationRefused(
        `Record ${place.seq} is ${same.type} of ${same.txHash} in the database, and ${record.type} of ${place.txHash} in the registry: they do not belong together.`,
      );
    }
    return same === undefined;
  });
}

/**
 * Imports a registry record as if it had just been settled, with score and history, as of the
 * record's time. If the database has its subject, existing data stays unless the record contradicts
 * it; otherwise the subject is built from the record alone and marked `rebuilt`. Publishes no
 * events, because they were most likely delivered before. `at` is the time of the preceding
 * records, for a record without its own time. `afterDispute` runs in the transaction in which a
 * payout may become owed.
 */
async function importRecord(
  original: Core,
  { record, place }: PlacedRecord,
  { at, afterDispute }: { at: Date; afterDispute: (tx: Transaction) => Promise<unknown> },
): Promise<void> {
  const core: Core = { ...original, publish: async () => {} };
  const kind = RECORD_KINDS[record.type];
  // An anchor may begin long before it is recorded.
  const now = "from" in record ? at : (getRecordTime(record) ?? at);
  const confirmed = { record, place, now };
  await core.db.transaction(async (tx) => {
    const subjectIds = await kind.import(core, tx, confirmed);
    if (record.type === "dispute") await afterDispute(tx);
    // Nothing more is sent for them.
    await tx
      .update(recordings)
      .set({ settledAt: now })
      .where(
        and(
          eq(recordings.kind, record.type),
          inArray(recordings.subjectId, subjectIds),
          whereUnsettled,
        ),
      );
  });
  await kind.finish?.(core, confirmed);
}

/** Recomputes the evidence of every wallet from the ledger, and its score as of `now`. */
async function recomputeAllScores(core: Pick<Core, "db">, now: Date): Promise<void> {
  await core.db.update(reputations).set({ totals: null });
  await refreshAllScores(core, now);
}

/** Brings every stored score up to the day of `now`. */
export async function refreshAllScores({ db }: Pick<Core, "db">, now: Date): Promise<void> {
  const publish = async () => {};
  for (let after: string | null = ""; after !== null; ) {
    after = await refreshBatch({ db, publish }, { now, after, size: 500 });
  }
}
