import { columns } from "@/server/db/arrays";
import type { Sql, Transaction } from "@/server/lib/context";
import { getScoreDay, type StoredRow } from "@/server/reputation/compute-change";
import { readLedgerText } from "@/server/reputation/queries";
import {
  type EvidenceRow,
  KEY_COLUMNS,
  mergeRows,
  ROW_TO_READ,
  type ScoredRow,
  SUM_COLUMNS,
  toRowsText,
} from "./evidence-row";
import { recomputeInWorkerIfLong, sumRowsInWorkerIfLong } from "./in-worker-if-long";
import type { RecomputeInput } from "./recompute";
import { parseTotals, sumTotals, type Totals } from "./totals";

/** A contractor and one of its requesters. */
export interface Pair {
  wallet: string;
  requester: string;
}

/** Returns the rows of evidence of pairs: by wallet, then by requester. */
export async function readPairs(
  tx: Transaction,
  pairs: Pair[],
): Promise<Map<string, Map<string, ScoredRow[]>>> {
  const rows = await tx.sql<(Pair & ScoredRow)[]>`
    select evidence.*
    from (
      select distinct wallet::char(42), requester::char(42)
      from unnest(${columns(tx.sql, pairs, { wallet: "text", requester: "text" })})
        as pair (wallet, requester)
    ) as pair
    join evidence using (wallet, requester)`;
  const found = new Map<string, Map<string, ScoredRow[]>>();
  for (const { wallet, ...row } of rows) {
    const byRequester = found.get(wallet) ?? new Map<string, ScoredRow[]>();
    found.set(wallet, byRequester);
    const known = byRequester.get(row.requester) ?? [];
    byRequester.set(row.requester, known);
    known.push({ ...row, good: BigInt(row.good), bad: BigInt(row.bad) });
  }
  return found;
}

/** Returns every row of the evidence of some wallets, as JSON that `sumRowsText` reads. */
async function readRowsTexts(tx: Transaction, wallets: string[]): Promise<Map<string, string>> {
  const { sql } = tx;
  const found = await sql<{ wallet: string; rows: string }[]>`
    select wallet, json_agg(${sql.unsafe(ROW_TO_READ)})::text as rows
    from evidence where wallet = any(${wallets}::char(42)[]) group by wallet`;
  return new Map(found.map(({ wallet, rows }) => [wallet, rows]));
}

const listColumns = (columns: string[], source: string) =>
  columns.map((name) => `${source}.${name}`).join(", ");
const KEY = KEY_COLUMNS.join(", ");
const IS_SAME = `(${listColumns(KEY_COLUMNS, "fresh")}) = (${listColumns(KEY_COLUMNS, "known")})`;
const IS_CHANGED = `(${listColumns(SUM_COLUMNS, "known")})
  is distinct from (${listColumns(SUM_COLUMNS, "excluded")})`;
const ADD = SUM_COLUMNS.map((name) => `${name} = known.${name} + excluded.${name}`).join(", ");
const REPLACE = SUM_COLUMNS.map((name) => `${name} = excluded.${name}`).join(", ");

/** Adds outcomes to the evidence of their contractors, which the caller has locked. */
export function addRows({ sql }: Transaction, added: { wallet: string; rows: EvidenceRow[] }[]) {
  const text = joinTexts(added.map(({ wallet, rows }) => toRowsText(wallet, mergeRows(rows))));
  return sql`
    insert into evidence as known
    select * from jsonb_populate_recordset(null::evidence, ${text}::text::jsonb)
    on conflict (${sql.unsafe(KEY)}) do update set ${sql.unsafe(ADD)}`;
}

/**
 * Replaces the evidence of wallets, which the caller has locked, by rows as `toRowsText` returns them.
 * Unchanged rows are not written.
 */
export function replaceRows({ sql }: Transaction, replaced: { wallet: string; rows: string }[]) {
  const wallets = replaced.map(({ wallet }) => wallet);
  const text = joinTexts(replaced.map(({ rows }) => rows));
  return sql`
    with fresh as materialized (
      select * from jsonb_populate_recordset(null::evidence, ${text}::text::jsonb)
    ), outdated as (
      delete from evidence as known
      where wallet = any(${wallets}::char(42)[])
        and not exists (select from fresh where ${sql.unsafe(IS_SAME)})
    )
    insert into evidence as known select * from fresh
    on conflict (${sql.unsafe(KEY)}) do update set ${sql.unsafe(REPLACE)}
    where ${sql.unsafe(IS_CHANGED)}`;
}

/** Joins JSON arrays. An array parameter of texts would escape each of their quotation marks. */
function joinTexts(texts: string[]): string {
  const [only] = texts;
  if (texts.length === 1 && only) return only;
  const contents = texts.map((text) => text.slice(1, -1)).filter((content) => content !== "");
  return `[${contents.join(",")}]`;
}

/**
 * Computes the evidence of a wallet from its ledger, without the records `excluded` by `seq`; `rows` are
 * as `toRowsText` returns them.
 */
export const recomputeFromLedger = async (db: Sql, input: RecomputeInput, excluded?: number[]) =>
  recomputeInWorkerIfLong(await readLedgerText(db, input.wallet, excluded), input);

/**
 * Returns the totals of locked wallets on the days of their scores at `now`. Stored totals of an
 * earlier day are summed again from the rows of evidence. A reputation without totals gets its rows
 * from the ledger without the records `excluded` by `seq`.
 */
export async function loadTotals(
  tx: Transaction,
  wallets: string[],
  stored: ReadonlyMap<string, StoredRow>,
  { now, excluded }: { now: Date; excluded: number[] },
): Promise<Map<string, Totals>> {
  const loaded = new Map<string, Totals>();
  const ofOtherDays: string[] = [];
  const replaced: { wallet: string; rows: string }[] = [];
  for (const wallet of wallets) {
    const row = stored.get(wallet);
    const day = getScoreDay(row, now);
    // A wallet has a reputation from its first outcome on.
    const totals = row ? parseTotals(row) : sumTotals([], day);
    if (!totals) {
      const input = { wallet, day, change: null };
      const { rows, ...computed } = await recomputeFromLedger(tx, input, excluded);
      loaded.set(wallet, computed.totals);
      replaced.push({ wallet, rows });
    } else if (totals.day === day) loaded.set(wallet, totals);
    else ofOtherDays.push(wallet);
  }
  if (replaced.length > 0) await replaceRows(tx, replaced);
  if (ofOtherDays.length === 0) return loaded;
  const texts = await readRowsTexts(tx, ofOtherDays);
  for (const wallet of ofOtherDays) {
    const day = getScoreDay(stored.get(wallet), now);
    loaded.set(wallet, await sumRowsInWorkerIfLong(texts.get(wallet) ?? "[]", day));
  }
  return loaded;
}
