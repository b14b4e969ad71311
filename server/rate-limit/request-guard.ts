import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { WalletGuard } from "@/server/lib/context";
import type { ErrorCode } from "@/server/lib/errors";
import { MINUTE_MS } from "@/server/lib/time";
import { createFixedWindowLimiter, type HeldRequest } from "./fixed-window";
import { createRateLimitError, createRateLimitHeaders, type RateLimitState } from "./headers";

const KNOWN_KEYS = 10_000;
const KNOWN_KEY_MS = 5 * MINUTE_MS;

/** What decides how a request is counted. */
export interface GuardedRequest {
  /** Key of the client's address, from `getClientKey`. */
  client: string;
  /** Whether the operation requires a key. */
  requiresKey: boolean;
  /** The key that was sent to an operation that reads it, or null. */
  key: string | null;
  /** Whether the operation requires no key and has no limit of its own. */
  isPublicRead: boolean;
  /** Sets a response header. */
  setHeader(name: string, value: string): void;
}

/** One request in progress. */
export interface AdmittedRequest {
  guard: WalletGuard;
  /** Call once the request has ended, with the error's code if it was refused. */
  end(code: ErrorCode | null): void;
}

/**
 * Creates the limits that protect this process: `limit` requests per minute in each. A request with
 * a key counts for its wallet, once the key was checked; any other request counts for the client's
 * address, public reads apart from the rest. Any request with a key also holds one of its address's
 * key checks, and keeps it if it was refused by a limit or for its key. So many agents can share an
 * address, but keys cannot be guessed from it, and refusing requests stays cheap. A key that was
 * valid in the last minutes has checks of its own, which forged ones cannot use up.
 */
export function createRequestGuard(limit: number) {
  const publicReads = createFixedWindowLimiter({ policy: "default", limit });
  const otherRequests = createFixedWindowLimiter({ policy: "default", limit });
  const wallets = createFixedWindowLimiter({ policy: "default", limit });
  const keyChecks = createFixedWindowLimiter({ policy: "authentication", limit });
  const knownKeys = new LRUCache<string, true>({ max: KNOWN_KEYS, ttl: KNOWN_KEY_MS });

  /** Admits a request before any procedure runs. Throws `rate-limited`. */
  return function admit(request: GuardedRequest): AdmittedRequest {
    const { client, requiresKey, isPublicRead } = request;
    const key = request.key && hash("sha256", request.key);
    const now = Date.now();
    const setHeaders = (state: RateLimitState) => {
      for (const [name, value] of Object.entries(createRateLimitHeaders(state))) {
        request.setHeader(name, value);
      }
    };
    const checked = key && knownKeys.has(key) ? key : client;
    const keyCheck = requiresKey || key ? keyChecks.hold(checked, now) : null;
    if (keyCheck) refuseExceeded(keyCheck);
    if (!requiresKey && !(key && isPublicRead)) {
      const state = (isPublicRead ? publicReads : otherRequests).take(client, now);
      refuseExceeded(state);
      // Limits of single operations are far lower and set these headers themselves.
      if (isPublicRead) setHeaders(state);
    }
    let held: HeldRequest | null = null;
    return {
      guard: {
        take(wallet) {
          if (key) knownKeys.set(key, true);
          held = wallets.hold(wallet, Date.now());
          refuseExceeded(held);
          setHeaders(held);
        },
        release: () => held?.release(),
      },
      end(code) {
        if (code === "unauthenticated") {
          if (key) knownKeys.delete(key);
          publicReads.take(client, Date.now());
        } else if (code !== "rate-limited") keyCheck?.release();
      },
    };
  };
}

function refuseExceeded(state: RateLimitState): void {
  if (state.remaining < 0) throw createRateLimitError(state);
}
