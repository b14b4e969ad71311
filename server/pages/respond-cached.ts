import { randomUUID } from "node:crypto";
import type { AppError } from "@/server/lib/errors";
import { computeEntityTag } from "@/server/rest/encoded-body";
import { createProblemResponse, matchesEntityTag } from "@/server/rest/response";

interface CachedBody {
  body: string | Uint8Array<ArrayBuffer>;
  contentType: string;
  /** How long caches may keep it. */
  maxAgeSeconds: number;
  /** When the content last changed, if it is known. */
  lastModified?: Date;
  headers?: Record<string, string>;
}

/**
 * Responds with a cacheable body, or with 304 if the client has it (RFC 9110, section 13): by entity
 * tag, else by date.
 */
export function respondCached(request: Request, cached: CachedBody): Response {
  const { body, contentType, maxAgeSeconds, lastModified } = cached;
  const etag = computeEntityTag(body);
  const headers = {
    "Content-Type": contentType,
    "Cache-Control": `public, max-age=${maxAgeSeconds}`,
    ETag: etag,
    ...(lastModified ? { "Last-Modified": lastModified.toUTCString() } : {}),
    ...cached.headers,
  };
  return isCurrent(request.headers, etag, lastModified)
    ? new Response(null, { status: 304, headers })
    : new Response(body, { headers });
}

/**
 * Responds with a document for programs, which any site may read. Caches may keep it for five minutes.
 * @param type Media type without a charset; the text is sent as UTF-8.
 */
export function respondText(request: Request, body: string, type: string): Response {
  return respondCached(request, {
    body,
    contentType: type.startsWith("text/") ? `${type}; charset=utf-8` : type,
    maxAgeSeconds: 300,
    headers: { "Access-Control-Allow-Origin": "*" },
  });
}

/** Responds with a problem (RFC 9457) in place of a document for programs. */
export function respondProblem({ method, url }: Request, error: AppError): Response {
  const { status, headers, body } = createProblemResponse(
    error,
    { method, url: new URL(url).pathname },
    { "X-Request-Id": randomUUID(), "Access-Control-Allow-Origin": "*" },
  );
  return new Response(body, { status, headers });
}

function isCurrent(headers: Headers, etag: string, lastModified?: Date): boolean {
  const known = headers.get("if-none-match");
  if (known !== null) return matchesEntityTag(known, etag);
  const since = Date.parse(headers.get("if-modified-since") ?? "");
  if (!lastModified || Number.isNaN(since)) return false;
  // The header has whole seconds.
  return Math.floor(lastModified.getTime() / 1000) <= Math.floor(since / 1000);
}
