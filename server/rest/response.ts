import type { Reply } from "@/server/lib/context";
import type { Env } from "@/server/lib/env";
import { type AppError, toProblem } from "@/server/lib/errors";
import { EncodedBody } from "./encoded-body";
import type { Endpoint } from "./endpoints";
import type { RestRequest, RestResponse } from "./exchange";
import { JSON_LINES } from "./json-lines";

/** Collects the response headers that procedures add. */
export class ReplyHeaders implements Reply {
  private readonly added: string[] = [];

  /** @param all The response headers, to which procedures add theirs. */
  constructor(readonly all: Record<string, string>) {}

  header(name: string, value: string): void {
    this.all[name] = value;
    this.added.push(name);
  }

  /** Drops all added headers except those of rate limits, for a request that was refused later. */
  keepRateLimitHeaders(): void {
    for (const name of this.added) {
      if (!name.startsWith("RateLimit")) delete this.all[name];
    }
  }
}

type Headers = Record<string, string>;

/**
 * Returns the security headers of responses that are not pages. They keep browsers from sniffing the
 * type, running or framing the response, exposing it to another site without CORS, and sending its
 * URL as the referrer.
 */
export function createSecurityHeaders(env: Pick<Env, "PUBLIC_URL">): Headers {
  return {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    ...createHstsHeader(env),
  };
}

/**
 * Returns a success response. A read that needs no key may be cached but is revalidated each time,
 * which costs a 304 if nothing changed. Any other response is not stored, unless its
 * procedure set `Cache-Control`, and has no entity tag.
 */
export function createSuccessResponse(
  { key, method, status }: Endpoint,
  request: RestRequest,
  headers: Headers,
  body: RestResponse["body"] | EncodedBody,
): RestResponse {
  if (key === "optional") headers.Vary = "X-API-Key, Authorization";
  if (body instanceof EncodedBody) return createReadResponse(request, headers, status, body);
  if (typeof body === "object" && body !== null) {
    headers["Content-Type"] = JSON_LINES;
    headers["Cache-Control"] ??= "no-store";
    if (request.method !== "HEAD") return { status, headers, body };
    void body.return?.();
    return { status, headers, body: null };
  }
  if (headers["Cache-Control"] === undefined) {
    if (method === "GET" && key !== "required" && body !== null) {
      return createReadResponse(request, headers, status, new EncodedBody(body));
    }
    headers["Cache-Control"] = key === "required" ? "private, no-store" : "no-store";
  }
  if (body === null) return { status, headers, body };
  return { status, headers, body: addBody(request, headers, "application/json", body) };
}

/** Returns the response to a read that may be cached. */
function createReadResponse(
  request: RestRequest,
  headers: Headers,
  status: number,
  { text, length, tag }: EncodedBody,
): RestResponse {
  headers["Cache-Control"] = "public, no-cache";
  headers.ETag = tag;
  if (matchesEntityTag(request.header("if-none-match"), tag)) {
    return { status: 304, headers, body: null };
  }
  headers["Content-Type"] = "application/json";
  headers["Content-Length"] = length;
  return { status, headers, body: request.method === "HEAD" ? null : text };
}

/** Returns the problem response (RFC 9457) to a refused request. */
export function createProblemResponse(
  refusal: AppError,
  request: Pick<RestRequest, "url" | "method">,
  headers: Headers,
): RestResponse & { body: string | null } {
  const requestId = headers["X-Request-Id"] ?? "";
  const instance = escapePath(request.url.split("?", 1)[0] ?? "");
  const problem = toProblem(refusal, { instance, requestId });
  Object.assign(headers, refusal.headers, { "Cache-Control": "no-store" });
  const body = JSON.stringify(problem);
  return {
    status: problem.status,
    headers,
    body: addBody(request, headers, "application/problem+json", body),
  };
}

/** Adds the headers of a body. Returns the body to send, which is null for HEAD. */
function addBody(
  { method }: Pick<RestRequest, "method">,
  headers: Headers,
  type: string,
  body: string,
): string | null {
  headers["Content-Type"] = type;
  headers["Content-Length"] = String(Buffer.byteLength(body));
  return method === "HEAD" ? null : body;
}

const FORBIDDEN_IN_PATH = /%(?![0-9A-Fa-f]{2})|[^\w.~!$&'()*+,;=:@/%-]/gu;

/**
 * Escapes a path as sent into a URI reference (RFC 3986): some clients send unescaped characters.
 */
function escapePath(path: string): string {
  return path.toWellFormed().replace(FORBIDDEN_IN_PATH, encodeURIComponent);
}

/** Whether an `If-None-Match` header names `tag`, by weak comparison (RFC 9110, 13.1.2). */
export function matchesEntityTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const tags = header.matchAll(/(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g);
  return header.trim() === "*" || [...tags].some(([, opaque]) => opaque === tag);
}

/**
 * Returns the HSTS header for one year (RFC 6797) if `PUBLIC_URL` is https, else nothing. It does
 * not include subdomains, which may belong to other services.
 */
export function createHstsHeader({ PUBLIC_URL }: Pick<Env, "PUBLIC_URL">): Record<string, string> {
  return PUBLIC_URL?.startsWith("https:")
    ? { "Strict-Transport-Security": "max-age=31536000" }
    : {};
}
