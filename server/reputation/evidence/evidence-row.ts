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

/** The columns of `evidence` by which rows differ, and after them those that add up. */
const KEYS = ["requester", "category", "backing", "reported", "day"] as const;
const WEIGHTS = ["good", "bad", "earned", "lost"] as const;
const COUNTS = ["outcomes", "counted", "assessed", "passed", "successes", "disputed"] as const;
export const KEY_COLUMNS = ["wallet", ...KEYS];
export const SUM_COLUMNS = [...WEIGHTS, ...COUNTS];

/** Adds up rows of outcomes that decay alike, so that each key occurs once. */
export function mergeRows(rows: Iterable<EvidenceRow>): EvidenceRow[] {
  const merged = new Map<string, EvidenceRow>();
  for (const row of rows) {
    const key = KEYS.map((name) => row[name]).join(" ");
    const sum = merged.get(key);
    if (!sum) {
      merged.set(key, { ...row });
      continue;
    }
    for (const name of WEIGHTS) sum[name] += row[name];
    for (const name of COUNTS) sum[name] += row[name];
  }
  return [...merged.values()];
}

/** Returns rows of a wallet as JSON, with weights as strings, which keeps them exact. */
export const toRowsText = (wallet: string, rows: EvidenceRow[]): string =>
  JSON.stringify(
    rows.map((row) => ({ wallet, ...row })),
    (_, value) => (typeof value === "bigint" ? String(value) : value),
  );

/** The fields of a `ScoredRow` in the order in which they are read: a third of the size of objects. */
const READ_FIELDS = [...KEYS, "good", "bad", ...COUNTS] as const;

/** SQL expression of a row of `evidence` that `parseRow` reads. */
export const ROW_TO_READ = `json_build_array(${READ_FIELDS.map((name) =>
  name === "good" || name === "bad" ? `${name}::text` : name,
).join(", ")})`;

/** Parses a row that `ROW_TO_READ` selected. */
export function parseRow(values: unknown[]): ScoredRow {
  const row: Record<string, unknown> = {};
  for (let place = 0; place < READ_FIELDS.length; place += 1) {
    row[READ_FIELDS[place] as string] = values[place];
  }
  row.good = BigInt(row.good as string);
  row.bad = BigInt(row.bad as string);
  return row as unknown as ScoredRow;
}
