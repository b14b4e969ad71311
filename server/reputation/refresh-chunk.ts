import type { LedgerRecord } from "@/server/chain/registry/ledger";
import type { AppEvent } from "@/server/lib/context";
import {
  type ComputedChange,
  computeChange,
  type DatedScore,
  getPreviousScore,
  getScoreDay,
  type StoredRow,
  serializeRows,
} from "./compute-change";
import { type ScoredRow, toRowsText } from "./evidence/evidence-row";
import { recompute } from "./evidence/recompute";
import { scoreTotals, sumTotals } from "./evidence/totals";
import { POLICY } from "./policy";
import { createDayScoreChange } from "./score/score-change";
import { toUtcDay } from "./score/weigh-outcome";

/** A stored reputation and what its refresh depends on, as JSON. */
export interface ChunkEntry {
  stored: Omit<StoredRow, "lastUpdated" | "totals"> & { lastUpdated: string };
  announced: { scoreE4: number; at: string } | null;
  /** Null if the evidence must be computed from the ledger. */
  rows: EvidenceTuple[] | null;
}

/** The fields of an `ScoredRow` in their order: a third of the size of objects. */
type EvidenceTuple = [
  requester: string,
  category: string,
  backing: ScoredRow["backing"],
  reported: boolean,
  day: number,
  good: string,
  bad: string,
  outcomes: number,
  counted: number,
  assessed: number,
  passed: number,
  successes: number,
  disputed: number,
];

export interface RefreshedChunk {
  /** The rows of `reputations` to store, as a JSON array. */
  rows: string;
  /** The entries to add to the history, as a JSON array; null if there are none. */
  history: string | null;
  events: AppEvent[];
  /** The evidence that was computed from ledgers, as `replaceRows` takes it. */
  evidence: { wallet: string; rows: string }[];
  /** Wallets whose ledger must be read. */
  unresolved: string[];
}

/**
 * Computes the reputations of a chunk on the day of `now`, a JSON array of `ChunkEntry`. `ledgers` is a
 * JSON object with the records of some of the wallets, whose evidence is computed from them. A pure
 * function of texts, which pass to and from a worker thread without being parsed by the main thread.
 */
export function refreshChunk(chunk: string, now: Date, ledgers = "{}"): RefreshedChunk {
  const ledgerOf: Record<string, LedgerRecord[] | undefined> = JSON.parse(ledgers);
  const changes: ComputedChange[] = [];
  const refreshed: RefreshedChunk = {
    rows: "[]",
    history: null,
    events: [],
    evidence: [],
    unresolved: [],
  };
  for (const entry of JSON.parse(chunk) as ChunkEntry[]) {
    const { wallet } = entry.stored;
    const change = refresh(entry, now, ledgerOf[wallet], refreshed.evidence);
    if (change) changes.push(change);
    else refreshed.unresolved.push(wallet);
  }
  const history = changes.flatMap(({ entry }) => entry ?? []);
  return {
    ...refreshed,
    rows: serializeRows(changes.flatMap(({ row }) => row ?? [])),
    history: history.length > 0 ? serializeRows(history) : null,
    events: changes.flatMap(({ update }) => update.event ?? []),
  };
}

/**
 * Computes the change of a reputation by its rows of evidence, or by its ledger, whose rows it adds to
 * `evidence`. Returns null if only the ledger has what the change depends on, and it is not given.
 */
function refresh(
  entry: ChunkEntry,
  now: Date,
  ledger: LedgerRecord[] | undefined,
  evidence: RefreshedChunk["evidence"],
): ComputedChange | null {
  const { wallet } = entry.stored;
  const stored = { ...entry.stored, lastUpdated: new Date(entry.stored.lastUpdated), totals: null };
  const announced = entry.announced && { ...entry.announced, at: new Date(entry.announced.at) };
  const state = { stored, announced };
  const previous = getPreviousScore(state, now);
  const day = getScoreDay(stored, now);
  const change = { wallet, cause: "day", now } as const;
  if (ledger) {
    const { totals, rows, scoreChange } = recompute(ledger, {
      wallet,
      day,
      change: { seq: null, previousScoreE4: previous.scoreE4, previousAt: previous.at },
    });
    evidence.push({ wallet, rows: toRowsText(wallet, rows) });
    return computeChange(
      { ...state, totals, score: scoreTotals(wallet, totals), scoreChange },
      change,
    );
  }
  const rows = entry.rows?.map(parseTuple);
  if (!rows || rows.some((row) => hasMatured(row, previous, day))) return null;
  const totals = sumTotals(rows, day);
  const score = scoreTotals(wallet, totals);
  const scoreChange = createDayScoreChange(score, previous.scoreE4);
  return computeChange({ ...state, totals, score, scoreChange }, change);
}

/**
 * Returns whether a reported failure began to count since the previous score: the score change names it,
 * and only the ledger has failures one by one.
 */
function hasMatured(row: ScoredRow, previous: DatedScore, day: number): boolean {
  const lastSeen = toUtcDay(previous.at.getTime() / 1000);
  const countsFrom = row.day + POLICY.graceDays;
  return row.reported && row.bad > 0n && countsFrom > lastSeen && countsFrom <= day;
}

function parseTuple(tuple: EvidenceTuple): ScoredRow {
  const [requester, category, backing, reported, day, good, bad, ...counts] = tuple;
  const [outcomes, counted, assessed, passed, successes, disputed] = counts;
  return {
    requester,
    category,
    backing,
    reported,
    day,
    good: BigInt(good),
    bad: BigInt(bad),
    outcomes,
    counted,
    assessed,
    passed,
    successes,
    disputed,
  };
}
