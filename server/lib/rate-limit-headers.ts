import { AppError } from "./errors";

/** Where a caller stands with one limit. */
export interface RateLimitState {
  /** Name of the policy, as the headers quote it: lowercase letters, digits, hyphens. */
  policy: string;
  /** Requests that a window lets through. */
  limit: number;
  windowSeconds: number;
  /** Requests left in the present window; below zero counts as none. */
  remaining: number;
  /** Seconds until the limit gives something back; fractions are rounded up. */
  resetSeconds: number;
}

/** The answer headers of a limited request: draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4. */
export function rateLimitHeaders(state: RateLimitState): Record<string, string> {
  const remaining = Math.max(0, Math.floor(state.remaining));
  return {
    "RateLimit-Policy": `"${state.policy}";q=${state.limit};w=${state.windowSeconds}`,
    RateLimit: `"${state.policy}";r=${remaining};t=${wholeSeconds(state)}`,
  };
}

/** The refusal of a request over the limit. Its `Retry-After` is never 0 and never before the reset. */
export function rateLimited(state: RateLimitState): AppError {
  const seconds = Math.max(1, wholeSeconds(state));
  return new AppError(
    "rate-limited",
    `The limit is ${state.limit} requests in ${state.windowSeconds} seconds. Try again in ${seconds} s.`,
    { headers: { ...rateLimitHeaders(state), "Retry-After": String(seconds) } },
  );
}

function wholeSeconds(state: RateLimitState): number {
  return Math.max(0, Math.ceil(state.resetSeconds));
}
