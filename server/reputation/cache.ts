import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import { createBatcher, REQUEST_BATCH_OPTIONS } from "@/server/db/batch";
import { listenToChannel } from "@/server/db/listener";
import type { Database } from "@/server/lib/context";
import { DAY_MS, MINUTE_MS } from "@/server/lib/time";
import { toChecksumAddress } from "@/server/lib/wallet";
import { computeStale, isStale, readStoredScores } from "./current-scores";
import { REPUTATION_CHANGED } from "./events";
import type { Reputation } from "./schema";
import {
  createUnranked,
  formatUtcDay,
  type PublicColumns,
  toPublicReputation,
} from "./score/public-reputation";

/** Reads reputations; accepts addresses in any letter case. */
export interface Reputations {
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

/**
 * A cached reputation, or one that is being read. The read stores it only if its entry is still the
 * cached one: without that, a change during the read would be hidden.
 */
interface Entry {
  reputation?: Reputation | null;
  expiresAt: number;
}

/** What one query returned. */
interface StoredScores {
  /** By wallet. */
  stored: Map<string, PublicColumns>;
  /** UTC day of the query, `YYYY-MM-DD`. */
  today: string;
  /** The stored scores of an earlier day, computed for `today` after the query. */
  current: Promise<Map<string, PublicColumns>> | null;
}

const TTL_MS = 5 * MINUTE_MS;
/** Most wallets in the cache of a process. */
export const MAX_WALLETS = 50_000;
/**
 * Most wallets for which a request shares a query. In larger ones the rows cost more than the round
 * trip, and if they shared, this process and PostgreSQL would take turns waiting for each other.
 */
const MAX_SHARED = 20;

/**
 * Creates a cache of reputations, kept in this process for up to five minutes. The transaction that
 * changes one notifies every instance, each over its own connection to `url`. While that connection
 * is down, every read goes to the database.
 */
export function createReputationCache({
  db,
  url,
  log,
  clock = Date.now,
  heartbeatMs,
}: {
  db: Database;
  url: string;
  log: Logger;
  clock?: () => number;
  /** Interval of the heartbeat on the listening connection. */
  heartbeatMs?: number;
}): ReputationCache {
  const cache = new LRUCache<string, Entry>({ max: MAX_WALLETS });
  const listener = listenToChannel({
    url,
    channel: REPUTATION_CHANGED,
    log,
    onConnected: () => cache.clear(),
    onNotification: (wallet) => void cache.delete(wallet),
    heartbeatMs,
  });

  /** Reads the stored scores in one query, and starts to compute those of an earlier day. */
  async function read(wallets: string[]): Promise<StoredScores> {
    const now = new Date(clock());
    const today = formatUtcDay(now);
    const rows = await readStoredScores(db.sql, wallets);
    const stale = rows.filter((row) => isStale(row, today));
    const current = stale.length > 0 ? computeStale(db, stale, now) : null;
    return { stored: new Map(rows.map((row) => [row.wallet, row])), today, current };
  }

  /**
   * Reads all that concurrent requests ask for in one query, because a round trip costs more than the
   * rows. What is slow, computing scores of an earlier day, holds up only the requests that need them.
   */
  const readTogether = createBatcher(async (requests: string[][]): Promise<StoredScores[]> => {
    const result = await read([...new Set(requests.flat())]);
    return requests.map(() => result);
  }, REQUEST_BATCH_OPTIONS);

  /** Returns a cached reputation unless it has expired or is of an earlier UTC day. */
  function getCurrent(wallet: string): Reputation | null | undefined {
    const entry = cache.get(wallet);
    if (!entry || entry.expiresAt <= clock()) return undefined;
    const cached = entry.reputation;
    const isOutdated = cached && Date.parse(cached.scoreDay) + DAY_MS <= clock();
    return isOutdated ? undefined : cached;
  }

  /** Caches an entry that is being read. */
  function addEntry(wallet: string): Entry {
    const entry = { expiresAt: 0 };
    cache.set(wallet, entry);
    return entry;
  }

  /** Returns the reputations stored under exactly these spellings. */
  async function find(wallets: string[]): Promise<Map<string, Reputation | null>> {
    const isCached = listener.isConnected();
    const found = new Map<string, Reputation | null>();
    const missing = new Map<string, Entry | null>();
    for (const wallet of wallets) {
      if (found.has(wallet) || missing.has(wallet)) continue;
      const cached = isCached ? getCurrent(wallet) : undefined;
      if (cached !== undefined) found.set(wallet, cached);
      else missing.set(wallet, isCached ? addEntry(wallet) : null);
    }
    if (missing.size === 0) return found;
    const readMissing = missing.size > MAX_SHARED ? read : readTogether;
    const { stored, today, current } = await readMissing([...missing.keys()]);
    for (const [wallet, entry] of missing) {
      let score = stored.get(wallet);
      if (current && score && isStale(score, today)) score = (await current).get(wallet);
      const reputation = score ? toPublicReputation(score) : null;
      found.set(wallet, reputation);
      if (entry && cache.peek(wallet) === entry) {
        Object.assign(entry, { reputation, expiresAt: clock() + TTL_MS });
      }
    }
    return found;
  }

  async function getMany(addresses: string[]): Promise<Reputation[]> {
    const guesses = addresses.map(guessStoredSpelling);
    const found = await find(guesses);
    const wallets = guesses.map((wallet) =>
      found.get(wallet) ? wallet : toChecksumAddress(wallet),
    );
    const missing = wallets.filter((wallet) => !found.has(wallet));
    const others = missing.length > 0 ? await find(missing) : null;
    return wallets.map(
      (wallet) =>
        found.get(wallet) ?? others?.get(wallet) ?? createUnranked(wallet, new Date(clock())),
    );
  }

  return {
    async get(address) {
      const cached = listener.isConnected() ? getCurrent(address) : undefined;
      return cached ?? ((await getMany([address]))[0] as Reputation);
    },
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
