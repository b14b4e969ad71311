import ky, { HTTPError } from "ky";

/** The service's longest rate limit window is a minute. */
const MAX_RETRY_AFTER_MS = 65_000;
const TIMEOUT_MS = 60_000;

/**
 * Returns a `fetch` that repeats a request up to four times: after the time that a response names in
 * `Retry-After`, or, growing, after a failed connection. Only requests that may arrive twice are
 * repeated: reads, and those with an `Idempotency-Key`.
 */
export function createRetryingFetch(fetch: typeof globalThis.fetch = globalThis.fetch) {
  const send = ky.create({
    fetch,
    timeout: TIMEOUT_MS,
    retry: {
      limit: 4,
      maxRetryAfter: MAX_RETRY_AFTER_MS,
      methods: ["get", "post", "patch", "delete"],
      statusCodes: REFUSED_FOR_NOW,
      afterStatusCodes: REFUSED_FOR_NOW,
      jitter: true,
    },
  });
  return async (request: Request): Promise<Response> => {
    const isRepeatable = request.method === "GET" || request.headers.has("idempotency-key");
    try {
      return await send(request, {
        retry: {
          shouldRetry: ({ error }) =>
            error instanceof HTTPError ? mayRetry(error.response, isRepeatable) : isRepeatable,
        },
      });
    } catch (error) {
      if (error instanceof HTTPError) return error.response;
      throw error;
    }
  };
}

/** A payment without enough confirmations is 409, a limit 429, a busy or broken service 503. */
const REFUSED_FOR_NOW = [409, 429, 503];

/**
 * A request that was refused with 409 or 429 and `Retry-After` did nothing, so any may be repeated.
 * One that got a 503 may have: the database may have stored it and failed before it confirmed that.
 */
function mayRetry({ status, headers }: Response, isRepeatable: boolean): boolean {
  const hasTime = REFUSED_FOR_NOW.includes(status) && headers.has("retry-after");
  return (
    (hasTime && (isRepeatable || status !== 503)) || (isRepeatable && [502, 504].includes(status))
  );
}
