import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { LRUCache } from "lru-cache";
import {
  type ContentCoding,
  compress,
  createCompressor,
  MIN_COMPRESSED,
  selectCoding,
} from "@/server/lib/content-coding";
import type { RestRequest, RestResponse } from "@/server/rest/exchange";
import {
  BODY_LIMIT,
  type BodyReservation,
  bodyBudget,
  readBody,
} from "@/server/rest/request/read-body";
import type { Rest } from "@/server/rest/rest";

const ORIGIN_FORM = /^\/api\/v1(?:[/?]|$)/;
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*\/api\/v1(?:[/?#]|$)/i;

/** Whether a request target belongs to the REST transport. */
export function isRestPath(url = ""): boolean {
  return (url.startsWith("/") ? ORIGIN_FORM : ABSOLUTE_FORM).test(url);
}

/** Serves a request of a node:http server over the REST transport. Never throws. */
export async function serveRest(
  rest: Rest,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const request = new NodeRequest(req);
  try {
    const response = await rest.handle(request).finally(() => request.release());
    const { status, headers } = response;
    headers.Vary = headers.Vary ? `${headers.Vary}, Accept-Encoding` : "Accept-Encoding";
    const coding = selectCoding(request.header("accept-encoding"));
    const body = coding === null ? response.body : await encodeBody(response, coding);
    const mustClose = !canLeaveUnread(req);
    if (mustClose) headers.Connection = "close";
    res.writeHead(status, headers);
    if (isStream(body)) {
      // A failing stream closes the connection, so that a partial body is not taken for a whole one.
      if (coding === null) await pipeline(body, res);
      else await pipeline(body, createCompressor(coding), res);
    } else if (mustClose) {
      if (body === null) res.flushHeaders();
      else res.write(body);
      await discardUnread(req);
      res.end();
    } else {
      res.end(body ?? undefined);
    }
  } catch {
    // The transport itself never throws, so writing to the connection failed.
    res.destroy();
  }
}

const MAX_COMPRESSED_READS = 8 * 1024 * 1024;

/** Compressed bodies by coding and entity tag. */
const compressedReads = new LRUCache<string, Buffer>({
  maxSize: MAX_COMPRESSED_READS,
  sizeCalculation: ({ length }) => length,
});

/**
 * Compresses a body if that saves packets, and sets the headers of the coding, also for a stream,
 * whose writer compresses it. The entity tag gets weak, since all codings share it.
 */
async function encodeBody({ headers, body }: RestResponse, coding: ContentCoding) {
  if (isStream(body)) headers["Content-Encoding"] = coding;
  if (isStream(body) || !(Number(headers["Content-Length"]) > MIN_COMPRESSED)) return body;
  headers["Content-Encoding"] = coding;
  const key = headers.ETag && `${coding} ${headers.ETag}`;
  if (headers.ETag) headers.ETag = `W/${headers.ETag}`;
  if (body === null) {
    // The response to HEAD has the headers of GET; the length is optional (RFC 9110, 9.3.2).
    delete headers["Content-Length"];
    return body;
  }
  const compressed =
    (key && compressedReads.get(key)) || (await compress(coding, Buffer.from(body)));
  if (key) compressedReads.set(key, compressed);
  headers["Content-Length"] = String(compressed.length);
  return compressed;
}

function isStream(body: RestResponse["body"] | Buffer): body is AsyncIterableIterator<string> {
  return typeof body === "object" && body !== null && !Buffer.isBuffer(body);
}

/**
 * Returns a header by its lowercase name; repeated ones are joined by a comma and a space. Node itself
 * keeps only the first `Authorization`.
 */
export function readHeader(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  if (name === "authorization" && value) return req.headersDistinct[name]?.join(", ");
  return Array.isArray(value) ? value.join(", ") : value;
}

/**
 * A request of a node:http server. `release` gives back the memory that its body was counted against.
 * A class, because creating closures for each request would take longer than serving a read.
 */
export class NodeRequest implements RestRequest {
  readonly method: string;
  readonly url: string;
  readonly peer: string | null;
  readonly hasBody: boolean;
  private reservation: BodyReservation | null = null;

  constructor(private readonly req: IncomingMessage) {
    const { headers } = req;
    const length = headers["content-length"];
    this.method = req.method ?? "GET";
    this.url = req.url ?? "/";
    this.peer = req.socket.remoteAddress ?? null;
    this.hasBody =
      length === undefined ? headers["transfer-encoding"] !== undefined : length !== "0";
  }

  header(name: string): string | undefined {
    return readHeader(this.req, name);
  }

  read(): Promise<Uint8Array> {
    this.reservation = bodyBudget.open();
    return readBody(readChunks(this.req), this.req.headers["content-length"], this.reservation);
  }

  release(): void {
    this.reservation?.release();
  }
}

/** Yields the body of a request. If the consumer stops early, discards the rest as it arrives. */
async function* readChunks(req: IncomingMessage): AsyncGenerator<Uint8Array> {
  // Without a listener an aborted request would end the process.
  req.on("error", () => {});
  try {
    yield* req.iterator({ destroyOnReturn: false });
  } finally {
    req.resume();
  }
}

/** Whether the unread rest of the request is small enough to keep the connection. */
export function canLeaveUnread(req: IncomingMessage): boolean {
  if (req.complete || req.destroyed) return true;
  const { headers } = req;
  if (headers["content-length"] !== undefined) {
    return Number(headers["content-length"]) <= BODY_LIMIT;
  }
  return headers["transfer-encoding"] === undefined;
}

const LINGER_MS = 1_000;
const LINGER_BYTES = 8 * BODY_LIMIT;

/**
 * Discards what the client still sends, up to a limit of bytes and time, before the connection is
 * closed. Closing at once would reset the connection and could lose the response (RFC 9112, 9.6).
 */
function discardUnread(req: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let discarded = 0;
    const done = () => {
      clearTimeout(timer);
      req.off("data", onData).off("end", done).off("close", done);
      req.pause();
      resolve();
    };
    const onData = (chunk: Buffer) => {
      discarded += chunk.length;
      if (discarded > LINGER_BYTES) done();
    };
    const timer = setTimeout(done, LINGER_MS);
    req.on("data", onData).on("end", done).on("close", done);
    req.on("error", () => {});
    req.resume();
  });
}
