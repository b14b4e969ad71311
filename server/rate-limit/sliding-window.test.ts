import { type SQL, sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Sql } from "@/server/lib/context";
import { createTestDatabase } from "@/server/testing/database";
import {
  countRequests,
  pruneWindows,
  readWindow,
  uncountRequest,
  type WindowLimit,
} from "./sliding-window";
import { rateLimitWindows } from "./tables";

const database = await createTestDatabase();
const { db } = database;
afterAll(database.close);

const WINDOW = 60_000_000;
const START = Date.UTC(2026, 10, 21) * 1_000;

/** Returns SQL for the time `micros` microseconds after the epoch, to use as the clock. */
const at = (micros: number) =>
  sql`(timestamptz 'epoch' + ${Math.floor(micros / 1_000_000)}::int8 * interval '1 s' + ${micros % 1_000_000}::int8 * interval '1 us')`;

async function countRequest(on: Sql, { bucket, limit }: WindowLimit, now?: SQL) {
  const [counted] = await countRequests(on, limit, [bucket], now);
  if (!counted) throw new Error("the request was not counted");
  return counted;
}

const bucketRows = async () => (await db.select().from(rateLimitWindows)).map((row) => row.bucket);

describe("the sliding window", () => {
  it("is not logged, so that counting waits for no disk", async () => {
    const [table] = await db.sql`
      select relpersistence from pg_class where relname = 'rate_limit_windows'`;
    expect(table?.relpersistence).toBe("u");
  });

  it("matches the definition at any times", async () => {
    let run = 0;
    const gap = fc.oneof(
      fc.constantFrom(0, 1, WINDOW - 1, WINDOW, WINDOW + 1),
      fc.nat({ max: 15_000_000 }),
    );
    const step = fc.record({ gap, release: fc.option(fc.nat({ max: 20 }), { freq: 5 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 25 }),
        fc.integer({ min: 1, max: 4 }),
        async (steps, limit) => {
          const window = { bucket: `model-${run++}`, limit };
          let now = START;
          let counted: { stamp: number; hit: string }[] = [];
          for (const { gap, release } of steps) {
            now += gap;
            const given = release === null ? undefined : counted[release];
            if (given) {
              counted = counted.filter((other) => other !== given);
              await uncountRequest(db, window.bucket, given.hit);
            }
            const stamp = Math.max(now, (counted.at(-1)?.stamp ?? 0) + 1);
            const live = counted.filter((other) => other.stamp > stamp - WINDOW);
            const taken = await countRequest(db, window, at(now));
            expect(taken.allowed).toBe(live.length < limit);
            if (taken.allowed) {
              counted.push({ stamp, hit: taken.hit });
              live.push({ stamp, hit: taken.hit });
            }
            const oldest = live[0]?.stamp ?? 0;
            expect(taken.remaining).toBe(limit - live.length);
            expect(taken.resetSeconds).toBeCloseTo((oldest + WINDOW - now) / 1e6, 6);
            const seen = await readWindow(db, window, at(stamp));
            expect(seen.remaining).toBe(limit - live.length);
            expect(seen.resetSeconds).toBeCloseTo((oldest + WINDOW - stamp) / 1e6, 6);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it("counts several requests as it counts one after the other", async () => {
    let run = 0;
    // No two batches are about a window apart: the requests of one count a microsecond after each
    // other, so one after the other may see a request leave the window that the batch still sees.
    const batch = fc.record({
      gap: fc.oneof(fc.constantFrom(0, 1, WINDOW + 1_000), fc.nat({ max: 19_000_000 })),
      buckets: fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(batch, { maxLength: 8 }),
        fc.integer({ min: 1, max: 5 }),
        async (batches, limit) => {
          run += 1;
          let now = START;
          for (const { gap, buckets } of batches) {
            now += gap;
            const together = buckets.map((bucket) => `together-${run}-${bucket}`);
            const expected: Awaited<ReturnType<typeof countRequest>>[] = [];
            for (const bucket of buckets) {
              expected.push(
                await countRequest(db, { bucket: `alone-${run}-${bucket}`, limit }, at(now)),
              );
            }
            expect(await countRequests(db, limit, together, at(now))).toEqual(expected);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it("refuses requests over the limit until the oldest leaves the window", async () => {
    const window = { bucket: "edge", limit: 3 };
    for (const offset of [0, 1_000_000, 2_000_000]) {
      expect(await countRequest(db, window, at(START + offset))).toMatchObject({ allowed: true });
    }
    const refused = await countRequest(db, window, at(START + WINDOW - 1));
    expect(refused).toMatchObject({ allowed: false, remaining: 0, resetSeconds: 0.000001 });
    expect(await countRequest(db, window, at(START + WINDOW))).toMatchObject({ allowed: true });
    expect(await countRequest(db, window, at(START + WINDOW))).toMatchObject({ allowed: false });
  });

  it("does not count refused requests", async () => {
    const window = { bucket: "refused", limit: 1 };
    await countRequest(db, window, at(START));
    for (let second = 1; second < 60; second++) {
      expect((await countRequest(db, window, at(START + second * 1_000_000))).allowed).toBe(false);
    }
    expect((await countRequest(db, window, at(START + WINDOW))).allowed).toBe(true);
  });

  it("stops counting a request only once", async () => {
    const window = { bucket: "released", limit: 2 };
    const first = await countRequest(db, window);
    await countRequest(db, window);
    await uncountRequest(db, window.bucket, first.hit);
    await uncountRequest(db, window.bucket, first.hit);
    expect((await readWindow(db, window)).remaining).toBe(1);
    expect((await countRequest(db, window)).allowed).toBe(true);
    expect((await countRequest(db, window)).allowed).toBe(false);
  });

  it("allows exactly ten of fifty simultaneous requests", async () => {
    const window = { bucket: "at-once", limit: 10 };
    const all = await Promise.all(Array.from({ length: 50 }, () => countRequest(db, window)));
    expect(all.filter((taken) => taken.allowed)).toHaveLength(10);
    expect(new Set(all.filter((taken) => taken.allowed).map((taken) => taken.hit)).size).toBe(10);
  });

  it("reads the clock only after it locked the bucket", async () => {
    const window = { bucket: "waited", limit: 5 };
    await countRequest(db, window);
    let waiting: ReturnType<typeof countRequest> | undefined;
    const [held] = await db.transaction(async (tx) => {
      await countRequest(tx, window);
      waiting = countRequest(db, window);
      for (let blocked = false; !blocked; ) {
        const [row] = await tx.execute<{ blocked: boolean }>(
          sql`select exists (
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          ) as blocked`,
        );
        blocked = row?.blocked ?? false;
      }
      return tx.execute<{ until: string }>(sql`select clock_timestamp()::text as until`);
    });
    const taken = await waiting;
    const [order] = await db.execute<{ after: boolean }>(
      sql`select ${taken?.hit}::timestamptz > ${held?.until}::timestamptz as after`,
    );
    expect(order?.after).toBe(true);
  });

  it("is empty for an unused bucket", async () => {
    const window = { bucket: "unused", limit: 7 };
    expect(await readWindow(db, window)).toEqual({ remaining: 7, resetSeconds: 0 });
    expect(await bucketRows()).not.toContain("unused");
  });

  it("prunes only buckets without current requests", async () => {
    const dead = { bucket: "dead", limit: 1 };
    await countRequest(db, dead, sql`clock_timestamp() - interval '61 minutes'`);
    const emptied = await countRequest(db, { ...dead, bucket: "emptied" });
    await uncountRequest(db, "emptied", emptied.hit);
    await countRequest(db, { ...dead, bucket: "alive" });
    await pruneWindows(db);
    const rows = await bucketRows();
    expect(rows).toContain("alive");
    expect(rows).not.toContain("dead");
    expect(rows).not.toContain("emptied");
  });
});
