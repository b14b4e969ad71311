import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { MINUTE_MS } from "@/server/lib/time";

/** A server that can shut down without failing any request. */
export interface Drainable {
  /**
   * Keeps serving for `ms`, or until `skipWait` aborts, and sends `Connection: close` with each
   * response. Then accepts no more connections, finishes open requests and closes idle connections.
   * Requests still open ten seconds later are cut off.
   */
  drain(ms: number, skipWait: AbortSignal): Promise<void>;
}

const OPEN_REQUESTS_TIMEOUT_MS = 10_000;

/** Tracks every request from now on. Call it before the server listens. */
export function makeDrainable(server: Server): Drainable {
  const openRequests = new Set<ServerResponse>();
  let isDraining = false;
  // Runs before the request handler, which may write the headers at once.
  server.prependListener("request", (_req, res: ServerResponse) => {
    if (isDraining) sendConnectionClose(res);
    openRequests.add(res);
    res.once("close", () => openRequests.delete(res));
  });
  return {
    async drain(ms, skipWait) {
      isDraining = true;
      for (const res of openRequests) sendConnectionClose(res);
      if (ms > 0) await pause(ms, undefined, { signal: skipWait }).catch(() => {});
      await closeServer(server);
    },
  };
}

/** Asks the client to reconnect: it could otherwise reuse a connection just as it closes. */
function sendConnectionClose(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader("Connection", "close");
}

async function closeServer(server: Server): Promise<void> {
  const idleTimer = setInterval(() => server.closeIdleConnections(), 100);
  const deadline = setTimeout(() => server.closeAllConnections(), OPEN_REQUESTS_TIMEOUT_MS);
  await new Promise<void>((closed) => server.close(() => closed()));
  clearInterval(idleTimer);
  clearTimeout(deadline);
}

/** Limits on the resources that connections can occupy; times in milliseconds. */
interface ServerLimits {
  /** Time until a request's head has arrived. Starts when the connection opens. */
  headersTimeout: number;
  /** Time until the whole request has arrived. */
  requestTimeout: number;
  /**
   * Time without a byte in either direction; limits clients that stop reading their response.
   */
  stalledTimeout: number;
  /**
   * Time until an idle connection is closed. Proxies keep one for a minute. If we closed first, a request
   * being sent at that moment would be lost, and proxies do not repeat writes.
   */
  keepAliveTimeout: number;
  /** How often these timeouts are checked. */
  connectionsCheckingInterval: number;
  /** Bytes of a request's head; a larger one gets a 431. */
  maxHeaderSize: number;
  /** Open connections; further ones are closed. */
  maxConnections: number;
}

const LIMITS: ServerLimits = {
  headersTimeout: 15_000,
  requestTimeout: MINUTE_MS,
  stalledTimeout: 120_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16_384,
  maxConnections: 10_000,
};

/**
 * Creates the server that accepts all connections. It sends an empty 400 for requests its parser
 * refuses; a missing `Host` is left to `handler`, which responds with a problem.
 */
export function createHttpServer(
  handler: RequestListener,
  limits: Partial<ServerLimits> = {},
): Server {
  const { stalledTimeout, maxConnections, ...options } = { ...LIMITS, ...limits };
  const server = createServer({ ...options, requireHostHeader: false }, handler);
  server.timeout = stalledTimeout;
  server.maxConnections = maxConnections;
  return server;
}
