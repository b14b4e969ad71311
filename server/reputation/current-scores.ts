import type { Database } from "@/server/lib/context";
import { DAY_MS } from "@/server/lib/time";
import { computeDay } from "./compute-day";
import { formatUtcDay, type StoredReputation } from "./score/public-reputation";
import { toUtcDay } from "./score/weigh-outcome";
import { parseStored, readStoredScores } from "./stored-rows";

/**
 * Returns the scores of wallets on the UTC day of `now`; omits wallets without outcomes. Stored scores
 * of an earlier day, which the daily refresh has not reached yet, are computed from their evidence and
 * not stored.
 * @param readStored Reads the stored scores; by default in a query of its own.
 */
export async function readCurrentScores(
  db: Database,
  wallets: string[],
  now: Date,
  readStored = (wallets: string[]) => readStoredScores(db.sql, wallets),
): Promise<StoredReputation[]> {
  const stored = await readStored(wallets);
  const today = formatUtcDay(now);
  const stale = stored.filter(({ scoreDay }) => scoreDay < today).map(({ wallet }) => wallet);
  if (stale.length === 0) return stored;
  // A score changes at midnight.
  const midnight = new Date(toUtcDay(now.getTime() / 1000) * DAY_MS);
  const computed = await computeDay(db, { wallets: stale, now: midnight });
  const current = computed.flatMap(({ rows }) => parseStored(rows));
  const currentOf = new Map(current.map((row) => [row.wallet, row]));
  return stored.map((row) => currentOf.get(row.wallet) ?? row);
}
