import { BaseError, createTransport, type HttpTransport, http } from "viem";
import { NODE_LIMIT } from "@/server/lib/unavailable";

interface Options {
  /** Time limit of one request. */
  timeout: number;
  /** How often viem repeats a request that failed for another reason. */
  retryCount?: number | undefined;
  /** How long a request waits for a node that limits requests. */
  patienceMs?: number;
}

/** For reading a whole ledger, which no request of a client waits for. */
export const LONG_READ: Options = { timeout: 60_000, retryCount: 2, patienceMs: 120_000 };

const PATIENCE_MS = 5_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 60_000;

/**
 * Codes of nodes that limit requests: of HTTP within JSON (Alchemy), EIP-1474, QuickNode, and Base's
 * public node.
 */
const CODES = new Set([429, -32005, -32007, -32016]);
const MESSAGE =
  /rate.?limit|too many requests|request (?:limit|rate|count)|requests per|compute units|throughput/i;
/** Other reasons: a contract's own words, and `eth_getLogs` for too many blocks or logs (-32005 too). */
const OTHER_REASON = /revert|vm execution|\b(?:results?|logs|ranges?|blocks?)\b/i;

/** A node that limits requests has done so for longer than a request waits. */
export class NodeLimitsRequests extends BaseError {
  /** viem repeats nothing that has such a code. */
  readonly code = -32016;

  /** @param resumeAt When the node may be called again, in Unix milliseconds. */
  constructor(readonly resumeAt: number) {
    super("The node limits requests.", { name: NODE_LIMIT });
  }
}

/**
 * Creates viem's HTTP transport to a node, which also waits while the node limits requests: as long as
 * its `Retry-After` says (up to a minute), else with exponential backoff. All requests of the transport
 * share the pause. Repeating is safe for every method: the same bytes are the same transaction. A
 * request that would wait longer than `patienceMs` throws `NodeLimitsRequests`.
 */
export function createNodeTransport(
  url: string,
  { timeout, retryCount = 3, patienceMs = PATIENCE_MS }: Options,
): HttpTransport {
  let resumeAt = 0;
  let pauseMs = FIRST_PAUSE_MS;
  const onFetchResponse = ({ headers }: Response) => {
    const ms = readRetryAfter(headers);
    if (ms > 0) resumeAt = Math.max(resumeAt, Date.now() + ms);
  };
  return (config) => {
    const inner = http(url, { timeout, onFetchResponse })({ ...config, retryCount: 0 });
    const request = async (...call: Parameters<typeof inner.request>) => {
      const end = Date.now() + patienceMs;
      for (;;) {
        while (resumeAt > Date.now()) {
          if (resumeAt > end) throw new NodeLimitsRequests(resumeAt);
          await pause(resumeAt - Date.now());
        }
        const before = resumeAt;
        try {
          const result = await inner.request(...call);
          pauseMs = FIRST_PAUSE_MS;
          return result;
        } catch (error) {
          if (!isLimit(error)) throw error;
          // Of several requests that were refused together, one lengthens the pause.
          if (resumeAt !== before) continue;
          resumeAt = Date.now() + pauseMs * (0.5 + Math.random() / 2);
          pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
        }
      }
    };
    const { key, name, type } = inner.config;
    const repeated = { key, name, type, request, retryCount, timeout };
    return createTransport(repeated as typeof inner.config, inner.value) as typeof inner;
  };
}

/** Milliseconds of a `Retry-After` header, which has seconds or a date; 0 without one. */
function readRetryAfter(headers: Headers): number {
  const text = headers.get("retry-after") ?? "";
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Math.min(Math.max(ms || 0, 0), MAX_PAUSE_MS);
}

function isLimit(error: unknown): boolean {
  if (!(error instanceof BaseError) || OTHER_REASON.test(error.details)) return false;
  const { code, status } = error as { code?: number; status?: number };
  return status === 429 || CODES.has(code ?? 0) || MESSAGE.test(error.details);
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves to the result of `work`, repeated for as long as the node limits requests. Says so once. */
export async function waitForNode<T>(work: () => Promise<T>, onWait: () => void): Promise<T> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work();
    } catch (error) {
      const limit =
        error instanceof BaseError && error.walk((cause) => cause instanceof NodeLimitsRequests);
      if (!(limit instanceof NodeLimitsRequests)) throw error;
      if (isFirst) onWait();
      await pause(limit.resumeAt - Date.now());
    }
  }
}
