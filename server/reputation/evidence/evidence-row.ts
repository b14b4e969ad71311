import type { OutcomeRecord } from "@/server/chain/registry/ledger";
import type { LedgerFacts } from "@/server/reputation/score/ledger-facts";
import { type LimitRow, toLimitRow } from "@/server/reputation/score/limit";
import type { OutcomeCounts } from "@/server/reputation/score/score";
import type { Backing, Weight } from "@/server/reputation/score/weigh-outcome";

/** Sums over the outcomes of one contractor for one requester that decay alike. */
export interface EvidenceRow extends ScoredRow, LimitRow {}

/** Those that a score depends on. */
export interface ScoredRow extends OutcomeCounts {
  requester: string;
  category: string;
  backing: Backing;
  reported: boolean;
  /** UTC day of the outcomes, counted from 1970-01-01. */
  day: number;
  /** Weights before decay, in 1e-9 of a unit. */
  good: bigint;
  bad: bigint;
}

/** Returns the evidence of one outcome with its weight. */
export function toEvidenceRow(
  record: OutcomeRecord,
  weight: Weight,
  facts: LedgerFacts,
): EvidenceRow {
  const { backing, final, good, bad, counted, assessed, reported } = weight;
  const isSuccess = final === "SUCCESS";
  const isDisputed = facts.getDispute(record.id) !== undefined;
  return {
    ...toLimitRow(record, weight),
    backing,
    reported,
    good,
    bad,
    outcomes: 1,
    counted: counted ? 1 : 0,
    assessed: counted && assessed ? 1 : 0,
    passed: counted && assessed && isSuccess ? 1 : 0,
    successes: counted && isSuccess ? 1 : 0,
    disputed: counted && isDisputed ? 1 : 0,
  };
}

/** Adds up rows of outcomes that decay alike, so that each key occurs once. */
export function mergeRows(rows: Iterable<EvidenceRow>): EvidenceRow[] {
  const merged = new Map<string, EvidenceRow>();
  for (const row of rows) {
    const { requester, category, backing, reported, day } = row;
    const key = `${requester} ${category} ${backing} ${reported} ${day}`;
    const sum = merged.get(key);
    if (!sum) {
      merged.set(key, { ...row });
      continue;
    }
    sum.good += row.good;
    sum.bad += row.bad;
    sum.outcomes += row.outcomes;
    sum.counted += row.counted;
    sum.assessed += row.assessed;
    sum.passed += row.passed;
    sum.successes += row.successes;
    sum.disputed += row.disputed;
    sum.earned += row.earned;
    sum.lost += row.lost;
  }
  return [...merged.values()];
}

/** Returns rows of a wallet as JSON, with weights as strings, which keeps them exact. */
export function toRowsText(wallet: string, rows: EvidenceRow[]): string {
  return JSON.stringify(
    rows.map((row) => ({
      wallet,
      ...row,
      good: String(row.good),
      bad: String(row.bad),
      earned: String(row.earned),
      lost: String(row.lost),
    })),
  );
}

/** Parses rows that `toRowsText` or Postgres returned. */
export function parseRows(text: string): ScoredRow[] {
  return JSON.parse(text).map((row: ScoredRow) => ({
    ...row,
    good: BigInt(row.good),
    bad: BigInt(row.bad),
  }));
}
