import { eq, type SQL, sql } from "drizzle-orm";
import type { Sql } from "@/server/lib/context";
import { prepareOnce } from "@/server/lib/database";
import { WINDOW_SECONDS } from "./limits";
import { rateLimitWindows } from "./tables";

/** A limit on one bucket: at most `limit` requests within any 60 seconds. */
export interface WindowLimit {
  /** The name under which requests are counted, e.g. `outcome:0x…`. */
  bucket: string;
  /** At least 1. */
  limit: number;
}

/** The current state of a bucket. */
export interface WindowState {
  /** Requests that would be allowed now. */
  remaining: number;
  /**
   * Seconds, with a fraction, until the oldest counted request leaves the window; 0 if it is empty.
   */
  resetSeconds: number;
}

export interface CountedRequest extends WindowState {
  allowed: boolean;
  /** Timestamp of an allowed request in the bucket, for `uncountRequest`; empty for a refused one. */
  hit: string;
}

const PRUNE_AFTER_SECONDS = 3_600;
const PRUNE_BATCH = 500;

const NOW = sql`clock_timestamp()`;
const WINDOW = sql`${WINDOW_SECONDS}::int * interval '1 s'`;

/**
 * Counts requests, each in one of `buckets`, one after the other, if the sliding window has room; a
 * refused one is not counted. Exact across all processes: the row lock orders the requests of a
 * bucket, and each reads the clock only after it has acquired the lock. Times in a bucket are strictly
 * increasing, even if the clock is not.
 *
 * `db` must not be a longer transaction: the buckets stay locked until it ends. `now` is an SQL
 * expression, for tests.
 */
export async function countRequests(
  db: Sql,
  limit: number,
  buckets: string[],
  now: SQL = NOW,
): Promise<CountedRequest[]> {
  const wanted = new Map<string, number>();
  for (const bucket of buckets) wanted.set(bucket, (wanted.get(bucket) ?? 0) + 1);
  const query = now === NOW ? getTakeQuery(db) : prepareTakeQuery(db, now);
  const rows = await query.execute({
    limit,
    buckets: [...wanted.keys()],
    counts: [...wanted.values()],
  });
  const windows = new Map(rows.map((row) => [row.bucket, { ...row, used: 0 }]));
  return buckets.map((bucket) => {
    const window = windows.get(bucket);
    if (!window) throw new Error("the rate limit window was neither inserted nor updated");
    const { hits, taken, resetSeconds } = window;
    const hit = hits[window.used];
    if (hit === undefined) {
      return { allowed: false, hit: "", remaining: limit - taken, resetSeconds };
    }
    window.used += 1;
    const remaining = limit - taken + hits.length - window.used;
    return { allowed: true, hit, remaining, resetSeconds };
  });
}

const getTakeQuery = prepareOnce((db: Sql) => prepareTakeQuery(db, NOW));

function prepareTakeQuery(db: Sql, now: SQL) {
  const { hits } = rateLimitWindows;
  const limit = sql`${sql.placeholder("limit")}::int`;
  /** `count` times from `first`, a microsecond apart. */
  const times = (first: SQL, count: SQL) =>
    sql`array(
      select first + n * interval '1 us'
      from (select ${first} as first) as clock, generate_series(0, ${count} - 1) n
    )`;
  return (
    db
      .insert(rateLimitWindows)
      // In one order, so that two statements can't wait for each other.
      .select(
        sql`select bucket, ${times(now, sql`least(count, ${limit})`)}
          from unnest(${sql.placeholder("buckets")}::text[], ${sql.placeholder("counts")}::int[])
            as request(bucket, count) order by bucket`,
      )
      .onConflictDoUpdate({
        target: rateLimitWindows.bucket,
        set: {
          hits: sql`(
          select live || ${times(
            sql`stamp`,
            sql`least(cardinality(excluded.hits), ${limit} - cardinality(live))`,
          )}
          from (
            select stamp, array(
              select hit from unnest(${hits}) hit where hit > stamp - ${WINDOW} order by hit
            ) as live
            from (
              select greatest(${now}, ${hits}[cardinality(${hits})] + interval '1 us') as stamp
            ) as clock
          ) as present
        )`,
        },
      })
      .returning({
        bucket: rateLimitWindows.bucket,
        /** Of the allowed requests. */
        hits: sql<string[]>`array(
        select hit::text from unnest(new.hits) hit
        where hit > coalesce(old.hits[cardinality(old.hits)], '-infinity') order by hit
      )`,
        taken: sql<number>`cardinality(new.hits)`,
        resetSeconds: sql<number>`${secondsUntilFree(sql`new.hits`, now)}`,
      })
      .prepare("count_requests")
  );
}

/** Returns the state of the bucket without counting a request. */
export async function readWindow(
  db: Sql,
  window: WindowLimit,
  now: SQL = NOW,
): Promise<WindowState> {
  const query = now === NOW ? getReadQuery(db) : prepareReadQuery(db, now);
  const [row] = await query.execute({ ...window });
  return { remaining: window.limit - (row?.taken ?? 0), resetSeconds: row?.resetSeconds ?? 0 };
}

const getReadQuery = prepareOnce((db: Sql) => prepareReadQuery(db, NOW));

function prepareReadQuery(db: Sql, now: SQL) {
  const live = sql`array(
    select hit from unnest(${rateLimitWindows.hits}) hit where hit > ${now} - ${WINDOW} order by hit
  )`;
  return db
    .select({
      taken: sql<number>`cardinality(${live})`,
      resetSeconds: sql<number | null>`${secondsUntilFree(sql`(${live})`, now)}`,
    })
    .from(rateLimitWindows)
    .where(eq(rateLimitWindows.bucket, sql.placeholder("bucket")))
    .prepare("read_window");
}

/** Stops counting the request `hit`. Idempotent. */
export async function uncountRequest(db: Sql, bucket: string, hit: string): Promise<void> {
  await db
    .update(rateLimitWindows)
    .set({ hits: sql`array_remove(hits, ${hit}::timestamptz)` })
    .where(eq(rateLimitWindows.bucket, bucket));
}

/** Deletes a batch of buckets without current requests. */
export async function pruneWindows(db: Sql, now: SQL = NOW): Promise<void> {
  await db.execute(sql`
    delete from ${rateLimitWindows} where bucket in (
      select bucket from ${rateLimitWindows}
      where coalesce(hits[cardinality(hits)], '-infinity') < ${now} - ${PRUNE_AFTER_SECONDS}::int * interval '1 s'
      limit ${PRUNE_BATCH} for update skip locked
    )
  `);
}

function secondsUntilFree(hits: SQL, now: SQL): SQL {
  return sql`greatest(0, extract(epoch from ${hits}[1] + ${WINDOW} - ${now}))::float8`;
}
