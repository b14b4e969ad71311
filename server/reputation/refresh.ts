import { and, asc, gt, isNull, lt, or } from "drizzle-orm";
import type { Core, Transaction } from "@/server/lib/context";
import { computeDayChanges } from "./evidence/day-changes";
import { formatUtcDay } from "./score/public-reputation";
import { reputations } from "./tables";
import { lockWallets, readStored, storeChanges } from "./update";

/**
 * Most wallets and outcomes in one transaction: it locks the wallets, and holds their ledgers in
 * memory.
 */
const CHUNK = { wallets: 100, outcomes: 5_000 };

interface Stale {
  wallet: string;
  outcomes: number;
}

/**
 * Brings up to `size` scores of days before `now`, or without totals, up to the day of `now`, of
 * wallets that sort after `after`, and publishes the changes that `computeChange` announces. The queries are those of a
 * chunk, not of a wallet, and a chunk is stored together with its events or not at all. Returns the
 * last wallet, or null at the end.
 */
export async function refreshBatch(
  core: Pick<Core, "db" | "publish">,
  { now, after, size }: { now: Date; after: string; size: number },
): Promise<string | null> {
  const stale = await core.db
    .select({ wallet: reputations.wallet, outcomes: reputations.totalOutcomes })
    .from(reputations)
    .where(and(whereStale(now), gt(reputations.wallet, after)))
    .orderBy(asc(reputations.wallet))
    .limit(size);
  for (const wallets of splitIntoChunks(stale)) {
    await core.db.transaction((tx) => refreshChunk(core, tx, wallets, now));
  }
  return stale.length < size ? null : (stale.at(-1)?.wallet ?? null);
}

/** Condition for scores of earlier days, and those whose evidence is to be computed from the ledger. */
const whereStale = (now: Date) =>
  or(lt(reputations.scoreDay, formatUtcDay(now)), isNull(reputations.totals));

/** Refreshes the scores of `wallets`, which are in ascending order like all updates of several. */
async function refreshChunk(
  { publish }: Pick<Core, "publish">,
  tx: Transaction,
  wallets: string[],
  now: Date,
): Promise<void> {
  await lockWallets(tx, wallets);
  const changes = await computeDayChanges(tx, wallets, await readStored(tx, wallets), now);
  await storeChanges(tx, changes);
  const events = changes.flatMap(({ update }) => update.event ?? []);
  if (events.length > 0) await publish(tx, events);
}

/** Splits wallets into runs that stay within the limits of a chunk; a single one may exceed them. */
function splitIntoChunks(stale: Stale[]): string[][] {
  const chunks: string[][] = [];
  let outcomes = Number.POSITIVE_INFINITY;
  for (const one of stale) {
    const current = chunks.at(-1);
    outcomes += one.outcomes;
    if (current && current.length < CHUNK.wallets && outcomes <= CHUNK.outcomes) {
      current.push(one.wallet);
    } else {
      chunks.push([one.wallet]);
      outcomes = one.outcomes;
    }
  }
  return chunks;
}
