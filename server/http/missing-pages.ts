import type { IncomingMessage, ServerResponse } from "node:http";

type Pages = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/** Appended to the path of a missing page. No route has it, whatever precedes it. */
export const MISSING = "/-/-";

/**
 * Renders pages that don't exist on the server. If a page calls `notFound()`, Next sends an empty
 * document that only its scripts fill. For a path without a route it sends the 404 page as HTML, so
 * such a document is dropped, and the same path with `MISSING` is rendered instead.
 */
export function renderMissingPages(pages: Pages): Pages {
  return async (req, res) => {
    if (!isDocumentRequest(req)) return pages(req, res);
    const { url = "/" } = req;
    const symbols = new Set(Object.getOwnPropertySymbols(req));
    const headers = res.getHeaders();
    const wasDropped = await dropMissingDocument(res, () => pages(req, res));
    if (!wasDropped) return;
    // What Next remembers of the first request must not affect the second.
    for (const symbol of Object.getOwnPropertySymbols(req)) {
      if (!symbols.has(symbol)) Reflect.deleteProperty(req, symbol);
    }
    for (const name of res.getHeaderNames()) res.removeHeader(name);
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) res.setHeader(name, value);
    }
    res.statusCode = 200;
    const [path = "", query] = url.split("?", 2);
    req.url = `${path.replace(/\/$/, "")}${MISSING}${query === undefined ? "" : `?${query}`}`;
    await pages(req, res);
  };
}

/** Returns whether a browser may show the response as a page. */
function isDocumentRequest({ method, url = "/", headers }: IncomingMessage): boolean {
  return (
    (method === "GET" || method === "HEAD") &&
    headers.rsc === undefined &&
    /text\/html|\*\/\*/.test(headers.accept ?? "*/*") &&
    !/^\/(api|_next)\//.test(url)
  );
}

/**
 * Runs `render`, and drops what it writes to `res` if that is an HTML document with status 404.
 * Resolves to whether it was dropped; the response is then as if nothing had happened.
 */
async function dropMissingDocument(
  res: ServerResponse,
  render: () => Promise<void>,
): Promise<boolean> {
  const { writeHead, write, end, on } = res;
  let isDropped = false;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const check = (status: number) => {
    const type = String(res.getHeader("content-type") ?? "");
    if (!res.headersSent && status === 404 && type.startsWith("text/html")) isDropped = true;
    return isDropped;
  };
  res.writeHead = (status: number, ...rest: never[]) =>
    check(status) ? res : writeHead.call(res, status, ...rest);
  res.write = (...chunk: never[]) =>
    check(res.statusCode) ? true : Reflect.apply(write, res, chunk);
  res.end = (...chunk: never[]) => {
    if (!check(res.statusCode)) return Reflect.apply(end, res, chunk);
    finish();
    return res;
  };
  // Next waits until the response was sent, which a dropped one never is.
  await Promise.race([render(), finished]);
  if (!isDropped) return false;
  await finished;
  // Compression has replaced some of them too.
  Object.assign(res, { writeHead, write, end, on });
  return true;
}
