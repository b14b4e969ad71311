import type { TRPCMiddlewareFunction } from "@trpc/server";
import { createBatcher, REQUEST_BATCH_OPTIONS } from "@/server/db/batch";
import type { Context, Database } from "@/server/lib/context";
import { prepareOnce } from "@/server/lib/database";
import type { AppError } from "@/server/lib/errors";
import { acquireMutex } from "@/server/lib/process/mutex";
import { MINUTE_MS } from "@/server/lib/time";
import type { Meta } from "@/server/lib/trpc";
import { createRateLimitError, createRateLimitHeaders, type RateLimitState } from "./headers";
import {
  countRequests,
  pruneWindows,
  readWindow,
  uncountRequest,
  type WindowLimit,
  type WindowState,
} from "./sliding-window";

const PRUNE_EVERY_MS = MINUTE_MS;

interface Limit<C> {
  /** Name of the policy in the headers, and of its buckets: lowercase letters, digits, hyphens. */
  name: string;
  /** Requests within any 60 seconds. */
  limit: number;
  /** Returns the bucket that a request counts against, e.g. the wallet of its key. */
  bucket: (ctx: C) => string;
}

/**
 * How to recognize idempotent replays, which do not count, not even for the wallet's guard. So the
 * bucket must be the wallet, and the procedure must not have counted the request itself.
 */
interface Replays<C, R> {
  /** Requests of a bucket with the same key count once; null if the request has no key. */
  key: (ctx: C) => string | null;
  /** Returns the response stored for the key, or null. */
  find: (ctx: C, key: string) => Promise<R | null>;
}

export interface LimitOptions<C, R = never> extends Limit<C> {
  /** A second, wider limit that the same request counts against. */
  ceiling?: Limit<C>;
  replays?: Replays<C, R>;
}

/** The `ctx.limit` of a limited procedure. */
export interface TakenLimit<R = never> {
  /** The response stored for the key before the request was counted, or null. */
  stored: R | null;
  /** Stops counting the request if it turns out to be a replay. Safe to repeat. */
  release(): Promise<void>;
}

/** Counts a request, and sets `ctx.limit`. */
export type RateLimitMiddleware<C, R> = TRPCMiddlewareFunction<
  C,
  Meta,
  object,
  { limit: TakenLimit<R> },
  unknown
>;

/**
 * Creates a tRPC middleware that allows `limit` requests of a bucket within any 60 seconds and
 * refuses more with `rate-limited` and `Retry-After`. Every response, including a 429, carries
 * `RateLimit` and `RateLimit-Policy`.
 *
 * Use it after the key check and before `.input()`, so that refused bodies count and requests without
 * a valid key do not count against a wallet.
 *
 * With `replays`, requests with the same key run one at a time in this process: the first one
 * counts, and the others find its stored response in `ctx.limit.stored`. Such a request counts only
 * if it ends in an error (then 429 if no request remains). One that lost a race against another
 * process has taken a counted: the procedure calls `ctx.limit.release()` when it returns the stored
 * response.
 */
export function rateLimit<C extends Context, R = never>(
  options: LimitOptions<C, R>,
): RateLimitMiddleware<C, R> {
  const { replays } = options;
  const limits = [options, ...(options.ceiling ? [options.ceiling] : [])].map((limit) => ({
    ...limit,
    countRequest: createRequestCounter(limit.limit),
  }));
  return async ({ ctx: context, next }) => {
    const ctx = context as unknown as C;
    const quota = openQuota(ctx, limits);
    const guard = replays ? ctx.guard : undefined;
    const release = async () => {
      guard?.release();
      await quota.release();
    };
    const proceed = (stored: R | null) => next({ ctx: { limit: { release, stored } } });

    const key = replays?.key(ctx) ?? null;
    if (!replays || key === null) {
      guard?.take(options.bucket(ctx));
      await quota.take();
      return proceed(null);
    }

    let stored: R | null;
    const unlock = await acquireMutex(`${options.name}:${options.bucket(ctx)}:${key}`);
    try {
      stored = await replays.find(ctx, key);
      if (stored === null) {
        guard?.take(options.bucket(ctx));
        const refusal = await quota.tryTake();
        if (!refusal) return await proceed(null);
        // Another process may have stored the response between the two checks.
        stored = await replays.find(ctx, key);
        if (stored === null) throw refusal;
        guard?.release();
      }
    } finally {
      unlock();
    }
    const result = await proceed(stored);
    if (result.ok) {
      await quota.reportState();
    } else {
      guard?.take(options.bucket(ctx));
      await quota.take();
    }
    return result;
  };
}

/** Returns a function that counts a request; concurrent ones share a statement. */
const createRequestCounter = (limit: number) => {
  const getTaker = prepareOnce((db: Database) =>
    createBatcher((buckets: string[]) => countRequests(db, limit, buckets), REQUEST_BATCH_OPTIONS),
  );
  return (db: Database, bucket: string) => getTaker(db)(bucket);
};

type OpenLimit<C> = Limit<C> & { countRequest: ReturnType<typeof createRequestCounter> };

type Bucket = WindowLimit & { policy: string };

/** Returns functions to count one request in its limits, and to stop counting it. */
function openQuota<C extends Context>(ctx: C, limits: OpenLimit<C>[]) {
  const buckets = limits.map((limit) => ({
    policy: limit.name,
    bucket: `${limit.name}:${limit.bucket(ctx)}`,
    limit: limit.limit,
    countRequest: limit.countRequest,
  }));
  let taken: { bucket: string; hit: string }[] = [];

  async function release(): Promise<void> {
    const released = taken;
    taken = [];
    for (const { bucket, hit } of released) await uncountRequest(ctx.db, bucket, hit);
    if (released.length > 0) await reportState();
  }

  async function reportState(): Promise<void> {
    const states: RateLimitState[] = [];
    for (const bucket of buckets) states.push(toState(bucket, await readWindow(ctx.db, bucket)));
    setHeaders(ctx, states);
  }

  /** Counts the request in every limit or in none. Returns the error if the request is refused. */
  async function tryTake(): Promise<AppError | null> {
    const states: RateLimitState[] = [];
    for (const bucket of buckets) {
      const counted = await bucket.countRequest(ctx.db, bucket.bucket);
      const state = toState(bucket, counted);
      if (!counted.allowed) {
        for (const { bucket, hit } of taken) await uncountRequest(ctx.db, bucket, hit);
        taken = [];
        setHeaders(ctx, [state]);
        return createRateLimitError(state);
      }
      taken.push({ bucket: bucket.bucket, hit: counted.hit });
      states.push(state);
    }
    setHeaders(ctx, states);
    await pruneOccasionally(ctx);
    return null;
  }

  async function take(): Promise<void> {
    const refusal = await tryTake();
    if (refusal) throw refusal;
  }

  return { take, tryTake, release, reportState };
}

function toState(bucket: Bucket, { remaining, resetSeconds }: WindowState): RateLimitState {
  const { policy, limit } = bucket;
  return { policy, limit, remaining, resetSeconds };
}

/** Sets the headers. Several policies form one list (RFC 9651), the narrowest first. */
function setHeaders(ctx: Context, states: RateLimitState[]): void {
  const joined: Record<string, string> = {};
  for (const state of states) {
    for (const [name, value] of Object.entries(createRateLimitHeaders(state))) {
      joined[name] = joined[name] ? `${joined[name]}, ${value}` : value;
    }
  }
  for (const [name, value] of Object.entries(joined)) ctx.reply.header(name, value);
}

let prunedAt = 0;

async function pruneOccasionally(ctx: Context): Promise<void> {
  const now = Date.now();
  if (now - prunedAt < PRUNE_EVERY_MS) return;
  prunedAt = now;
  await pruneWindows(ctx.db);
}
