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
import type { ScoredRow } from "./evidence/evidence-row";
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
  /** Wallets whose ledger must be read. */
  unresolved: string[];
}

/**
 * Computes the reputations of a chunk on the day of `now`, a JSON array of `ChunkEntry`. A pure
 * function of texts, which pass to and from a worker thread without being parsed by the main thread.
 */
export function refreshChunk(chunk: string, now: Date): RefreshedChunk {
  const changes: ComputedChange[] = [];
  const unresolved: string[] = [];
  for (const entry of JSON.parse(chunk) as ChunkEntry[]) {
    const change = refresh(entry, now);
    if (change) changes.push(change);
    else unresolved.push(entry.stored.wallet);
  }
  const history = changes.flatMap(({ entry }) => entry ?? []);
  return {
    rows: serializeRows(changes.flatMap(({ row }) => row ?? [])),
    history: history.length > 0 ? serializeRows(history) : null,
    events: changes.flatMap(({ update }) => update.event ?? []),
    unresolved,
  };
}

/** Returns null if only the ledger has what the change depends on. */
function refresh(entry: ChunkEntry, now: Date): ComputedChange | null {
  if (!entry.rows) return null;
  const { wallet } = entry.stored;
  const stored = { ...entry.stored, lastUpdated: new Date(entry.stored.lastUpdated), totals: null };
  const announced = entry.announced && { ...entry.announced, at: new Date(entry.announced.at) };
  const previous = getPreviousScore({ stored, announced }, now);
  const day = getScoreDay(stored, now);
  const rows = entry.rows.map(parseTuple);
  if (rows.some((row) => hasMatured(row, previous, day))) return null;
  const totals = sumTotals(rows, day);
  const score = scoreTotals(wallet, totals);
  const scoreChange = createDayScoreChange(score, previous.scoreE4);
  return computeChange(
    { stored, announced, totals, score, scoreChange },
    { wallet, cause: "day", now },
  );
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
