import { LRUCache } from "lru-cache";
import { SECOND_MS } from "@/server/lib/time";
import type { RateLimitState } from "./headers";
import { WINDOW_SECONDS } from "./limits";

/** Counts requests per client in one-minute windows; each begins with the client's first request. */
export interface FixedWindowLimiter {
  /**
   * Counts a request at `now` (milliseconds) as `cost` requests. It is over the limit if
   * `remaining` is below 0.
   */
  take(client: string, now: number, cost?: number): RateLimitState;
  /** Counts a request as `take` does, until it is released. */
  hold(client: string, now: number): HeldRequest;
}

export interface HeldRequest extends RateLimitState {
  /** Stops counting the request. Safe to repeat. */
  release(): void;
}

/** This many take 20 MB of memory. */
const MAX_CLIENTS = 100_000;

interface Window {
  taken: number;
  endsAt: number;
}

/**
 * Creates a limiter in this process's memory. All windows have the same length and are only
 * peeked at, so the order of insertion is the order of expiry: a new window first removes the expired
 * ones, and beyond `capacity` the oldest is evicted. This bounds memory for any number of clients.
 */
export function createFixedWindowLimiter(options: {
  policy: string;
  limit: number;
  capacity?: number;
}): FixedWindowLimiter {
  const { policy, limit, capacity = MAX_CLIENTS } = options;
  // Not a Map: iterating one from its oldest key skips over every deleted key. Bounded by size, since
  // `max` would allocate the memory for `capacity` entries at once.
  const windows = new LRUCache<string, Window>({ maxSize: capacity, sizeCalculation: () => 1 });

  function getState(window: Window, now: number): RateLimitState {
    const resetSeconds = (window.endsAt - now) / SECOND_MS;
    return { policy, limit, remaining: limit - window.taken, resetSeconds };
  }

  function open(client: string, now: number): Window {
    for (const oldest of windows.rkeys()) {
      if ((windows.peek(oldest)?.endsAt ?? 0) > now) break;
      windows.delete(oldest);
    }
    const window = { taken: 0, endsAt: now + WINDOW_SECONDS * SECOND_MS };
    windows.set(client, window);
    return window;
  }

  function count(client: string, now: number, cost = 1): Window {
    const current = windows.peek(client);
    const window = current && current.endsAt > now ? current : open(client, now);
    window.taken = Math.min(window.taken + cost, limit + 1);
    return window;
  }

  return {
    take: (client, now, cost) => getState(count(client, now, cost), now),
    hold(client, now) {
      const window = count(client, now);
      let isHeld = true;
      return {
        ...getState(window, now),
        release() {
          if (isHeld) window.taken -= 1;
          isHeld = false;
        },
      };
    },
  };
}
