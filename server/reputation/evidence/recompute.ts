import type { LedgerRecord } from "@/server/chain/registry/ledger";
import { DAY_SECONDS } from "@/server/lib/time";
import type { StoredScoreChange } from "@/server/reputation/schema";
import { collectFacts } from "@/server/reputation/score/ledger-facts";
import { createScoreChange } from "@/server/reputation/score/score-change";
import { weighOutcome } from "@/server/reputation/score/weigh-outcome";
import { type EvidenceRow, mergeRows, parseRow, toEvidenceRow, toRowsText } from "./evidence-row";
import { scoreTotals, sumTotals, type Totals } from "./totals";

export interface RecomputeInput {
  wallet: string;
  /** UTC day of the score, counted from 1970-01-01. */
  day: number;
  /** The change to explain, if any: its record, and the score that it is measured from. */
  change: { seq: number | null; previousScoreE4: number; previousAt: Date } | null;
}

export interface Recomputed {
  totals: Totals;
  /** Every row of the wallet's evidence. */
  rows: EvidenceRow[];
  scoreChange: StoredScoreChange | null;
}

/** Computes the evidence of a wallet from the records that its score can depend on. */
export function recompute(
  ledger: readonly LedgerRecord[],
  { wallet, day, change }: RecomputeInput,
): Recomputed {
  const facts = collectFacts(ledger);
  const rows = mergeRows(
    ledger.flatMap((record) =>
      record.type === "outcome" && record.contractor === wallet
        ? [toEvidenceRow(record, weighOutcome(record, facts), facts)]
        : [],
    ),
  );
  const totals = sumTotals(rows, day);
  const scoreChange =
    change &&
    createScoreChange({
      ledger,
      wallet,
      seq: change.seq,
      now: day * DAY_SECONDS,
      after: scoreTotals(wallet, totals),
      previousScoreE4: change.previousScoreE4,
      previousAt: change.previousAt.getTime() / 1000,
    });
  return { totals, rows, scoreChange };
}

/**
 * As `recompute`, from a ledger as JSON and with rows as `toRowsText` returns them: texts are copied to
 * and from a worker thread without being parsed by the main thread.
 */
export function recomputeText(
  ledger: string,
  input: RecomputeInput,
): Omit<Recomputed, "rows"> & { rows: string } {
  const recomputed = recompute(JSON.parse(ledger), input);
  return { ...recomputed, rows: toRowsText(input.wallet, recomputed.rows) };
}

/** Returns the totals of rows, a JSON array of what `ROW_TO_READ` selects, on a day. */
export function sumRowsText(rows: string, day: number): Totals {
  return sumTotals(JSON.parse(rows).map(parseRow), day);
}
