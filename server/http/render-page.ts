import { once } from "node:events";
import { createServer, get, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { duplexPair } from "node:stream";
import { text } from "node:stream/consumers";
import type { ServePage } from "./compressed-files";

export interface RenderedPage {
  status: number;
  headers: IncomingHttpHeaders;
  html: string;
}

/** Renders the page at `path`, a path with its query, for a request with only these headers. */
export type RenderPage = (path: string, headers: Record<string, string>) => Promise<RenderedPage>;

const TIMEOUT_MS = 30_000;

/**
 * Bytes that a side takes before it asks the writer to wait: more than any page has. With Node's
 * default, 64 KiB, Next waited forever for the `drain` of a page that is longer (seen on Node 26).
 */
const HIGH_WATER_MARK = 64 * 1024 * 1024;

/**
 * Creates a function that renders whole pages for requests of its own, which carry nothing of a
 * visitor's. They reach `pages` over HTTP, but through memory instead of a socket. Rejects if the
 * response breaks off or takes longer than `TIMEOUT_MS`.
 */
export function createPageRenderer(pages: ServePage): RenderPage {
  const server = createServer((req, res) => void pages(req, res));
  return async (path, headers) => {
    const [ours, theirs] = duplexPair({ highWaterMark: HIGH_WATER_MARK });
    // Node does not close one side with the other.
    ours.once("close", () => theirs.destroy());
    theirs.once("close", () => !theirs.writableFinished && ours.destroy());
    server.emit("connection", theirs);
    const request = get({
      path,
      headers,
      createConnection: () => ours,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const html = await text(response);
    return { status: response.statusCode ?? 0, headers: response.headers, html };
  };
}
