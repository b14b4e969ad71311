import type { OutcomeRecord, RecordPlace } from "@/server/chain/registry/ledger";
import {
  type ComputedChange,
  computeChange,
  type StoredRow,
} from "@/server/reputation/compute-change";
import type { LedgerFacts } from "@/server/reputation/score/ledger-facts";
import { createOutcomeReceipt } from "@/server/reputation/score/receipt";
import type { Score } from "@/server/reputation/score/score";
import { toUtcDay, weighOutcome } from "@/server/reputation/score/weigh-outcome";
import { type EvidenceRow, toEvidenceRow } from "./evidence-row";
import {
  addEvidence,
  createRequesterSums,
  type RequesterSums,
  scoreTotals,
  sumRequester,
  type Totals,
} from "./totals";

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
  known: ReadonlyMap<string, EvidenceRow[]>,
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
  const receipt = createOutcomeReceipt({
    own: { ...weight, record, requester, age: totals.day - toUtcDay(record.resolvedAt) },
    isNewRequester: !state.requesters.has(requester),
    facts,
    before,
    after,
    previousScoreE4: stored?.scoreE4 ?? 0,
  });
  const changed = computeChange(
    { stored, announced: null, totals, score: after, receipt },
    { wallet, cause: "outcome", outcomeId: record.id, seq, now },
  );
  state.requesters.set(requester, sums);
  state.added.push(row);
  state.score = after;
  state.stored = changed.row ?? stored;
  return changed;
}
