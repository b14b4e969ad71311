import type { IncomingMessage, ServerResponse } from "node:http";
import type { Env } from "@/server/lib/env";
import { getClientKey, getRequestIp } from "@/server/rate-limit/client";
import { createFixedWindowLimiter } from "@/server/rate-limit/fixed-window";
import { createRateLimitError, type RateLimitState } from "@/server/rate-limit/headers";
import { createSecurityHeaders } from "@/server/rest/response";
import { isInngestPath } from "@/server/rest/transports/inngest-transport";
import { readHeader } from "@/server/rest/transports/node-http";

/** Counts a client's request. Returns the state of the limit if it is exceeded, else null. */
export type PageLimit = (req: IncomingMessage) => RateLimitState | null;

/** Cost of a social picture, which takes this process as long to draw as many pages. */
const PICTURE_COST = 10;
const PICTURE_PATH = /^\/pictures\/|\/opengraph-image[^/]*$/;

/** Next prefetches some 24 visible links a page; each takes a fraction of a page's time. */
const PREFETCHES_PER_PAGE = 5;

/** Limits pages per client and minute like public reads; prefetches count separately. */
export function createPageLimit(
  env: Pick<Env, "PUBLIC_READS_PER_MINUTE" | "TRUSTED_PROXIES">,
): PageLimit {
  const limit = env.PUBLIC_READS_PER_MINUTE;
  const pages = createFixedWindowLimiter({ policy: "pages", limit });
  const prefetches = createFixedWindowLimiter({
    policy: "prefetches",
    limit: limit * PREFETCHES_PER_PAGE,
  });
  return (req) => {
    const { url = "/", headers, socket } = req;
    const path = url.split("?", 1)[0] ?? "";
    if (isExempt(path)) return null;
    const header = (name: string) => readHeader(req, name);
    const ip = getRequestIp(env, { peer: socket.remoteAddress ?? null, header });
    const limiter = isPrefetch(headers) ? prefetches : pages;
    const cost = PICTURE_PATH.test(path) ? PICTURE_COST : 1;
    const state = limiter.take(getClientKey(ip), Date.now(), cost);
    return state.remaining < 0 ? state : null;
  };
}

/**
 * Whether a path is exempt: build files, health checks of proxies, and the signed calls of an
 * Inngest server.
 */
function isExempt(path: string): boolean {
  return path.startsWith("/_next/static/") || path === "/api/health" || isInngestPath(path);
}

/**
 * Requires both headers: with the second alone, or with another value of it, Next renders the page.
 */
function isPrefetch(headers: IncomingMessage["headers"]): boolean {
  return headers.rsc === "1" && headers["next-router-prefetch"] === "1";
}

/** Responds with a 429 whose text says how long to wait, since browsers do not show headers. */
export function refusePageRequest(
  res: ServerResponse,
  state: RateLimitState,
  commonHeaders: Record<string, string>,
): void {
  const { headers } = createRateLimitError(state);
  res.writeHead(429, {
    ...createSecurityHeaders({}),
    ...commonHeaders,
    ...headers,
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    Connection: "close",
  });
  res.end(
    `Too many page requests from your address. Try again in ${headers["Retry-After"]} seconds.\n`,
  );
}
