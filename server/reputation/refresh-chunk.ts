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
import { parseRow, type ScoredRow } from "./evidence/evidence-row";
import { scoreTotals, sumTotals } from "./evidence/totals";
import { POLICY } from "./policy";
import { createDayScoreChange } from "./score/score-change";
import { toUtcDay } from "./score/weigh-outcome";

/** A stored reputation and what its refresh depends on, as JSON. */
export interface ChunkEntry {
  stored: Omit<StoredRow, "lastUpdated" | "totals"> & { lastUpdated: string };
  announced: { scoreE4: number; at: string } | null;
  /** As `parseRow` reads them; null if the evidence must be computed from the ledger. */
  rows: unknown[][] | null;
}

/** Computed reputations, as they are stored together. */
export interface ComputedChunk {
  /** The rows of `reputations` to store, as a JSON array. */
  rows: string;
  /** The entries to add to the history, as a JSON array; null if there are none. */
  history: string | null;
  events: AppEvent[];
}

export interface RefreshedChunk extends ComputedChunk {
  /** Those of which only the ledger has what their change depends on. */
  unresolved: ChunkEntry[];
}

/**
 * Computes the reputations of a chunk, a JSON array of `ChunkEntry`, on the day of `now`. A pure function
 * of a text, which passes to and from a worker thread without being parsed by the main thread.
 */
export function refreshChunk(chunk: string, now: Date): RefreshedChunk {
  const changes: ComputedChange[] = [];
  const unresolved: ChunkEntry[] = [];
  for (const entry of JSON.parse(chunk) as ChunkEntry[]) {
    const change = refresh(entry, now);
    if (change) changes.push(change);
    else unresolved.push(entry);
  }
  return { ...toChunk(changes), unresolved };
}

export function toChunk(changes: ComputedChange[]): ComputedChunk {
  const history = changes.flatMap(({ entry }) => entry ?? []);
  return {
    rows: serializeRows(changes.flatMap(({ row }) => row ?? [])),
    history: history.length > 0 ? serializeRows(history) : null,
    events: changes.flatMap(({ update }) => update.event ?? []),
  };
}

export function parseState({ stored, announced }: ChunkEntry) {
  return {
    stored: { ...stored, lastUpdated: new Date(stored.lastUpdated), totals: null },
    announced: announced && { ...announced, at: new Date(announced.at) },
  };
}

/**
 * Computes the change of a reputation by its rows of evidence. Returns null if only the ledger has what
 * the change depends on.
 */
function refresh(entry: ChunkEntry, now: Date): ComputedChange | null {
  const { wallet } = entry.stored;
  const state = parseState(entry);
  const previous = getPreviousScore(state, now);
  const day = getScoreDay(state.stored, now);
  const rows = entry.rows?.map(parseRow);
  if (!rows || rows.some((row) => hasMatured(row, previous, day))) return null;
  const totals = sumTotals(rows, day);
  const score = scoreTotals(wallet, totals);
  const scoreChange = createDayScoreChange(score, previous.scoreE4);
  return computeChange({ ...state, totals, score, scoreChange }, { wallet, cause: "day", now });
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
