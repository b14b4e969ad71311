import type { Transaction } from "@/server/lib/context";
import { getScoreDay, type StoredRow } from "@/server/reputation/compute-change";
import { readLedgers, readLedgerText } from "@/server/reputation/queries";
import { groupLedger } from "@/server/reputation/score/group-ledger";
import { toRowsText } from "./evidence-row";
import { recomputeInWorkerIfLong, sumRowsInWorkerIfLong } from "./in-worker-if-long";
import { recompute } from "./recompute";
import { readRowsTexts, replaceRows } from "./store";
import { parseTotals, type Totals } from "./totals";

/**
 * Returns the totals of locked wallets on the days of their scores at `now`. Stored totals of an
 * earlier day are summed again from the rows of evidence. Missing rows are first computed from the
 * ledger without the records `excluded` by `seq`: those of a wallet without a reputation, or of one that
 * an earlier version of the service wrote.
 */
export async function loadTotals(
  tx: Transaction,
  wallets: string[],
  stored: ReadonlyMap<string, StoredRow>,
  { now, excluded = [] }: { now: Date; excluded?: number[] },
): Promise<Map<string, Totals>> {
  const loaded = new Map<string, Totals>();
  const ofOtherDays: string[] = [];
  const withoutRows: string[] = [];
  for (const wallet of wallets) {
    const row = stored.get(wallet);
    const totals = row ? parseTotals(row) : null;
    if (!totals) withoutRows.push(wallet);
    else if (totals.day !== getScoreDay(row, now)) ofOtherDays.push(wallet);
    else loaded.set(wallet, totals);
  }
  if (ofOtherDays.length > 0) {
    const texts = await readRowsTexts(tx, ofOtherDays);
    for (const wallet of ofOtherDays) {
      const day = getScoreDay(stored.get(wallet), now);
      loaded.set(wallet, await sumRowsInWorkerIfLong(texts.get(wallet) ?? "[]", day));
    }
  }
  if (withoutRows.length > 0) {
    const computed = await computeRows(tx, withoutRows, stored, { now, excluded });
    for (const { wallet, totals } of computed) loaded.set(wallet, totals);
    await replaceRows(tx, computed);
  }
  return loaded;
}

interface ComputedRows {
  wallet: string;
  totals: Totals;
  /** As `toRowsText` returns them. */
  rows: string;
}

async function computeRows(
  tx: Transaction,
  wallets: string[],
  stored: ReadonlyMap<string, StoredRow>,
  { now, excluded }: { now: Date; excluded: number[] },
): Promise<ComputedRows[]> {
  const computed: ComputedRows[] = [];
  for (const wallet of wallets) {
    const row = stored.get(wallet);
    if (!row) continue;
    const ledger = await readLedgerText(tx, wallet, excluded);
    const input = { wallet, day: getScoreDay(row, now), change: null };
    computed.push({ wallet, ...(await recomputeInWorkerIfLong(ledger, input)) });
  }
  const unknown = wallets.filter((wallet) => !stored.has(wallet));
  if (unknown.length === 0) return computed;
  // Nearly always without earlier records, so one query of all is short.
  const records = (await readLedgers(tx, unknown)).flatMap((record) =>
    record.seq === undefined || excluded.includes(record.seq)
      ? []
      : [{ record: { ...record, seq: record.seq } }],
  );
  const ledger = groupLedger(records);
  for (const wallet of unknown) {
    const own = ledger.getRecordsFor(wallet).map(({ record }) => record);
    const input = { wallet, day: getScoreDay(undefined, now), change: null };
    const { totals, rows } = recompute(own, input);
    computed.push({ wallet, totals, rows: toRowsText(wallet, rows) });
  }
  return computed;
}
