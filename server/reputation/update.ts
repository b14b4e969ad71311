import type { OutcomeRecord, RecordPlace } from "@/server/chain/registry/ledger";
import { array } from "@/server/db/arrays";
import { pipeline, type Started, unordered } from "@/server/db/pipeline";
import type { Transaction } from "@/server/lib/context";
import {
  type Change,
  type ComputedChange,
  computeChange,
  type ReputationUpdate,
  type StoredRow,
} from "./compute-change";
import { computeFromLedger } from "./compute-from-ledger";
import { REPUTATION_CHANGED } from "./events";
import { type EvidenceRow, type ScoredRow, toEvidenceRow } from "./evidence/evidence-row";
import { addRows, loadTotals, readPairs, replaceRows } from "./evidence/store";
import {
  addEvidence,
  createRequesterSums,
  type RequesterSums,
  scoreTotals,
  sumRequester,
  type Totals,
} from "./evidence/totals";
import { readOutcomeRecords } from "./queries";
import { collectFacts, type LedgerFacts } from "./score/ledger-facts";
import type { Score } from "./score/score";
import { createOutcomeScoreChange } from "./score/score-change";
import { toUtcDay, weighOutcome } from "./score/weigh-outcome";
import { insertHistory, readStored, writeStored } from "./stored-rows";

/**
 * Updates the stored reputation of `wallet` to its ledger and to the day of `now`, inside the
 * transaction that added a record: stores the score and its change, and notifies every instance
 * at commit. Waits for other updates of the wallet; a caller that updates several wallets in one
 * transaction must do so in ascending order. `computeChange` decides what is announced.
 */
export async function updateReputation(tx: Transaction, change: Change): Promise<ReputationUpdate> {
  const { wallet } = change;
  await lockWallets(tx, [wallet]);
  const stored = (await readStored(tx, [wallet])).get(wallet);
  const { computed, rows } = await computeFromLedger(tx, { stored, announced: null }, change);
  await pipeline(tx, [
    () => storeChanges(tx, [computed]),
    () => replaceRows(tx, [{ wallet, rows }]),
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
  const ids = records.map(({ id }) => id);
  const [, stored, related] = await pipeline(tx, [
    () => lockWallets(tx, wallets),
    () => unordered(readStored(tx, wallets)),
    () => unordered(readOutcomeRecords(tx, ids)),
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
  const added = [...states].map(([wallet, state]) => ({ wallet, rows: state.added }));
  await pipeline(tx, [() => storeChanges(tx, changes), () => addRows(tx, added)]);
  return changes.map(({ update }) => update);
}

/** Locks wallets in ascending order, so that concurrent updates of several cannot deadlock. */
export const lockWallets = ({ sql }: Transaction, wallets: string[]) => sql`
  select pg_advisory_xact_lock(hashtextextended(name, 0))
  from unnest(${array(sql, "text", wallets.map(nameLock))}) as name`;

/** Returns the name of the advisory lock that serializes the updates of a wallet. */
export const nameLock = (wallet: string) => `reputation:${wallet}`;

/** Stores computed changes of locked wallets and notifies every instance of them at commit. */
function storeChanges(tx: Transaction, changes: ComputedChange[]): Started<unknown> | null {
  // The last row of a wallet includes its earlier changes.
  const rows = [
    ...new Map(changes.flatMap(({ row }) => (row ? [[row.wallet, row]] : []))).values(),
  ];
  if (rows.length === 0) return null;
  const entries = changes.flatMap(({ entry }) => entry ?? []);
  const wallets = rows.map(({ wallet }) => wallet);
  return pipeline(tx, [
    () => writeStored(tx, rows),
    () => insertHistory(tx, entries),
    ({ sql }) => sql`
      select pg_notify(${REPUTATION_CHANGED}, wallet)
      from unnest(${array(sql, "text", wallets)}) as wallet`,
  ]);
}

/** A confirmed outcome, whose record is in the ledger already. */
export interface SettledOutcome {
  record: OutcomeRecord;
  place: RecordPlace;
}

/** A contractor to which outcomes are added one after another. */
export interface ContractorState {
  stored: StoredRow | undefined;
  totals: Totals;
  /** The score that follows from `totals`. */
  score: Score;
  /** Uncapped sums of the requesters of the added outcomes that have earlier ones. */
  requesters: Map<string, RequesterSums>;
  /** The evidence of the added outcomes. */
  added: EvidenceRow[];
}

/**
 * Returns the state of a contractor before outcomes are added. `known`: its rows of evidence of their
 * requesters, by requester.
 */
export function createContractorState(
  { wallet, stored, totals }: { wallet: string; stored: StoredRow | undefined; totals: Totals },
  known: ReadonlyMap<string, ScoredRow[]>,
): ContractorState {
  const { day } = totals;
  const requesters = [...known].filter(([, rows]) => rows.some((row) => row.day <= day));
  return {
    stored,
    totals,
    score: scoreTotals(wallet, totals),
    requesters: new Map(
      requesters.map(([requester, rows]) => [requester, sumRequester(rows, day)]),
    ),
    added: [],
  };
}

/** Adds an outcome to the state of its contractor and returns the change of its reputation. */
export function addOutcome(
  state: ContractorState,
  { record, place: { seq } }: SettledOutcome,
  { facts, now }: { facts: LedgerFacts; now: Date },
): ComputedChange {
  const { contractor: wallet, requester } = record;
  const { totals, stored, score: before } = state;
  const weight = weighOutcome(record, facts);
  const row = toEvidenceRow(record, weight, facts);
  const sums = state.requesters.get(requester) ?? createRequesterSums();
  addEvidence(totals, sums, row);
  const after = scoreTotals(wallet, totals);
  const scoreChange = createOutcomeScoreChange({
    own: { ...weight, record, requester, age: totals.day - toUtcDay(record.resolvedAt) },
    isNewRequester: !state.requesters.has(requester),
    facts,
    before,
    after,
    previousScoreE4: stored?.scoreE4 ?? 0,
  });
  const changed = computeChange(
    { stored, announced: null, totals, score: after, scoreChange },
    { wallet, cause: "outcome", outcomeId: record.id, seq, now },
  );
  state.requesters.set(requester, sums);
  state.added.push(row);
  state.score = after;
  state.stored = changed.row ?? stored;
  return changed;
}
