import type { Transaction } from "@/server/lib/context";
import {
  type ComputedChange,
  computeChange,
  type DatedScore,
  getPreviousScore,
  getScoreDay,
  type StoredRow,
} from "@/server/reputation/compute-change";
import { POLICY } from "@/server/reputation/policy";
import { readLastAnnounced, readLedgerText } from "@/server/reputation/queries";
import { createDayScoreChange } from "@/server/reputation/score/score-change";
import { toUtcDay } from "@/server/reputation/score/weigh-outcome";
import { recomputeInWorkerIfLong } from "./in-worker-if-long";
import { loadTotals } from "./store";
import { scoreTotals } from "./totals";

/** Computes the reputations of locked wallets on the day of `now`, when only time passed. */
export async function computeDayChanges(
  tx: Transaction,
  wallets: string[],
  stored: ReadonlyMap<string, StoredRow>,
  now: Date,
): Promise<ComputedChange[]> {
  const [announced, totalsByWallet] = await Promise.all([
    readLastAnnounced(tx, wallets),
    loadTotals(tx, wallets, stored, { now }),
  ]);
  const spans = wallets.map((wallet) => {
    const state = { stored: stored.get(wallet), announced: announced.get(wallet) ?? null };
    const day = getScoreDay(state.stored, now);
    return { wallet, ...state, day, previous: getPreviousScore(state, now) };
  });
  const matured = await findMatured(tx, spans);
  const changes: ComputedChange[] = [];
  for (const { wallet, day, previous, ...state } of spans) {
    const totals = totalsByWallet.get(wallet);
    if (!totals) continue;
    const score = scoreTotals(wallet, totals);
    const scoreChange = matured.has(wallet)
      ? await explainMatured(tx, { wallet, day, previous })
      : createDayScoreChange(score, previous.scoreE4);
    changes.push(
      computeChange({ ...state, totals, score, scoreChange }, { wallet, cause: "day", now }),
    );
  }
  return changes;
}

interface Span {
  wallet: string;
  day: number;
  previous: DatedScore;
}

/** Returns the wallets with reported failures that began to count since the previous score. */
async function findMatured(tx: Transaction, spans: Span[]): Promise<Set<string>> {
  const wallets = spans.map(({ wallet }) => wallet);
  const lastDays = spans.map(({ day }) => day - POLICY.graceDays);
  const firstDays = spans.map(
    ({ previous }) => toUtcDay(previous.at.getTime() / 1000) - POLICY.graceDays,
  );
  const rows = await tx.sql<{ wallet: string }[]>`
    select distinct wallet
    from unnest(${wallets}::char(42)[], ${firstDays}::int[], ${lastDays}::int[])
      as span (wallet, after, until)
    join evidence using (wallet)
    where reported and bad > 0 and day > after and day <= until`;
  return new Set(rows.map(({ wallet }) => wallet));
}

/** The score change names the failures, which only the ledger has one by one. */
async function explainMatured(tx: Transaction, { wallet, day, previous }: Span) {
  const { scoreChange } = await recomputeInWorkerIfLong(await readLedgerText(tx, wallet), {
    wallet,
    day,
    change: { seq: null, previousScoreE4: previous.scoreE4, previousAt: previous.at },
  });
  if (!scoreChange) throw new Error(`no score change of ${wallet}`);
  return scoreChange;
}
