import type postgres from "postgres";
import type { Database } from "@/server/lib/context";
import { DAY_MS } from "@/server/lib/time";
import { computeDay } from "./compute-day";
import { formatUtcDay, type PublicColumns, type StoredReputation } from "./score/public-reputation";
import { toUtcDay } from "./score/weigh-outcome";
import { PUBLIC_KEYS, PUBLIC_VALUES, parseStored, REPUTATION_COLUMNS } from "./stored-rows";

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

/** Returns the scores of `stale`, by wallet, on the UTC day of `now`: a score changes at midnight. */
export async function computeStale(
  db: Database,
  stale: PublicColumns[],
  now: Date,
): Promise<Map<string, StoredReputation>> {
  const wallets = stale.map(({ wallet }) => wallet);
  const midnight = new Date(toUtcDay(now.getTime() / 1000) * DAY_MS);
  const computed = await computeDay(db, { wallets, now: midnight });
  return new Map(computed.flatMap(({ rows }) => parseStored(rows)).map((row) => [row.wallet, row]));
}
