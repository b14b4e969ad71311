import type { Sql } from "@/server/lib/context";
import {
  type Change,
  type ComputedChange,
  computeChange,
  getPreviousScore,
  getScoreDay,
  type State,
} from "./compute-change";
import { recomputeFromLedger } from "./evidence/store";
import { scoreTotals } from "./evidence/totals";

/** Computes a change of a reputation from the whole ledger of the wallet, with its rows of evidence. */
export async function computeFromLedger(
  db: Sql,
  state: State,
  change: Change,
): Promise<{ computed: ComputedChange; rows: string }> {
  const { wallet, seq = null, now } = change;
  const previous = getPreviousScore(state, now);
  const { totals, rows, scoreChange } = await recomputeFromLedger(db, {
    wallet,
    day: getScoreDay(state.stored, now),
    change: { seq, previousScoreE4: previous.scoreE4, previousAt: previous.at },
  });
  const score = scoreTotals(wallet, totals);
  return { computed: computeChange({ ...state, totals, score, scoreChange }, change), rows };
}
