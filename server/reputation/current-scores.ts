import type postgres from "postgres";
import type { Database } from "@/server/lib/context";
import { DAY_MS } from "@/server/lib/time";
import { hasScoreChanged } from "./compute-change";
import { recomputeInWorkerIfLong, sumRowsInWorkerIfLong } from "./evidence/in-worker-if-long";
import { rowAsJson } from "./evidence/store";
import { scoreTotals } from "./evidence/totals";
import { readLedgerText } from "./queries";
import { formatUtcDay, type PublicColumns, type StoredReputation } from "./score/public-reputation";
import { toUtcDay } from "./score/weigh-outcome";
import { PUBLIC_KEYS, PUBLIC_VALUES, REPUTATION_COLUMNS } from "./stored-rows";

/**
 * Returns the scores of wallets on the UTC day of `now`; omits wallets without outcomes. Stored scores
 * of an earlier day, which the daily refresh has not reached yet, are computed from their evidence and
 * not stored.
 */
export async function readCurrentScores(
  db: Database,
  wallets: string[],
  now: Date,
): Promise<StoredReputation[]> {
  // These reads bypass drizzle: postgres.js keeps them prepared, and building a statement costs more
  // than running it.
  const stored = await db.sql<StoredReputation[]>`
    select ${db.sql.unsafe(REPUTATION_COLUMNS)}
    from reputations where wallet = any(${wallets}::char(42)[])`;
  const today = formatUtcDay(now);
  const stale = stored.filter((score) => isStale(score, today));
  if (stale.length === 0) return stored;
  const current = await computeStale(db, stale, now);
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
  const [found] = await sql<{ rows: unknown[][] | null }[]>`
    select json_agg(json_build_array(${sql.unsafe(PUBLIC_VALUES)})) as rows
    from reputations where wallet = any(${wallets}::char(42)[])`;
  return (found?.rows ?? []).map(toPublicColumns);
}

function toPublicColumns(values: unknown[]): PublicColumns {
  const row: Record<string, unknown> = {};
  // Counts places, since bulk reads notice an iterator.
  const size = PUBLIC_KEYS.length;
  for (let place = 0; place < size; place += 1) row[PUBLIC_KEYS[place] as string] = values[place];
  row.breakdown = { paid: values[size], anchored: values[size + 1] };
  return row as unknown as PublicColumns;
}

/** Returns whether a stored score is of an earlier UTC day than `today`, `YYYY-MM-DD`. */
export const isStale = ({ scoreDay }: PublicColumns, today: string): boolean => scoreDay < today;

interface EvidenceOf {
  wallet: string;
  /** JSON for `parseRows`; null if the evidence must be read from the ledger. */
  rows: string | null;
}

/** Returns the scores of `stale`, by wallet, on the UTC day of `now`. */
export async function computeStale(
  db: Database,
  stale: PublicColumns[],
  now: Date,
): Promise<Map<string, StoredReputation>> {
  const wallets = stale.map(({ wallet }) => wallet);
  // One statement, so that no settlement between two of them gives the rows of another version.
  const found = await db.sql<EvidenceOf[]>`
    select wallet, case when (totals->>'version')::int = version then (
        select coalesce(json_agg(${rowAsJson(db.sql)})::text, '[]')
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
      ? await sumRowsInWorkerIfLong(rows, day)
      : (
          await recomputeInWorkerIfLong(await readLedgerText(db, wallet), {
            wallet,
            day,
            change: null,
          })
        ).totals;
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
