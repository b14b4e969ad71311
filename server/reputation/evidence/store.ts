import type postgres from "postgres";
import { columns } from "@/server/db/arrays";
import type { Transaction } from "@/server/lib/context";
import { type EvidenceRow, mergeRows, toRowsText } from "./evidence-row";

/** A contractor and one of its requesters. */
export interface Pair {
  wallet: string;
  requester: string;
}

/** Returns the rows of evidence of pairs: by wallet, then by requester. */
export async function readPairs(
  tx: Transaction,
  pairs: Pair[],
): Promise<Map<string, Map<string, EvidenceRow[]>>> {
  const rows = await tx.sql<(Pair & EvidenceRow)[]>`
    select evidence.*
    from (
      select distinct wallet::char(42), requester::char(42)
      from unnest(${columns(tx.sql, pairs, { wallet: "text", requester: "text" })})
        as pair (wallet, requester)
    ) as pair
    join evidence using (wallet, requester)`;
  const found = new Map<string, Map<string, EvidenceRow[]>>();
  for (const { wallet, ...row } of rows) {
    const byRequester = found.get(wallet) ?? new Map<string, EvidenceRow[]>();
    found.set(wallet, byRequester);
    const known = byRequester.get(row.requester) ?? [];
    byRequester.set(row.requester, known);
    known.push({ ...row, good: BigInt(row.good), bad: BigInt(row.bad) });
  }
  return found;
}

/** Returns an SQL expression for a row of `evidence` as JSON that `parseRows` reads. */
export const rowAsJson = (sql: postgres.ISql) => sql`
  json_build_object('requester', requester, 'category', category, 'backing', backing,
    'reported', reported, 'day', day, 'good', good::text, 'bad', bad::text, 'outcomes', outcomes,
    'counted', counted, 'assessed', assessed, 'successes', successes, 'disputed', disputed)`;

/** Returns every row of the evidence of some wallets, as JSON that `parseRows` reads. */
export async function readRowsTexts(
  tx: Transaction,
  wallets: string[],
): Promise<Map<string, string>> {
  const { sql } = tx;
  const found = await sql<{ wallet: string; rows: string }[]>`
    select wallet, json_agg(${rowAsJson(sql)})::text as rows
    from evidence where wallet = any(${wallets}::char(42)[]) group by wallet`;
  return new Map(found.map(({ wallet, rows }) => [wallet, rows]));
}

/** Adds outcomes to the evidence of their contractors, which the caller has locked. */
export function addRows(tx: Transaction, added: { wallet: string; rows: EvidenceRow[] }[]) {
  const text = joinTexts(added.map(({ wallet, rows }) => toRowsText(wallet, mergeRows(rows))));
  return tx.sql`
    insert into evidence as known
    select * from jsonb_populate_recordset(null::evidence, ${text}::text::jsonb)
    on conflict (wallet, requester, category, backing, reported, day) do update set
      good = known.good + excluded.good, bad = known.bad + excluded.bad,
      outcomes = known.outcomes + excluded.outcomes, counted = known.counted + excluded.counted,
      assessed = known.assessed + excluded.assessed, successes = known.successes + excluded.successes,
      disputed = known.disputed + excluded.disputed`;
}

/**
 * Replaces the evidence of wallets, which the caller has locked, by rows as `toRowsText` returns them.
 * Unchanged rows are not written.
 */
export function replaceRows(tx: Transaction, replaced: { wallet: string; rows: string }[]) {
  const wallets = replaced.map(({ wallet }) => wallet);
  const text = joinTexts(replaced.map(({ rows }) => rows));
  return tx.sql`
    with fresh as materialized (
      select * from jsonb_populate_recordset(null::evidence, ${text}::text::jsonb)
    ), outdated as (
      delete from evidence as known
      where wallet = any(${wallets}::char(42)[]) and not exists (
        select from fresh
        where (fresh.wallet, fresh.requester, fresh.category, fresh.backing, fresh.reported, fresh.day)
          = (known.wallet, known.requester, known.category, known.backing, known.reported, known.day)
      )
    )
    insert into evidence as known select * from fresh
    on conflict (wallet, requester, category, backing, reported, day) do update set
      good = excluded.good, bad = excluded.bad, outcomes = excluded.outcomes,
      counted = excluded.counted, assessed = excluded.assessed, successes = excluded.successes,
      disputed = excluded.disputed
    where (known.good, known.bad, known.outcomes, known.counted, known.assessed, known.successes,
        known.disputed)
      is distinct from (excluded.good, excluded.bad, excluded.outcomes, excluded.counted,
        excluded.assessed, excluded.successes, excluded.disputed)`;
}

/** Joins JSON arrays. An array parameter of texts would escape each of their quotation marks. */
function joinTexts(texts: string[]): string {
  const [only] = texts;
  if (texts.length === 1 && only) return only;
  const contents = texts.map((text) => text.slice(1, -1)).filter((content) => content !== "");
  return `[${contents.join(",")}]`;
}
