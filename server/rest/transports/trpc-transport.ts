import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { type AnyTRPCRouter, getTRPCErrorShape, TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import type { Context, Core, RequestInfo } from "@/server/lib/context";
import { AppError, ERRORS } from "@/server/lib/errors";
import { readSessionToken } from "@/server/lib/session-cookie";
import { isFault, toAppError } from "@/server/lib/to-app-error";
import { getClientIp, getClientKey } from "@/server/rate-limit/client";
import { createFixedWindowLimiter } from "@/server/rate-limit/fixed-window";
import { createRateLimitError } from "@/server/rate-limit/headers";
import { readJsonBody } from "@/server/rest/request/json-body";
import { bodyBudget, readBody } from "@/server/rest/request/read-body";
import {
  getServiceOrigin,
  isDecodablePath,
  readApiKey,
  resolveRequestId,
} from "@/server/rest/request/request-headers";
import { createSecurityHeaders } from "@/server/rest/response";
import { readChunks, readHeader } from "./node-http";

/** The transport for the service's own pages: the same procedures over the tRPC protocol. */
export interface TrpcTransport {
  serve(req: IncomingMessage, res: ServerResponse): Promise<void>;
  respond(request: Request): Promise<Response>;
}

const ENDPOINT = "/api/trpc";
/** A page makes only a few calls at once; a larger batch is not from our pages. */
const MAX_BATCH_SIZE = 10;

export function isTrpcPath(url: string): boolean {
  return url.startsWith(`${ENDPOINT}/`);
}

/** A request, independent of the server that received it. */
interface TrpcRequest {
  method: string;
  url: URL;
  headers: Headers;
  /** The remote address of the connection; null if the server does not expose it. */
  peer: string | null;
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  signal: AbortSignal;
}

export function createTrpcTransport({
  router,
  core,
}: {
  router: AnyTRPCRouter;
  core: Core;
}): TrpcTransport {
  const { env, log } = core;
  const commonHeaders = { ...createSecurityHeaders(env), "Cache-Control": "no-store" };
  const limiter = createFixedWindowLimiter({
    policy: "default",
    limit: env.PUBLIC_READS_PER_MINUTE,
  });

  const getIp = ({ headers, peer }: TrpcRequest) =>
    getClientIp(peer, headers.get("x-forwarded-for") ?? undefined, env.TRUSTED_PROXIES);

  const getOrigin = ({ headers }: TrpcRequest) =>
    getServiceOrigin(env, headers.get("host") ?? undefined);

  /** Throws if the request must be refused before any procedure runs. */
  function checkRequest(request: TrpcRequest): void {
    const { method, url, headers } = request;
    checkSameSite(headers, getOrigin(request));
    const client = getClientKey(getIp(request));
    const state = limiter.take(client, Date.now(), countCalls(url.pathname));
    if (state.remaining < 0) throw createRateLimitError(state);
    if (!isRead(method) && method !== "POST") {
      throw new AppError("method-not-allowed", `${method} is not allowed here.`, {
        headers: { Allow: "GET, HEAD, POST" },
      });
    }
    if (!isDecodablePath(url.pathname)) {
      throw new AppError("invalid-request", "The path is not valid percent-encoded UTF-8.");
    }
  }

  /**
   * Returns the session token of the cookie. Returns null for a write without `Origin`, since not
   * every browser sends that header with cross-site requests.
   */
  function getSession(request: TrpcRequest): string | null {
    const { method, headers } = request;
    if (!isRead(method) && !headers.has("origin")) return null;
    const isHttps = getOrigin(request).startsWith("https:");
    return readSessionToken(isHttps, headers.get("cookie") ?? undefined);
  }

  function createContext(
    request: TrpcRequest,
    { id, apiKey }: Pick<RequestInfo, "id" | "apiKey">,
    replyHeaders: Headers,
  ): Context {
    const { headers } = request;
    return {
      ...core,
      request: {
        id,
        ip: getIp(request),
        origin: getOrigin(request),
        apiKey,
        session: getSession(request),
        claimedWallet: headers.get("x-wallet-address"),
        idempotencyKey: headers.get("idempotency-key"),
        transport: "trpc",
      },
      reply: { header: (name, value) => replyHeaders.set(name, value) },
    };
  }

  /**
   * Returns the request for tRPC. Its body is parsed once, here: tRPC accepts forms and byte streams
   * too, and never settles if the connection ends before the body does.
   */
  async function parseRequest({ method, url, headers, body, signal }: TrpcRequest) {
    const parsed = new Request(url, { method, headers, signal });
    if (isRead(method)) return parsed;
    const reservation = bodyBudget.open();
    try {
      const json = await readJsonBody(
        {
          hasBody: true,
          header: (name) => headers.get(name) ?? undefined,
          read: () => readBody(body, headers.get("content-length"), reservation),
        },
        false,
      );
      return json === undefined ? parsed : Object.assign(parsed, { json: async () => json });
    } finally {
      reservation.release();
    }
  }

  async function handle(request: TrpcRequest): Promise<Response> {
    const replyHeaders = new Headers();
    const header = (name: string) => request.headers.get(name) ?? undefined;
    const id = resolveRequestId(header("x-request-id"));
    let response: Response;
    try {
      checkRequest(request);
      const apiKey = readApiKey({ header });
      response = await fetchRequestHandler({
        router,
        endpoint: ENDPOINT,
        maxBatchSize: MAX_BATCH_SIZE,
        req: await parseRequest(request),
        createContext: () => createContext(request, { id, apiKey }, replyHeaders),
        onError: ({ error, path }) => logFault(error, path),
        responseMeta: ({ errors, type }) => ({ headers: collectErrorHeaders(errors, type) }),
      });
    } catch (error) {
      logFault(error);
      response = createErrorResponse(router, toAppError(error), id);
    }
    if (!response.ok && request.method !== "HEAD") response = await addProblem(response);
    response.headers.set("X-Request-Id", id);
    // The headers of a streamed response are sent before its procedures run.
    for (const [name, value] of replyHeaders) {
      if (!response.headers.has(name)) response.headers.append(name, value);
    }
    for (const [name, value] of Object.entries(commonHeaders)) response.headers.set(name, value);
    return response;
  }

  function logFault(error: unknown, path?: string): void {
    if (!isFault(error)) return;
    const cause = error instanceof TRPCError ? (error.cause ?? error) : error;
    log.error({ err: cause, path }, "A page's request failed");
  }

  return {
    async serve(req, res) {
      const aborted = new AbortController();
      res.once("close", () => aborted.abort());
      try {
        const response = await handle({
          method: req.method ?? "GET",
          url: new URL(req.url ?? "/", "http://localhost"),
          headers: toHeaders(req),
          peer: req.socket.remoteAddress ?? null,
          body: readChunks(req),
          signal: aborted.signal,
        });
        res.statusCode = response.status;
        res.setHeaders(response.headers);
        if (!req.complete) res.setHeader("Connection", "close");
        if (response.body) await pipeline(response.body, res);
        else res.end();
      } catch {
        // `handle` never throws, so writing to the connection failed.
        res.destroy();
      }
    },
    respond(request) {
      const { method, headers, signal } = request;
      const url = new URL(request.url);
      return handle({ method, url, headers, peer: null, body: request.body ?? [], signal });
    },
  };
}

/** Throws `foreign-page` if a browser marks the request as sent by another site's page. */
export function checkSameSite(headers: Headers, ownOrigin: string): void {
  const site = headers.get("sec-fetch-site") ?? "none";
  // Browsers send Origin with every cross-site request that could change something. They write it
  // without a path or a default port, and with its host in lower case.
  const origin = headers.get("origin") ?? new URL(ownOrigin).origin;
  if (!["same-origin", "none"].includes(site) || origin !== new URL(ownOrigin).origin) {
    throw new AppError(
      "foreign-page",
      "Pages of other sites cannot make this request. If this page is the service's own, its operator must set PUBLIC_URL to the address that the browser shows.",
    );
  }
}

/**
 * Counts the calls in a batch request, so that the limit on reads counts each of them. An escaped
 * comma counts too: tRPC decodes the path before it splits it.
 */
function countCalls(pathname: string): number {
  const path = isDecodablePath(pathname) ? decodeURIComponent(pathname) : pathname;
  return Math.min(path.split(",").length, MAX_BATCH_SIZE);
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

function toHeaders(req: IncomingMessage): Headers {
  return new Headers(
    Object.keys(req.headers).map((name): [string, string] => [name, readHeader(req, name) ?? ""]),
  );
}

function collectErrorHeaders(errors: TRPCError[], type: string): Headers {
  const headers = new Headers();
  for (const error of errors) {
    if (error.code === "METHOD_NOT_SUPPORTED") {
      headers.set("Allow", type === "query" ? "GET, HEAD" : "POST");
    }
    const { headers: errorHeaders } = toAppError(error);
    for (const [name, value] of Object.entries(errorHeaders)) headers.set(name, value);
  }
  return headers;
}

/** Returns the response to a request refused before any procedure, in the format of tRPC's client. */
function createErrorResponse(router: AnyTRPCRouter, refusal: AppError, id: string): Response {
  const error = getTRPCErrorShape({
    config: router._def._config,
    error: new TRPCError({ code: "BAD_REQUEST", cause: refusal }),
    type: "unknown",
    path: undefined,
    input: undefined,
    ctx: { request: { id } },
  });
  return Response.json(
    { error },
    { status: ERRORS[refusal.code].status, headers: refusal.headers },
  );
}

/**
 * Returns the response to a call that failed as a problem document, with the member `error` that
 * tRPC's client reads. A batch stays an array.
 */
async function addProblem(response: Response): Promise<Response> {
  const body = await response.json();
  const { status, headers } = response;
  if (Array.isArray(body)) return Response.json(body, { status, headers });
  const { httpStatus: _, ...problem } = body.error.data;
  headers.set("Content-Type", "application/problem+json");
  return Response.json({ ...problem, error: body.error }, { status, headers });
}
