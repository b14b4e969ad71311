import { underlyingConnection } from "@/server/db/underlying-connection";
import type { Transaction } from "@/server/lib/context";
import {
  type Change,
  type ComputedChange,
  computeChange,
  getPreviousScore,
  getScoreDay,
  type ReputationUpdate,
} from "./compute-change";
import { REPUTATION_CHANGED } from "./events";
import { addOutcome, createContractorState, type SettledOutcome } from "./evidence/add-outcome";
import { computeDayChanges } from "./evidence/day-changes";
import { loadTotals } from "./evidence/load-totals";
import { recomputeOffLoop } from "./evidence/off-loop";
import { addRows, readPairs, replaceRows } from "./evidence/store";
import { scoreTotals } from "./evidence/totals";
import { readLedgerText, readOutcomeRecords } from "./queries";
import { collectFacts } from "./score/ledger-facts";
import { insertHistory, readStored, writeStored } from "./stored-rows";

/**
 * Updates the stored reputation of `wallet` to its ledger and to the day of `now`, inside the
 * transaction that added a record: stores the score and its receipt, and notifies every instance
 * at commit. Waits for other updates of the wallet; a caller that updates several wallets in one
 * transaction must do so in ascending order. `computeChange` decides what is announced.
 */
export async function updateReputation(tx: Transaction, change: Change): Promise<ReputationUpdate> {
  const { wallet, cause, seq = null, now } = change;
  await lockWallets(tx, [wallet]);
  const rows = await readStored(tx, [wallet]);
  const stored = rows.get(wallet);
  if (cause === "day") {
    const [computed] = await computeDayChanges(tx, [wallet], rows, now);
    if (!computed) throw new Error(`no change of ${wallet}`);
    await storeChanges(tx, [computed]);
    return computed.update;
  }
  const previous = getPreviousScore({ stored, announced: null }, now);
  const day = getScoreDay(stored, now);
  const recomputed = await recomputeOffLoop(await readLedgerText(tx, wallet), {
    wallet,
    day,
    change: { seq, previousScoreE4: previous.scoreE4, previousAt: previous.at },
  });
  const { totals, receipt } = recomputed;
  const score = scoreTotals(wallet, totals);
  const computed = computeChange({ stored, announced: null, totals, score, receipt }, change);
  await Promise.all([
    storeChanges(tx, [computed]),
    replaceRows(tx, [{ wallet, rows: recomputed.rows }]),
  ]);
  return computed.update;
}

/**
 * Updates the stored reputations of the contractors of `settled`, inside the transaction that added
 * these outcomes to the ledger: as `updateReputation` for each of them in the given order, with one
 * statement of each kind for all, and at a cost that does not depend on earlier outcomes. Returns an
 * update for each. Waits for other updates of the contractors. The caller holds the shared locks of
 * the requesters.
 */
export async function addOutcomes(
  tx: Transaction,
  settled: SettledOutcome[],
  now: Date,
): Promise<ReputationUpdate[]> {
  if (settled.length === 0) return [];
  const records = settled.map(({ record }) => record);
  // The signer's clock may be ahead, and a score ignores outcomes of the future.
  const at = new Date(
    Math.max(now.getTime(), ...records.map(({ resolvedAt }) => resolvedAt * 1000)),
  );
  const wallets = [...new Set(records.map(({ contractor }) => contractor))].sort();
  await lockWallets(tx, wallets);
  const [stored, related] = await Promise.all([
    readStored(tx, wallets),
    readOutcomeRecords(
      tx,
      records.map(({ id }) => id),
    ),
  ]);
  const excluded = settled.map(({ place }) => place.seq);
  const totals = await loadTotals(tx, wallets, stored, { now: at, excluded });
  const pairs = await readPairs(
    tx,
    records.map(({ contractor, requester }) => ({ wallet: contractor, requester })),
  );
  const facts = collectFacts(related);
  const states = new Map(
    [...totals].map(([wallet, own]) => [
      wallet,
      createContractorState(
        { wallet, stored: stored.get(wallet), totals: own },
        pairs.get(wallet) ?? new Map(),
      ),
    ]),
  );
  const changes = settled.map((outcome) => {
    const state = states.get(outcome.record.contractor);
    if (!state) throw new Error(`no totals of ${outcome.record.contractor}`);
    return addOutcome(state, outcome, { facts, now: at });
  });
  await Promise.all([
    storeChanges(tx, changes),
    addRows(
      tx,
      [...states].map(([wallet, { added }]) => ({ wallet, rows: added })),
    ),
  ]);
  return changes.map(({ update }) => update);
}

/** Locks wallets in ascending order, so that concurrent updates of several cannot deadlock. */
export async function lockWallets(tx: Transaction, wallets: string[]): Promise<void> {
  await underlyingConnection(tx)`
    select pg_advisory_xact_lock(hashtextextended(name, 0))
    from unnest(${wallets.map(nameLock)}::text[]) as name`;
}

/** Returns the name of the advisory lock that serializes the updates of a wallet. */
export const nameLock = (wallet: string) => `reputation:${wallet}`;

/** Stores computed changes of locked wallets and notifies every instance of them at commit. */
export async function storeChanges(tx: Transaction, changes: ComputedChange[]): Promise<void> {
  // The last row of a wallet includes its earlier changes.
  const rows = [
    ...new Map(changes.flatMap(({ row }) => (row ? [[row.wallet, row]] : []))).values(),
  ];
  if (rows.length === 0) return;
  await Promise.all([
    writeStored(tx, rows),
    insertHistory(
      tx,
      changes.flatMap(({ entry }) => entry ?? []),
    ),
    underlyingConnection(tx)`
      select pg_notify(${REPUTATION_CHANGED}, wallet)
      from unnest(${rows.map(({ wallet }) => wallet)}::text[]) as wallet`,
  ]);
}
