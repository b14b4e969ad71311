import { eq, getTableColumns, inArray, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { LedgerRecord, OutcomeRecord, RecordPlace } from "@/server/chain/registry/ledger";
import { acquireAdvisoryLock } from "@/server/db/advisory-lock";
import type { Transaction } from "@/server/lib/context";
import {
  type Change,
  type ComputedChange,
  computeChange,
  type ReputationUpdate,
} from "./compute-change";
import { REPUTATION_CHANGED } from "./events";
import { readLastAnnounced, readLedger, readLedgers } from "./queries";
import { groupLedger } from "./score/group-ledger";
import { reputationHistory, reputations } from "./tables";

type StoredRow = typeof reputations.$inferSelect;

/**
 * Updates the stored reputation of `wallet` to its ledger and to the day of `now`, inside the
 * transaction that added a record: stores the score and its receipt, and notifies every instance
 * at commit. Waits for other updates of the wallet; a caller that updates several wallets in one
 * transaction must do so in ascending order. `computeChange` decides what is announced.
 */
export async function updateReputation(tx: Transaction, change: Change): Promise<ReputationUpdate> {
  const { wallet, cause } = change;
  await acquireAdvisoryLock(tx, nameLock(wallet));
  // Concurrent statements share a round trip.
  const [[stored], ledger, announced] = await Promise.all([
    tx.select().from(reputations).where(eq(reputations.wallet, wallet)),
    readLedger(tx, wallet),
    cause === "day" ? readLastAnnounced(tx, [wallet]) : null,
  ]);
  const computed = computeChange(
    { stored, ledger, announced: announced?.get(wallet) ?? null },
    change,
  );
  await storeChanges(tx, [computed]);
  return computed.update;
}

/** A confirmed outcome, whose record is in the ledger already. */
export interface SettledOutcome {
  record: OutcomeRecord;
  place: RecordPlace;
}

/**
 * Updates the stored reputations of the contractors of `settled`, inside the transaction that added
 * these outcomes to the ledger: as `updateReputation` for each of them in the given order, with few
 * statements for all. Returns an update for each. Waits for other updates of the contractors. The
 * caller holds the shared locks of the requesters.
 */
export async function addOutcomes(
  tx: Transaction,
  settled: SettledOutcome[],
  now: Date,
): Promise<ReputationUpdate[]> {
  if (settled.length === 0) return [];
  const wallets = [...new Set(settled.map(({ record }) => record.contractor))].sort();
  await lockWallets(tx, wallets);
  const [rows, records] = await Promise.all([
    tx.select().from(reputations).where(inArray(reputations.wallet, wallets)),
    readLedgers(tx, wallets),
  ]);
  const stored = new Map<string, StoredRow>(rows.map((row) => [row.wallet, row]));
  const grouped = groupLedger(
    records.map((record) => ({ record: record as LedgerRecord & { seq: number } })),
  );
  const added = new Set(settled.map(({ place }) => place.seq));
  const ledgers = new Map(
    wallets.map((wallet) => [
      wallet,
      grouped
        .getRecordsFor(wallet)
        .flatMap(({ record }) => (added.has(record.seq) ? [] : [record as LedgerRecord])),
    ]),
  );
  const changes = settled.map(({ record, place: { seq } }) => {
    const { contractor: wallet } = record;
    const ledger = ledgers.get(wallet) ?? [];
    ledger.push({ ...record, seq });
    const change = computeChange(
      { stored: stored.get(wallet), ledger, announced: null },
      {
        ...{ wallet, cause: "outcome", outcomeId: record.id, seq },
        // The signer's clock may be ahead, and a score ignores outcomes of the future.
        now: new Date(Math.max(now.getTime(), record.resolvedAt * 1000)),
      },
    );
    if (change.row) stored.set(wallet, { ...NEW_ROW, ...change.row });
    return change;
  });
  await storeChanges(tx, changes);
  return changes.map(({ update }) => update);
}

/** Locks wallets in ascending order, so that concurrent updates of several cannot deadlock. */
async function lockWallets(tx: Transaction, wallets: string[]): Promise<void> {
  const names = sql.param(wallets.map(nameLock));
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${names}::text[]) as name`,
  );
}

/** Returns the name of the advisory lock that serializes the updates of a wallet. */
export const nameLock = (wallet: string) => `reputation:${wallet}`;

/** Stores computed changes of locked wallets and notifies every instance of them at commit. */
export async function storeChanges(tx: Transaction, changes: ComputedChange[]): Promise<void> {
  // The last row of a wallet includes its earlier changes.
  const rows = [
    ...new Map(changes.flatMap(({ row }) => (row ? [[row.wallet, row]] : []))).values(),
  ];
  const entries = changes.flatMap(({ entry }) => entry ?? []);
  if (rows.length === 0) return;
  const wallets = rows.map(({ wallet }) => wallet);
  await Promise.all([
    tx
      .insert(reputations)
      .values(rows)
      .onConflictDoUpdate({ target: reputations.wallet, set: REPLACED }),
    entries.length > 0 && tx.insert(reputationHistory).values(entries),
    tx.execute(
      sql`select pg_notify(${REPUTATION_CHANGED}, wallet) from unnest(${sql.param(wallets)}::text[]) as wallet`,
    ),
  ]);
}

/** Columns of a row that has not been stored yet. */
const NEW_ROW = { totals: null, confirmedOutcomes: 0, simulated: false };

/** Replaces every column of a stored row by that of the row to insert. */
const REPLACED = Object.fromEntries(
  Object.keys(getTableColumns(reputations)).map((name) => [
    name,
    sql.raw(`excluded.${toSnakeCase(name)}`),
  ]),
);
