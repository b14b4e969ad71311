import { buildScore, type OutcomeCounts, type Score } from "@/server/reputation/score/score";
import {
  capRequester,
  decayEvidence,
  type Evidence,
  type EvidenceByBacking,
} from "@/server/reputation/score/score-evidence";
import { type Backing, isInRates } from "@/server/reputation/score/weigh-outcome";
import type { ScoredRow } from "./evidence-row";

/** Decayed evidence, overall and by category. */
export interface Sums {
  overall: EvidenceByBacking;
  categories: Map<string, EvidenceByBacking>;
}

/** The decayed evidence of one requester, not capped. */
export interface RequesterSums extends Sums {
  /** Whether any of its outcomes is paid or anchored. */
  isConfirmed: boolean;
}

/** The evidence of a wallet on one day, capped per requester: everything its score depends on. */
export interface Totals extends Sums, OutcomeCounts {
  /** UTC day of the decay, counted from 1970-01-01. Outcomes of later days are not included. */
  day: number;
  /** Number of requesters with a paid or anchored outcome. */
  confirmedRequesters: number;
  /** UTC day of the first success that is paid or anchored; null if there is none. */
  firstBackedDay: number | null;
}

/** Returns the totals of all rows of a wallet on a day. */
export function sumTotals(rows: Iterable<ScoredRow>, day: number): Totals {
  const totals: Totals = {
    ...createSums(),
    day,
    outcomes: 0,
    counted: 0,
    assessed: 0,
    passed: 0,
    successes: 0,
    disputed: 0,
    confirmedRequesters: 0,
    firstBackedDay: null,
  };
  const byRequester = new Map<string, RequesterSums>();
  for (const row of rows) {
    const sums = byRequester.get(row.requester) ?? createRequesterSums();
    byRequester.set(row.requester, sums);
    addEvidence(totals, sums, row);
  }
  return totals;
}

/**
 * Adds a row to the totals of a wallet and to `requester`, the uncapped sums of the row's requester
 * on the same day. Adding rows in any order, or merged, gives the same totals: a requester's
 * contribution to them is replaced by that of its new sum.
 */
export function addEvidence(totals: Totals, requester: RequesterSums, row: ScoredRow): void {
  const age = totals.day - row.day;
  if (age < 0) return;
  const added = decayEvidence({ ...row, age });
  const [category, own] = [getCategory(totals, row), getCategory(requester, row)];
  addCapped(totals.overall[row.backing], requester.overall[row.backing], added);
  addCapped(category[row.backing], own[row.backing], added);
  totals.outcomes += row.outcomes;
  if (isInRates({ counted: true, reported: row.reported }, age)) {
    totals.counted += row.counted;
    totals.assessed += row.assessed;
    totals.passed += row.passed;
    totals.successes += row.successes;
    totals.disputed += row.disputed;
  }
  if (row.backing !== "claimed" && !requester.isConfirmed) {
    requester.isConfirmed = true;
    totals.confirmedRequesters += 1;
  }
  if (row.backing !== "claimed" && row.good > 0n) {
    totals.firstBackedDay = Math.min(totals.firstBackedDay ?? row.day, row.day);
  }
}

/** Returns the uncapped sums of a requester on a day, from its rows. */
export function sumRequester(rows: Iterable<ScoredRow>, day: number): RequesterSums {
  const sums = createRequesterSums();
  for (const row of rows) {
    if (row.day > day) continue;
    const added = decayEvidence({ ...row, age: day - row.day });
    add(sums.overall[row.backing], added);
    add(getCategory(sums, row)[row.backing], added);
    sums.isConfirmed ||= row.backing !== "claimed";
  }
  return sums;
}

/** Computes the score of a wallet from its totals, on their day. */
export function scoreTotals(wallet: string, totals: Totals): Score {
  const { day, firstBackedDay } = totals;
  return buildScore(wallet, {
    ...totals,
    tenure: firstBackedDay === null ? 0 : day - firstBackedDay,
  });
}

function addCapped(total: Evidence, own: Evidence, added: Evidence): void {
  // Copied, since below the cap it is `own` itself.
  const before = { ...capRequester(own) };
  add(own, added);
  const after = capRequester(own);
  add(total, { good: after.good - before.good, bad: after.bad - before.bad });
}

function add(sum: Evidence, { good, bad }: Evidence): void {
  sum.good += good;
  sum.bad += bad;
}

function getCategory({ categories }: Sums, { category }: ScoredRow): EvidenceByBacking {
  const known = categories.get(category);
  if (known) return known;
  const created = createSums().overall;
  categories.set(category, created);
  return created;
}

/** Returns the sums of a requester without evidence. */
export const createRequesterSums = (): RequesterSums => ({ ...createSums(), isConfirmed: false });

function createSums(): Sums {
  const none = () => ({ good: 0n, bad: 0n });
  return {
    overall: { claimed: none(), paid: none(), anchored: none() },
    categories: new Map(),
  };
}

/** Good and bad evidence as decimal strings: they exceed the exact range of JSON numbers. */
type StoredSums = Record<Backing, [good: string, bad: string]>;

/** The totals of a wallet as stored beside its reputation. */
export interface StoredTotals extends Omit<Totals, "overall" | "categories"> {
  /** The `version` of the reputation that the totals and the rows of evidence belong to. */
  version: number;
  overall: StoredSums;
  categories: Record<string, StoredSums>;
}

export function toStoredTotals(totals: Totals, version: number): StoredTotals {
  return {
    ...totals,
    version,
    overall: toStoredSums(totals.overall),
    categories: Object.fromEntries(
      [...totals.categories].map(([category, sums]) => [category, toStoredSums(sums)]),
    ),
  };
}

/** Returns the totals beside a reputation; null if its evidence must be read from the ledger. */
export function parseTotals({
  version,
  totals: stored,
}: {
  version: number;
  totals: StoredTotals | null;
}): Totals | null {
  if (stored?.version !== version) return null;
  const { version: _, ...totals } = stored;
  return {
    ...totals,
    overall: parseSums(totals.overall),
    categories: new Map(
      Object.entries(totals.categories).map(([category, sums]) => [category, parseSums(sums)]),
    ),
  };
}

const toStoredSums = ({ claimed, paid, anchored }: EvidenceByBacking): StoredSums => ({
  claimed: [String(claimed.good), String(claimed.bad)],
  paid: [String(paid.good), String(paid.bad)],
  anchored: [String(anchored.good), String(anchored.bad)],
});

const parseSums = ({ claimed, paid, anchored }: StoredSums): EvidenceByBacking => ({
  claimed: { good: BigInt(claimed[0]), bad: BigInt(claimed[1]) },
  paid: { good: BigInt(paid[0]), bad: BigInt(paid[1]) },
  anchored: { good: BigInt(anchored[0]), bad: BigInt(anchored[1]) },
});
