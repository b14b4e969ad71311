import type postgres from "postgres";
import type { Sql } from "@/server/lib/context";
import type { Tier } from "@/server/lib/schema";
import { DAY_MS } from "@/server/lib/time";
import { hasScoreChanged } from "./compute-change";
import { recomputeOffLoop, sumRowsOffLoop } from "./evidence/off-loop";
import { rowAsJson } from "./evidence/store";
import { scoreTotals } from "./evidence/totals";
import { readLedgerText } from "./queries";
import { formatUtcDay, type PublicColumns, type StoredReputation } from "./score/public-reputation";
import { toUtcDay } from "./score/weigh-outcome";

/** A pool, and drizzle over it. */
interface Pool {
  db: Sql;
  sql: postgres.Sql;
}

/**
 * Returns the scores of wallets on the UTC day of `now`; omits wallets without outcomes. Stored scores
 * of an earlier day, which the daily refresh has not reached yet, are computed from their evidence and
 * not stored.
 */
export async function readCurrentScores(
  pool: Pool,
  wallets: string[],
  now: Date,
): Promise<StoredReputation[]> {
  // These reads bypass drizzle: postgres.js keeps them prepared, and building a statement costs more
  // than running it.
  const stored = await pool.sql<StoredReputation[]>`
    select wallet, score_e_4 as "scoreE4", tier, total_outcomes as "totalOutcomes",
      confirmed_outcomes as "confirmedOutcomes", assessed_outcomes as "assessedOutcomes",
      success_rate_e_4 as "successRateE4", dispute_rate_e_4 as "disputeRateE4",
      category_scores_e_4 as "categoryScoresE4", score_day::text as "scoreDay",
      last_updated as "lastUpdated", breakdown, simulated
    from reputations where wallet = any(${wallets}::char(42)[])`;
  const today = formatUtcDay(now);
  const stale = stored.filter((score) => isStale(score, today));
  if (stale.length === 0) return stored;
  const current = await computeStale(pool, stale, now);
  return stored.map((row) => current.get(row.wallet) ?? row);
}

/**
 * Returns the public columns of wallets as stored, maybe of an earlier day; omits wallets without
 * outcomes.
 */
export async function readStoredScores(
  sql: postgres.Sql,
  wallets: string[],
): Promise<PublicColumns[]> {
  // Arrays in one JSON value take half as long to read as rows of the driver, which bulk reads notice.
  const [found] = await sql<{ rows: StoredValues[] | null }[]>`
    select json_agg(json_build_array(
      wallet, score_e_4, tier, total_outcomes, confirmed_outcomes, assessed_outcomes,
      success_rate_e_4, dispute_rate_e_4, category_scores_e_4, score_day, last_updated, simulated, breakdown->'paid', breakdown->'anchored'
    )) as rows
    from reputations where wallet = any(${wallets}::char(42)[])`;
  return (found?.rows ?? []).map((values) => ({
    wallet: values[0],
    scoreE4: values[1],
    tier: values[2],
    totalOutcomes: values[3],
    confirmedOutcomes: values[4],
    assessedOutcomes: values[5],
    successRateE4: values[6],
    disputeRateE4: values[7],
    categoryScoresE4: values[8],
    scoreDay: values[9],
    lastUpdated: values[10],
    simulated: values[11],
    breakdown: { paid: values[12], anchored: values[13] },
  }));
}

/** The values that `readStoredScores` selects, in its order. */
type StoredValues = [
  wallet: string,
  scoreE4: number,
  tier: Tier,
  totalOutcomes: number,
  confirmedOutcomes: number,
  assessedOutcomes: number,
  successRateE4: number,
  disputeRateE4: number,
  categoryScoresE4: Record<string, number>,
  scoreDay: string,
  lastUpdated: string,
  simulated: boolean,
  paid: [number, number],
  anchored: [number, number],
];

/** Returns whether a stored score is of an earlier UTC day than `today`, `YYYY-MM-DD`. */
export const isStale = ({ scoreDay }: PublicColumns, today: string): boolean => scoreDay < today;

interface EvidenceOf {
  wallet: string;
  /** JSON for `parseRows`; null if the evidence must be read from the ledger. */
  rows: string | null;
}

/** Returns the scores of `stale`, by wallet, on the UTC day of `now`. */
export async function computeStale(
  { db, sql }: Pool,
  stale: PublicColumns[],
  now: Date,
): Promise<Map<string, StoredReputation>> {
  const wallets = stale.map(({ wallet }) => wallet);
  // One statement, so that no settlement between two of them gives the rows of another version.
  const found = await sql<EvidenceOf[]>`
    select wallet, case when (totals->>'version')::int = version then (
        select coalesce(json_agg(${rowAsJson(sql)})::text, '[]')
        from evidence where evidence.wallet = reputations.wallet
      ) end as rows
    from reputations where wallet = any(${wallets}::char(42)[])`;
  const evidence = new Map(found.map(({ wallet, rows }) => [wallet, rows]));
  const day = toUtcDay(now.getTime() / 1000);
  const current = new Map<string, StoredReputation>();
  for (const row of stale) {
    const { wallet } = row;
    const rows = evidence.get(wallet);
    const totals = rows
      ? await sumRowsOffLoop(rows, day)
      : (await recomputeOffLoop(await readLedgerText(db, wallet), { wallet, day, change: null }))
          .totals;
    current.set(wallet, toDay(row, { ...row, ...scoreTotals(wallet, totals) }, day));
  }
  return current;
}

/** Returns `score` as the row of `day`. A score that differs from the stored one changed at midnight. */
function toDay(stored: PublicColumns, score: StoredReputation, day: number): StoredReputation {
  const midnight = new Date(day * DAY_MS);
  return {
    ...score,
    scoreDay: formatUtcDay(midnight),
    lastUpdated: hasScoreChanged(stored, score) ? midnight : stored.lastUpdated,
  };
}
