import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type postgres from "postgres";
import { createBatcher, REQUEST_BATCH_OPTIONS } from "@/server/db/batch";
import { listenToChannel } from "@/server/db/listener";
import type { Database } from "@/server/lib/context";
import { DAY_MS, MINUTE_MS } from "@/server/lib/time";
import { toChecksumAddress } from "@/server/lib/wallet";
import { readCurrentScores } from "./current-scores";
import { REPUTATION_CHANGED } from "./events";
import type { Reputation } from "./schema";
import {
  createUnranked,
  type StoredReputation,
  toPublicReputation,
} from "./score/public-reputation";
import { readStoredScores } from "./stored-rows";

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
 * A cached reputation, or one that is being read. A change during the read takes its entry out of the
 * cache, so that what the read finds is not cached.
 */
interface Entry {
  reputation?: Reputation;
}

const TTL_MS = 5 * MINUTE_MS;
/** Most wallets in the cache of a process. */
export const MAX_WALLETS = 50_000;
/**
 * Most wallets for which a request shares a query. In larger ones the rows cost more than the round
 * trip, and if they shared, this process and PostgreSQL would take turns waiting for each other.
 */
const MAX_SHARED = 20;

interface Options {
  db: Database;
  url: string;
  log: Logger;
  /** Returns milliseconds above 0. */
  clock?: () => number;
  /** Interval of the heartbeat on the listening connection. */
  heartbeatMs?: number;
}

/**
 * Creates a cache of reputations, kept in this process for up to five minutes. The transaction that
 * changes one notifies every instance, each over its own connection to `url`. While that connection
 * is down, every read goes to the database.
 */
export function createReputationCache({ clock = Date.now, ...options }: Options): ReputationCache {
  const { db } = options;
  const { listener, getCached, addEntries } = createEntries({ ...options, clock });
  const readStored = createSharedRead(db.sql);

  /** Reads reputations, by address as given, and caches them. */
  async function read(addresses: string[]): Promise<Map<string, Reputation>> {
    const entries = addEntries(addresses);
    const now = new Date(clock());
    const scores = await readCurrentScores(db, addresses, now, readStored);
    const found = new Map(scores.map((score) => [score.wallet, toPublicReputation(score)]));
    const misspelled = new Map<string, string>();
    for (const [address, entry] of entries) {
      const wallet = found.has(address) ? address : toChecksumAddress(address);
      if (wallet !== address) misspelled.set(address, wallet);
      else {
        entry.reputation = found.get(wallet) ?? createUnranked(wallet, now);
        found.set(wallet, entry.reputation);
      }
    }
    if (misspelled.size === 0) return found;
    const others = await read([...new Set(misspelled.values())]);
    for (const [address, wallet] of misspelled) {
      found.set(address, others.get(wallet) as Reputation);
    }
    return found;
  }

  async function getMany(addresses: string[]): Promise<Reputation[]> {
    const known = addresses.map((address) => {
      const wallet = guessSpelling(address);
      return getCached(wallet) ?? wallet;
    });
    const missing = new Set(known.filter((one) => typeof one === "string"));
    const found = missing.size > 0 ? await read([...missing]) : null;
    return known.map((one) => (typeof one === "string" ? (found?.get(one) as Reputation) : one));
  }

  return {
    get: async (address) => getCached(address) ?? ((await getMany([address]))[0] as Reputation),
    getMany,
    isActive: listener.isConnected,
    ready: listener.ready,
    close: listener.close,
  };
}

/** Creates the entries of a cache, which are used only while invalidations are sure to arrive. */
function createEntries({ url, log, clock, heartbeatMs }: Options & { clock: () => number }) {
  const perf = { now: clock };
  const cache = new LRUCache<string, Entry>({
    max: MAX_WALLETS,
    ttl: TTL_MS,
    ttlResolution: 0,
    perf,
  });
  const listener = listenToChannel({
    url,
    channel: REPUTATION_CHANGED,
    log,
    onConnected: () => cache.clear(),
    onNotification: (wallet) => void cache.delete(wallet),
    heartbeatMs,
  });
  return {
    listener,
    /** Returns a cached reputation unless it is of an earlier UTC day. */
    getCached(wallet: string): Reputation | undefined {
      const cached = listener.isConnected() ? cache.get(wallet)?.reputation : undefined;
      return cached && Date.parse(cached.scoreDay) + DAY_MS > clock() ? cached : undefined;
    },
    /** Adds an entry for each wallet that is being read; they are not cached without a connection. */
    addEntries(wallets: string[]): Map<string, Entry> {
      const entries = new Map(wallets.map((wallet): [string, Entry] => [wallet, {}]));
      if (listener.isConnected()) for (const [wallet, entry] of entries) cache.set(wallet, entry);
      return entries;
    },
  };
}

/**
 * Returns a function that reads stored scores. All that concurrent requests for few wallets ask for is
 * read in one query, because a round trip costs more than the rows.
 */
function createSharedRead(sql: postgres.Sql): (wallets: string[]) => Promise<StoredReputation[]> {
  const readTogether = createBatcher(async (requests: string[][]) => {
    const rows = await readStoredScores(sql, [...new Set(requests.flat())]);
    const rowOf = new Map(rows.map((row) => [row.wallet, row]));
    return requests.map((wallets) => wallets.flatMap((wallet) => rowOf.get(wallet) ?? []));
  }, REQUEST_BATCH_OPTIONS);
  return (wallets) =>
    wallets.length > MAX_SHARED ? readStoredScores(sql, wallets) : readTogether(wallets);
}

/**
 * Returns the likely EIP-55 form of an address. Addresses copied from our responses have it, and a hash
 * for each of a bulk read would double its cost: one in mixed case is hashed only if nothing is stored
 * under it.
 */
const guessSpelling = (address: string): string =>
  /[a-f]/.test(address) && /[A-F]/.test(address) ? address : toChecksumAddress(address);
