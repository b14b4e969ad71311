import { toSnakeCase } from "drizzle-orm/casing";
import type { Transaction } from "@/server/lib/context";
import type { StoredRow } from "./compute-change";
import type { reputationHistory } from "./tables";

// Every settlement runs these statements, so they bypass drizzle, which would build them each time.

/** Returns the stored reputations of wallets, by wallet. */
export async function readStored(
  tx: Transaction,
  wallets: string[],
): Promise<Map<string, StoredRow>> {
  const rows = await tx.sql<(StoredRow & { lastUpdated: string | Date })[]>`
    select wallet, score_e_4 as "scoreE4", tier, total_outcomes as "totalOutcomes",
      confirmed_outcomes as "confirmedOutcomes", assessed_outcomes as "assessedOutcomes",
      success_rate_e_4 as "successRateE4",
      dispute_rate_e_4 as "disputeRateE4", category_scores_e_4 as "categoryScoresE4", breakdown,
      version, score_day::text as "scoreDay", last_updated as "lastUpdated", simulated, totals
    from reputations where wallet = any(${wallets}::char(42)[])`;
  // Drizzle leaves times unparsed.
  return new Map(
    rows.map((row) => [row.wallet, { ...row, lastUpdated: new Date(row.lastUpdated) }]),
  );
}

/** Inserts or replaces reputations. */
export const writeStored = ({ sql }: Transaction, rows: StoredRow[]) => sql`
  insert into reputations
  select * from jsonb_populate_recordset(null::reputations, ${toColumns(rows)}::text::jsonb)
  on conflict (wallet) do update set
    score_e_4 = excluded.score_e_4, tier = excluded.tier, total_outcomes = excluded.total_outcomes,
    confirmed_outcomes = excluded.confirmed_outcomes,
    assessed_outcomes = excluded.assessed_outcomes,
    success_rate_e_4 = excluded.success_rate_e_4, dispute_rate_e_4 = excluded.dispute_rate_e_4,
    category_scores_e_4 = excluded.category_scores_e_4, breakdown = excluded.breakdown,
    version = excluded.version, score_day = excluded.score_day,
    last_updated = excluded.last_updated, simulated = excluded.simulated, totals = excluded.totals`;

/** Inserts entries of the history. */
export const insertHistory = (
  { sql }: Transaction,
  entries: (typeof reputationHistory.$inferInsert)[],
) =>
  entries.length > 0 &&
  sql`
    insert into reputation_history
    select * from jsonb_populate_recordset(null::reputation_history, ${toColumns(entries)}::text::jsonb)`;

/** Returns rows as JSON with the names of columns. */
function toColumns(rows: object[]): string {
  return JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [toSnakeCase(name), value])),
    ),
  );
}
