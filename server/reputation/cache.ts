import { setImmediate as afterThisTurn } from "node:timers/promises";
import type { Logger } from "pino";
import type postgres from "postgres";
import type { Sql } from "@/server/lib/context";
import { DAY_MS, MINUTE_MS } from "@/server/lib/time";
import { toChecksumAddress } from "@/server/lib/wallet";
import { readCurrentScores } from "./current-scores";
import { REPUTATION_CHANGED } from "./events";
import { createLeaseCache, type Lease } from "./lease-cache";
import { listenToChannel } from "./listener";
import type { Reputation } from "./schema";
import { createUnranked, toPublicReputation } from "./score/public-reputation";

/** Reads reputations; accepts addresses in any letter case. */
export interface Reputations {
  /** Returns the reputation of a wallet in checksum form if it is cached. */
  peek(wallet: string): Reputation | undefined;
  /** Returns the reputation of a wallet, `UNRANKED` if it has no outcomes. */
  get(address: string): Promise<Reputation>;
  /** Returns one reputation for each entry of `addresses`, in their order. */
  getMany(addresses: string[]): Promise<Reputation[]>;
}

export interface ReputationCache extends Reputations {
  /** Returns whether reads may use the cache: only while invalidations are sure to arrive. */
  isActive(): boolean;
  /** Resolves when the cache becomes active for the first time. */
  ready: Promise<void>;
  close(): Promise<void>;
}

/** Wallets to read in the next query. */
interface Batch {
  wallets: Set<string>;
  stored: Promise<Map<string, Reputation>>;
}

const TTL_MS = 5 * MINUTE_MS;
const MAX_WALLETS = 50_000;

/**
 * Creates a cache of reputations, kept in this process for up to five minutes. The transaction that
 * changes one notifies every instance, each over its own connection to `url`. While that connection
 * is down, every read goes to the database.
 */
export function createReputationCache({
  db,
  sql,
  url,
  log,
  clock = Date.now,
  heartbeatMs,
}: {
  db: Sql;
  sql: postgres.Sql;
  url: string;
  log: Logger;
  clock?: () => number;
  /** Interval of the heartbeat on the listening connection. */
  heartbeatMs?: number;
}): ReputationCache {
  const cache = createLeaseCache<Reputation | null>({ max: MAX_WALLETS, ttlMs: TTL_MS, clock });
  let nextBatch: Batch | null = null;
  const listener = listenToChannel({
    url,
    channel: REPUTATION_CHANGED,
    log,
    onConnected: cache.clear,
    onNotification: cache.delete,
    heartbeatMs,
  });

  /**
   * Reads reputations of today, by wallet: all that requests of one turn of the event loop ask for in one
   * query, because a round trip costs more than the rows.
   */
  function readTogether(wallets: Iterable<string>): Promise<Map<string, Reputation>> {
    nextBatch ??= startBatch();
    for (const wallet of wallets) nextBatch.wallets.add(wallet);
    return nextBatch.stored;
  }

  function startBatch(): Batch {
    const wallets = new Set<string>();
    const stored = afterThisTurn().then(async () => {
      nextBatch = null;
      const scores = await readCurrentScores({ db, sql }, [...wallets], new Date(clock()));
      return new Map(scores.map((score) => [score.wallet, toPublicReputation(score)]));
    });
    return { wallets, stored };
  }

  /** Returns a cached reputation unless it is of an earlier UTC day. */
  function getCurrent(wallet: string): Reputation | null | undefined {
    const cached = cache.get(wallet);
    const isStale = cached && Date.parse(cached.scoreDay) + DAY_MS <= clock();
    return isStale ? undefined : cached;
  }

  /** Returns the reputations stored under exactly these spellings. */
  async function find(wallets: string[]): Promise<Map<string, Reputation | null>> {
    const isCached = listener.isConnected();
    const found = new Map<string, Reputation | null>();
    const missing = new Map<string, Lease<Reputation | null> | null>();
    for (const wallet of wallets) {
      if (found.has(wallet) || missing.has(wallet)) continue;
      const cached = isCached ? getCurrent(wallet) : undefined;
      if (cached !== undefined) found.set(wallet, cached);
      else missing.set(wallet, isCached ? cache.lease(wallet) : null);
    }
    if (missing.size === 0) return found;
    const stored = await readTogether(missing.keys());
    for (const [wallet, lease] of missing) {
      const reputation = stored.get(wallet) ?? null;
      found.set(wallet, reputation);
      if (lease) cache.store(lease, reputation);
    }
    return found;
  }

  async function getMany(addresses: string[]): Promise<Reputation[]> {
    const guesses = addresses.map(guessStoredSpelling);
    const found = await find(guesses);
    const wallets = guesses.map((wallet) =>
      found.get(wallet) ? wallet : toChecksumAddress(wallet),
    );
    const others = await find(wallets.filter((wallet) => !found.has(wallet)));
    return wallets.map(
      (wallet) =>
        found.get(wallet) ?? others.get(wallet) ?? createUnranked(wallet, new Date(clock())),
    );
  }

  return {
    peek: (wallet) => (listener.isConnected() ? (getCurrent(wallet) ?? undefined) : undefined),
    get: async (address) => (await getMany([address]))[0] as Reputation,
    getMany,
    isActive: listener.isConnected,
    ready: listener.ready,
    close: listener.close,
  };
}

/**
 * Returns the most likely stored spelling of an address. Addresses copied from our responses have
 * the checksum form, and the hundred hashes of a bulk read would double its cost. So mixed-case
 * addresses are looked up as they are, and hashed only if nothing is found. A miss is only final
 * for the checksum form.
 */
function guessStoredSpelling(address: string): string {
  return /[a-f]/.test(address) && /[A-F]/.test(address) ? address : toChecksumAddress(address);
}
