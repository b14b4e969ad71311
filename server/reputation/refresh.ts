import { setTimeout as pause } from "node:timers/promises";
import { and, asc, gt, isNull, lt, or } from "drizzle-orm";
import pLimit from "p-limit";
import type { Core, Transaction } from "@/server/lib/context";
import { computeDay, storeDay } from "./compute-day";
import { formatUtcDay } from "./score/public-reputation";
import { reputations } from "./tables";
import { lockWallets } from "./update";

/**
 * Most wallets and outcomes in one transaction: it holds their evidence in memory, and a settlement of
 * one of the wallets waits for it.
 */
const CHUNK = { wallets: 250, outcomes: 10_000 };
/**
 * Most chunks at a time: one is computed by Node while the other is read or stored by Postgres. They use
 * at most half of the pool, so that reads find a connection.
 */
const CONCURRENCY = 2;
/** After each chunk, for other work. */
const PAUSE_MS = 5;

interface Stale {
  wallet: string;
  outcomes: number;
}

/**
 * Brings up to `size` scores of days before `now`, or without totals, up to the day of `now`, of
 * wallets that sort after `after`, and publishes the changes that `computeChange` announces. The
 * statements are those of a chunk, not of a wallet, and a chunk is stored together with its events or
 * not at all. Returns the last wallet, or null at the end.
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
  const { max } = core.db.sql.options;
  const limit = pLimit(Math.max(1, Math.min(CONCURRENCY, Math.floor(max / 2))));
  const refreshed = await Promise.allSettled(
    splitIntoChunks(stale).map((wallets) =>
      limit(async () => {
        await core.db.transaction((tx) => refreshWallets(core, tx, wallets, now));
        await pause(PAUSE_MS);
      }),
    ),
  );
  const failed = refreshed.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return stale.length < size ? null : (stale.at(-1)?.wallet ?? null);
}

/** Condition for scores of earlier days, and those whose evidence is to be computed from the ledger. */
const whereStale = (now: Date) =>
  or(lt(reputations.scoreDay, formatUtcDay(now)), isNull(reputations.totals));

/** Refreshes the scores of `wallets`, which are in ascending order like all updates of several. */
async function refreshWallets(
  { publish }: Pick<Core, "publish">,
  tx: Transaction,
  wallets: string[],
  now: Date,
): Promise<void> {
  // A statement of its own: one that also read would not see what it waited for.
  await lockWallets(tx, wallets);
  const computed = await computeDay(tx, { wallets, now, where: whereStale(now) });
  for (const day of computed) await storeDay(tx, day);
  const events = computed.flatMap((day) => day.events);
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
