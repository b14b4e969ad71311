import type { RateLimitState } from "@/server/lib/rate-limit-headers";

/** Counts requests of each client in windows of a fixed length that begin with its first request. */
export interface Guard {
  /** Counts a request at `now` (milliseconds). Over the limit where `remaining` is below 0. */
  take(client: string, now: number): RateLimitState;
  /** Whether a request at `now` would be over the limit. */
  spent(client: string, now: number): RateLimitState | null;
}

interface Window {
  taken: number;
  endsAt: number;
}

/**
 * A guard in this process's memory. As all windows have one length, a map in order of insertion is
 * in order of expiry too: each new window first drops the ended ones at its head, and past
 * `capacity` the oldest, so memory is bounded whoever calls.
 */
export function createGuard(options: {
  policy: string;
  limit: number;
  windowSeconds: number;
  capacity: number;
}): Guard {
  const { policy, limit, windowSeconds, capacity } = options;
  const windows = new Map<string, Window>();

  function state(window: Window, now: number): RateLimitState {
    const resetSeconds = (window.endsAt - now) / 1_000;
    return { policy, limit, windowSeconds, remaining: limit - window.taken, resetSeconds };
  }

  function open(client: string, now: number): Window {
    for (const [oldest, { endsAt }] of windows) {
      if (endsAt > now && windows.size < capacity) break;
      windows.delete(oldest);
    }
    windows.delete(client);
    const window = { taken: 0, endsAt: now + windowSeconds * 1_000 };
    windows.set(client, window);
    return window;
  }

  return {
    take(client, now) {
      const known = windows.get(client);
      const window = known && known.endsAt > now ? known : open(client, now);
      window.taken = Math.min(window.taken + 1, limit + 1);
      return state(window, now);
    },
    spent(client, now) {
      const window = windows.get(client);
      return window && window.endsAt > now && window.taken >= limit ? state(window, now) : null;
    },
  };
}
