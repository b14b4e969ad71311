import { createServer, type RequestListener, type Server } from "node:http";

/** How much of the process strangers can hold by connections; times in milliseconds. */
interface FrontLimits {
  /** Until a request's head is there. A connection that says nothing counts as one. */
  headersTimeout: number;
  /** Until all of a request is there. */
  requestTimeout: number;
  /** Without a byte either way: a reader who does not read holds its answer no longer. */
  stalledTimeout: number;
  /** How often these times are looked at. */
  connectionsCheckingInterval: number;
  /** Bytes of a request's head; a longer one is answered 431. */
  maxHeaderSize: number;
  /** At once; further ones are hung up on. */
  maxConnections: number;
}

const LIMITS: FrontLimits = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  stalledTimeout: 120_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16_384,
  maxConnections: 10_000,
};

/**
 * The server that everybody speaks to. It answers what its parser cannot read by a bare 400; a missing
 * `Host` is left to `front`, which answers a problem.
 */
export function createFrontServer(
  front: RequestListener,
  limits: Partial<FrontLimits> = {},
): Server {
  const { stalledTimeout, maxConnections, ...options } = { ...LIMITS, ...limits };
  const server = createServer({ ...options, requireHostHeader: false }, front);
  server.timeout = stalledTimeout;
  server.maxConnections = maxConnections;
  return server;
}
