import { hash } from "node:crypto";
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";
import { Parser } from "htmlparser2";
import { LRUCache } from "lru-cache";
import {
  type ContentCoding,
  compress,
  MIN_COMPRESSED,
  selectCoding,
} from "@/server/lib/content-coding";
import { hasSessionCookie, readCookie } from "@/server/lib/session-cookie";
import { computeEntityTag } from "@/server/rest/encoded-body";
import { matchesEntityTag } from "@/server/rest/response";
import type { ServePage } from "./compressed-files";
import { findNonce } from "./page-policy";
import { createPageRenderer, type RenderedPage, type RenderPage } from "./render-page";

/** How old a shared page may be, from the start of its rendering. */
export const PAGE_TTL_MS = 2_000;

const MAX_BYTES = 32 * 1024 * 1024;

/** Inline scripts of a page, each with a hash in its policy. Pages have three. */
const MAX_INLINE_SCRIPTS = 20;

export interface PublicPages {
  /**
   * Returns the query parameters that the page at a path reads, or null if it does not look the same
   * to all signed-out visitors.
   */
  findParameters(path: string): readonly string[] | null;
  /** The one cookie that changes public pages, and the values that do. */
  variant: { cookie: string; values: readonly string[] };
}

/** What a shared page depends on. */
interface PageRequest {
  host: string;
  /** Path, and the query parameters that the page reads, in one order. */
  path: string;
  /** The `Cookie` header of its variant, or an empty string. */
  cookie: string;
}

/**
 * Serves public pages to signed-out visitors from memory, for `PAGE_TTL_MS`. Visitors who ask for a
 * page while it is rendered wait for the same result. It is rendered for a request without anything
 * of theirs, so it cannot contain anything private. All other requests reach `pages` as they are; so
 * do requests whose result cannot be shared, such as an error of the server.
 *
 * @param clock Returns milliseconds above 0; tests replace it.
 */
export function cachePages(
  pages: ServePage,
  options: PublicPages,
  clock = () => performance.now(),
): ServePage {
  const render = createPageRenderer(pages);
  const cache = new LRUCache<string, SharedPage, PageRequest>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ size }, key) => size + key.length,
    ttl: PAGE_TTL_MS,
    ttlResolution: 0,
    perf: { now: clock },
    // Those who wait get the page even if it was evicted while it was rendered.
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { context, options: entry }) => {
      const started = clock();
      const page = await renderShared(render, context);
      entry.ttl = Math.max(1, PAGE_TTL_MS - (clock() - started));
      return page;
    },
  });
  return async (req, res) => {
    const context = findPageRequest(req, options);
    if (!context) return pages(req, res);
    const key = JSON.stringify(context);
    const page = cache.get(key) ?? (await cache.fetch(key, { context }).catch(() => undefined));
    return page ? page.send(req, res) : pages(req, res);
  };
}

/** Returns what the requested page depends on, or null if the request must not get a shared page. */
function findPageRequest(
  { method, headers, url = "/" }: IncomingMessage,
  { findParameters, variant }: PublicPages,
): PageRequest | null {
  const { host, rsc, cookie } = headers;
  const queryAt = url.indexOf("?");
  const path = queryAt < 0 ? url : url.slice(0, queryAt);
  if (method !== "GET" && method !== "HEAD") return null;
  // Next's own requests get a part of a page that depends on the page before.
  if (host === undefined || rsc !== undefined || hasSessionCookie(cookie)) return null;
  const parameters = findParameters(path);
  if (!parameters) return null;
  const value = readCookie(cookie, variant.cookie) ?? "";
  return {
    host,
    path: queryAt < 0 ? path : path + pickQuery(url.slice(queryAt + 1), parameters),
    cookie: variant.values.includes(value) ? `${variant.cookie}=${value}` : "",
  };
}

/** As many agents as a form with boxes to tick sends to compare. */
const MAX_REPEATED = 4;

/** Returns the query of these parameters only: any other would render the same page again. */
function pickQuery(query: string, parameters: readonly string[]): string {
  const sent = new URLSearchParams(query);
  const picked = new URLSearchParams();
  for (const name of parameters) {
    for (const value of sent.getAll(name).slice(0, MAX_REPEATED)) picked.append(name, value);
  }
  return picked.size > 0 ? `?${picked}` : "";
}

/** Renders a page to share. Returns undefined if the result must not be shared. */
async function renderShared(
  render: RenderPage,
  { host, path, cookie }: PageRequest,
): Promise<SharedPage | undefined> {
  const rendered = await render(path, { host, ...(cookie ? { cookie } : {}) });
  const page = replaceNonce(rendered);
  if (!isShareable(rendered) || !page || page.inlineScripts > MAX_INLINE_SCRIPTS) return undefined;
  const headers = {
    ...page.headers,
    // Browsers may keep it, but ask each time whether it changed. A proxy that rewrites pages, for
    // example to add a script, would make the policy block their scripts.
    "cache-control": "private, no-cache, no-transform",
    vary: "Accept, Accept-Encoding, Cookie, RSC",
  };
  return new SharedPage(rendered.status, headers, page.html);
}

/** Whether all visitors may get this response: a page, a redirect, or a 404. */
function isShareable({ status, headers }: RenderedPage): boolean {
  if (status >= 500 || headers["set-cookie"]) return false;
  return status !== 200 || headers["content-type"]?.startsWith("text/html") === true;
}

/** Headers that belong to one connection, or to the body in one coding. */
const NOT_SHARED =
  /^(connection|keep-alive|transfer-encoding|date|content-length|content-encoding|etag)$/;

/** A body in one coding, with its headers. */
interface EncodedPage {
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/** A rendered page, ready to send to any number of visitors. */
class SharedPage {
  /** Bytes that it occupies at most: the compressed bodies together are smaller than the body. */
  readonly size: number;
  private readonly tag: string;
  private readonly plain: EncodedPage;
  private readonly compressed = new Map<ContentCoding, Promise<EncodedPage>>();

  /** @param headers Those of its response, with names in lower case. */
  constructor(
    private readonly status: number,
    headers: IncomingHttpHeaders,
    html: string,
  ) {
    const body = Buffer.from(html);
    this.size = 2 * body.length;
    this.tag = computeEntityTag(html);
    const shared = Object.entries(headers).filter(([name]) => !NOT_SHARED.test(name));
    // The entity tag is weak, since all codings share it.
    this.plain = withLength({ ...Object.fromEntries(shared), etag: `W/${this.tag}` }, body);
  }

  /** Sends it in the best coding that the client accepts, or a 304 if the client has it. */
  async send(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (this.status === 200 && matchesEntityTag(req.headers["if-none-match"], this.tag)) {
      const { "content-length": _, ...headers } = this.plain.headers;
      res.writeHead(304, headers).end();
      return;
    }
    const accepted = selectCoding(req.headers["accept-encoding"]?.toString());
    const isSmall = this.plain.body.length < MIN_COMPRESSED;
    const { headers, body } = isSmall || !accepted ? this.plain : await this.encode(accepted);
    res.writeHead(this.status, headers).end(body);
  }

  private encode(coding: ContentCoding): Promise<EncodedPage> {
    let encoded = this.compressed.get(coding);
    if (!encoded) {
      encoded = compress(coding, this.plain.body).then((body) =>
        withLength({ ...this.plain.headers, "content-encoding": coding }, body),
      );
      this.compressed.set(coding, encoded);
    }
    return encoded;
  }
}

const withLength = (headers: OutgoingHttpHeaders, body: Buffer): EncodedPage => ({
  headers: { ...headers, "content-length": body.length },
  body,
});

interface PageWithoutNonce extends Omit<RenderedPage, "status"> {
  /** Number of inline scripts that the policy allows. */
  inlineScripts: number;
}

/**
 * Makes a rendered page independent of the nonce in its content security policy, so that many
 * visitors can get the same bytes: the policy gets the hash of each inline script that carries the
 * nonce. A script without it, such as one in injected markup, gets no hash and so stays blocked.
 * Next writes each page's data into its scripts, so the hashes can't be known before.
 * Returns null if the policy has no nonce.
 */
function replaceNonce({ headers, html }: RenderedPage): PageWithoutNonce | null {
  const { "content-security-policy": policy, link, ...others } = headers;
  const nonce = findNonce(policy);
  if (nonce === null) return null;
  const removeNonce = (text: string) => text.replaceAll(nonce, "");
  const hashes = listTrustedScripts(html, nonce).map(
    (script) => `'sha256-${hash("sha256", removeNonce(script), "base64")}'`,
  );
  return {
    headers: {
      ...others,
      ...(link ? { link: removeNonce(String(link)) } : {}),
      "content-security-policy": String(policy).replace(`'nonce-${nonce}'`, hashes.join(" ")),
    },
    html: removeNonce(html),
    inlineScripts: hashes.length,
  };
}

/** Returns the texts of the inline scripts that carry the nonce. */
function listTrustedScripts(html: string, nonce: string): string[] {
  const scripts: string[] = [];
  let isTrusted = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      isTrusted = name === "script" && attributes.nonce === nonce && attributes.src === undefined;
      if (isTrusted) scripts.push("");
    },
    ontext(text) {
      if (isTrusted) scripts.push((scripts.pop() ?? "") + text);
    },
    onclosetag() {
      isTrusted = false;
    },
  });
  parser.end(html);
  return scripts;
}
