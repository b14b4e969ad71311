import { eq } from "drizzle-orm";
import pino from "pino";
import type postgres from "postgres";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { openDatabase } from "@/server/db/client";
import { Database } from "@/server/lib/database";
import { MINUTE_MS } from "@/server/lib/time";
import { createTestDatabase } from "@/server/testing/database";
import { startFaultyDatabase } from "@/server/testing/faulty-database";
import {
  createPaidOutcome,
  createWallet,
  insertLedger,
} from "@/server/testing/fixtures/sample-ledger";
import { createReputationCache, type ReputationCache } from "./cache";
import { toPublicReputation } from "./score/public-reputation";
import { computeScore } from "./score/score";
import { evidence, ledgerRecords, reputations } from "./tables";
import { updateReputation } from "./update";

const database = await createTestDatabase();
const { db, url } = database;
const { sql } = db;
const log = pino({ level: "silent" });
afterAll(database.close);

const open: ReputationCache[] = [];
afterEach(async () => {
  for (const cache of open.splice(0)) await cache.close();
});

async function openCache(options: Partial<Parameters<typeof createReputationCache>[0]> = {}) {
  const clock = () => DAY_OF_OUTCOMES.getTime();
  const cache = createReputationCache({ db, url, log, clock, ...options });
  open.push(cache);
  await cache.ready;
  return cache;
}

const DAY_OF_OUTCOMES = new Date("2026-11-20T18:00:00Z");
let agents = 1;
let seq = 1;

/** Creates a wallet with one outcome. */
async function createRankedWallet(): Promise<string> {
  const wallet = createWallet(1_000 + agents++);
  await addOutcome(wallet);
  return wallet;
}

async function addOutcome(wallet: string): Promise<void> {
  const n = seq++;
  await db.transaction(async (tx) => {
    await insertLedger(
      tx,
      [createPaidOutcome(n, { contractor: wallet, requester: createWallet(n) })],
      n,
    );
    await updateReputation(tx, { wallet, cause: "outcome", now: DAY_OF_OUTCOMES });
  });
}

/** Changes the stored rows without a notification, so that a cached result can be recognized. */
async function changeSilently(): Promise<void> {
  await db.update(reputations).set({ totalOutcomes: 77 });
}

/** Waits with a long timeout, because the machine may be busy. */
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000 });

const countOutcomes = async (cache: ReputationCache, wallet: string) =>
  (await cache.get(wallet)).totalOutcomes;

/** Returns a pool whose queries are run by `query`. */
const withQuery = (query: unknown) => Object.assign(query as postgres.Sql, { unsafe: sql.unsafe });

/** Wraps `real` to count its queries. */
function countQueries(real: postgres.Sql) {
  let queries = 0;
  const query = (strings: TemplateStringsArray, ...values: never[]) => {
    queries += 1;
    return real(strings, ...values);
  };
  return { sql: withQuery(query), queries: () => queries };
}

/** Wraps `real` to hold back every result about `wallet` until released. */
function holdResults(real: postgres.Sql, wallet: string) {
  const read = createGate();
  const released = createGate();
  const query = async (strings: TemplateStringsArray, ...values: never[]) => {
    const rows = await real(strings, ...values);
    if (!values.flat().some((value) => value === wallet)) return rows;
    read.open();
    await released.passed;
    return rows;
  };
  return {
    sql: withQuery(query),
    hasRead: read.passed,
    release: released.open,
  };
}

function createGate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

describe("reading through the cache", () => {
  test("a second read is served from memory for five minutes", async () => {
    let now = 1;
    const wallet = await createRankedWallet();
    const cache = await openCache({ clock: () => now });
    expect(await countOutcomes(cache, wallet)).toBe(1);
    await changeSilently();
    now += 5 * MINUTE_MS;
    expect(await countOutcomes(cache, wallet)).toBe(1);
    now += 1;
    expect(await countOutcomes(cache, wallet)).toBe(77);
  });

  test("a wallet without outcomes is cached too, with the day of the request", async () => {
    let now = Date.parse("2026-11-20T23:58:00Z");
    const cache = await openCache({ clock: () => now });
    const wallet = createWallet(999_999);
    const expected = {
      walletAddress: wallet,
      score: 0,
      tier: "UNRANKED",
      ceiling: { score: 50, liftedBy: "payment" },
      totalOutcomes: 0,
      confirmedOutcomes: 0,
      assessedOutcomes: 0,
      assessedSuccessRate: null,
      successRate: 0,
      disputeRate: 0,
      categoryScores: {},
      lastUpdated: null,
    };
    expect(await cache.get(wallet)).toEqual({ ...expected, scoreDay: "2026-11-20" });
    now += 3 * MINUTE_MS;
    expect(await cache.get(wallet)).toEqual({ ...expected, scoreDay: "2026-11-21" });
  });

  test("getMany keeps order and duplicates, and reads misses in one query", async () => {
    const [a, b] = [await createRankedWallet(), await createRankedWallet()];
    const unranked = createWallet(888_888);
    await addOutcome(b);
    const counted = countQueries(sql);
    const cache = await openCache({ db: new Database(counted.sql) });
    await cache.get(a);
    const addresses = [b, unranked, a, b, unranked];
    const answers = await cache.getMany(addresses);
    expect(answers.map(({ walletAddress }) => walletAddress)).toEqual(addresses);
    expect(answers.map(({ totalOutcomes }) => totalOutcomes)).toEqual([2, 0, 1, 2, 0]);
    expect(await cache.getMany(addresses)).toEqual(answers);
    expect(counted.queries()).toBe(2);
  });
});

test("reads of one turn of the event loop share a query, and its failure", async () => {
  const [a, b] = [await createRankedWallet(), await createRankedWallet()];
  const counted = countQueries(sql);
  let fails = true;
  const failing = (strings: TemplateStringsArray, ...values: never[]) =>
    fails ? Promise.reject(new Error("no database")) : counted.sql(strings, ...values);
  const cache = await openCache({ db: new Database(withQuery(failing)) });
  const read = () => Promise.allSettled([cache.get(a), cache.get(b), cache.getMany([b, a])]);
  expect((await read()).map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
  fails = false;
  const [one, other, both] = (await read()).map((result) =>
    result.status === "fulfilled" ? result.value : expect.fail(),
  );
  expect(both).toEqual([other, one]);
  expect(one).toMatchObject({ walletAddress: a, totalOutcomes: 1 });
  expect(counted.queries()).toBe(1);
});

test("a read of many wallets has a query of its own", async () => {
  const ranked = await createRankedWallet();
  const counted = countQueries(sql);
  const cache = await openCache({ db: new Database(counted.sql) });
  const unranked = Array.from({ length: 30 }, (_, n) => createWallet(700_000 + n));
  const many = [...unranked, ranked];
  const [one, all] = await Promise.all([cache.get(ranked), cache.getMany(many)]);
  expect(all.map(({ walletAddress }) => walletAddress)).toEqual(many);
  expect(all.at(-1)).toEqual(one);
  expect(one.totalOutcomes).toBe(1);
  expect(counted.queries()).toBe(2);
});

describe("wallets in any letter case", () => {
  const swapped = (wallet: string) =>
    wallet.replace(/[a-f]/gi, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()));
  const createMixedCaseWallet = () => createWallet(0xfe_dc_ba_00_00 + agents++);
  const spellings = (wallet: string) => [
    wallet,
    wallet.toLowerCase(),
    `0X${wallet.slice(2).toUpperCase()}`,
    swapped(wallet),
  ];

  test("are returned as ranked once they have an outcome", async () => {
    const wallet = createMixedCaseWallet();
    const cache = await openCache();
    for (const spelling of spellings(wallet)) {
      expect(await cache.getMany([spelling])).toMatchObject([{ totalOutcomes: 0 }]);
      expect(await cache.get(spelling)).toMatchObject({ walletAddress: wallet, totalOutcomes: 0 });
    }
    await addOutcome(wallet);
    await eventually(async () => {
      for (const spelling of spellings(wallet)) {
        expect(await cache.getMany([spelling])).toMatchObject([{ totalOutcomes: 1 }]);
        expect(await cache.get(spelling)).toMatchObject({
          walletAddress: wallet,
          totalOutcomes: 1,
        });
      }
    });
  });
});

describe("a changed score", () => {
  test("is read again on every instance, each with its own pool", async () => {
    const other = openDatabase(url, 1);
    const wallet = await createRankedWallet();
    const bystander = await createRankedWallet();
    const [one, two] = [await openCache(), await openCache({ db: other.db })];
    for (const cache of [one, two]) await cache.getMany([wallet, bystander]);

    await addOutcome(wallet);
    for (const cache of [one, two]) {
      await eventually(async () => expect(await countOutcomes(cache, wallet)).toBe(2));
    }
    await changeSilently();
    expect(await countOutcomes(two, bystander)).toBe(1);
    await other.close();
  });

  test.each(["get", "getMany"] as const)(
    "is not hidden by a %s that began before it",
    async (method) => {
      const wallet = await createRankedWallet();
      const witness = await createRankedWallet();
      const pool = holdResults(sql, wallet);
      const cache = await openCache({ db: new Database(pool.sql) });
      await cache.get(witness);

      const stale = method === "get" ? cache.get(wallet) : cache.getMany([wallet]);
      await pool.hasRead;
      await addOutcome(wallet);
      // Notifications arrive in commit order, so after this one the cache has received the other.
      await addOutcome(witness);
      await eventually(async () => expect(await countOutcomes(cache, witness)).toBe(2));
      pool.release();
      expect([await stale].flat()[0]?.totalOutcomes).toBe(1);
      expect(await countOutcomes(cache, wallet)).toBe(2);
    },
  );
});

describe("after midnight UTC, before the daily refresh", () => {
  const BEFORE = Date.parse("2026-11-20T23:59:59Z");
  const AFTER = Date.parse("2026-11-21T00:00:01Z");

  /** Returns the reputation that the ledger results in on the day after the outcomes. */
  async function recompute(wallet: string) {
    const records = await db.select().from(ledgerRecords);
    const score = computeScore(
      records.map(({ record }) => record),
      wallet,
      AFTER / 1000,
    );
    const lastUpdated = new Date("2026-11-21T00:00:00Z");
    return toPublicReputation({ ...score, scoreDay: "2026-11-21", lastUpdated });
  }

  test("a read returns the score of the new day, also one that was cached, and stores nothing", async () => {
    let now = BEFORE;
    const [cached, uncached] = [await createRankedWallet(), await createRankedWallet()];
    const cache = await openCache({ clock: () => now });
    const before = await cache.get(cached);
    expect(before.scoreDay).toBe("2026-11-20");
    const stored = await db.select().from(reputations).orderBy(reputations.wallet);
    now = AFTER;
    const read = await cache.getMany([cached, uncached]);
    expect(read).toEqual([await recompute(cached), await recompute(uncached)]);
    expect(read[0]?.score).toBeLessThan(before.score);
    expect(await cache.get(cached)).toBe(read[0]);
    expect(await db.select().from(reputations).orderBy(reputations.wallet)).toEqual(stored);
  });

  test.each([
    ["without totals", { totals: null }],
    ["with totals of another version", { version: 9 }],
  ])("a score %s is computed from the ledger", async (_, change) => {
    const wallet = await createRankedWallet();
    await db.update(reputations).set(change).where(eq(reputations.wallet, wallet));
    await db.delete(evidence).where(eq(evidence.wallet, wallet));
    const cache = await openCache({ clock: () => AFTER });
    expect(await cache.get(wallet)).toEqual(await recompute(wallet));
  });

  test("a score that the new day does not change keeps its time", async () => {
    const wallet = createWallet(900_001);
    const n = seq++;
    await db.transaction(async (tx) => {
      const failure = { contractor: wallet, verdict: "FAILURE" } as const;
      await insertLedger(tx, [createPaidOutcome(n, failure)], n);
      await updateReputation(tx, { wallet, cause: "outcome", now: DAY_OF_OUTCOMES });
    });
    const cache = await openCache({ clock: () => AFTER });
    expect(await cache.get(wallet)).toMatchObject({
      score: 0,
      scoreDay: "2026-11-21",
      lastUpdated: DAY_OF_OUTCOMES.toISOString(),
    });
  });
});

describe("without the listening connection", () => {
  test("every read goes to the database, and nothing stale remains after reconnecting", async () => {
    const wallet = await createRankedWallet();
    const cache = await openCache();
    await countOutcomes(cache, wallet);
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query = 'listen "reputation_changed"'`;
    await changeSilently();
    await eventually(async () => expect(await countOutcomes(cache, wallet)).toBe(77));
    await eventually(() => expect(cache.isActive()).toBe(true));
    expect(await countOutcomes(cache, wallet)).toBe(77);
  });

  test("reads stay correct if it cannot be restored", async () => {
    const network = await startFaultyDatabase(url);
    const wallet = await createRankedWallet();
    const cache = await openCache({ url: network.url });
    await countOutcomes(cache, wallet);
    network.setDown(true);
    await eventually(() => expect(cache.isActive()).toBe(false));
    await addOutcome(wallet);
    expect(await countOutcomes(cache, wallet)).toBe(2);
    await addOutcome(wallet);
    expect(await countOutcomes(cache, wallet)).toBe(3);
    expect((await cache.getMany([wallet]))[0]?.totalOutcomes).toBe(3);
    await network.close();
  });

  test("the heartbeat detects a connection that goes silent without closing", async () => {
    const network = await startFaultyDatabase(url);
    const wallet = await createRankedWallet();
    const cache = await openCache({ url: network.url, heartbeatMs: 50 });
    await countOutcomes(cache, wallet);
    network.fallSilent();
    await addOutcome(wallet);
    await eventually(async () => expect(await countOutcomes(cache, wallet)).toBe(2));
    await network.close();
  });
});
