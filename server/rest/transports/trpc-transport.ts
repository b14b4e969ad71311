import type { IncomingMessage, ServerResponse } from "node:http";
import { type AnyTRPCRouter, getTRPCErrorShape, TRPCError } from "@trpc/server";
import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http";
import type { Context, Core } from "@/server/lib/context";
import type { Env } from "@/server/lib/env";
import { AppError, ERRORS } from "@/server/lib/errors";
import { readSessionToken } from "@/server/lib/session-cookie";
import { isFault, toAppError } from "@/server/lib/to-app-error";
import { getClientKey, getRequestIp } from "@/server/rate-limit/client";
import {
  createFixedWindowLimiter,
  type FixedWindowLimiter,
} from "@/server/rate-limit/fixed-window";
import { createRateLimitError } from "@/server/rate-limit/headers";
import type { RestRequest } from "@/server/rest/exchange";
import { readJsonBody } from "@/server/rest/request/json-body";
import {
  getServiceOrigin,
  readRequestInfo,
  resolveRequestId,
} from "@/server/rest/request/request-headers";
import { createSecurityHeaders } from "@/server/rest/response";
import { canLeaveUnread, NodeRequest } from "./node-http";

/** The transport for the service's own pages: the same procedures over the tRPC protocol. */
export interface TrpcTransport {
  /** Serves a request whose path is valid percent-encoding. Never throws. */
  serve(req: IncomingMessage, res: ServerResponse): Promise<void>;
}

const ENDPOINT = "/api/trpc/";
/** A page makes only a few calls at once; a larger batch is not from our pages. */
const MAX_BATCH_SIZE = 10;

export function isTrpcPath(url: string): boolean {
  return url.startsWith(ENDPOINT);
}

const getPath = ({ url }: RestRequest) => url.slice(ENDPOINT.length).split("?", 1)[0] ?? "";

export function createTrpcTransport({
  router,
  core,
}: {
  router: AnyTRPCRouter;
  core: Core;
}): TrpcTransport {
  const { env } = core;
  const commonHeaders = { ...createSecurityHeaders(env), "Cache-Control": "no-store" };
  const limiter = createFixedWindowLimiter({
    policy: "default",
    limit: env.PUBLIC_READS_PER_MINUTE,
  });
  return {
    async serve(req, res) {
      const request = new NodeRequest(req);
      const id = resolveRequestId(request.header("x-request-id"));
      res.setHeaders(new Headers({ ...commonHeaders, "X-Request-Id": id }));
      res.once("close", () => request.release());
      try {
        admit(env, limiter, request);
        Object.assign(req, { body: await readBodyText(request) });
      } catch (error) {
        logFault(core, error);
        if (!canLeaveUnread(req)) res.setHeader("Connection", "close");
        return sendError(res, router, toAppError(error), id);
      }
      void nodeHTTPRequestHandler({
        router,
        req,
        res,
        path: getPath(request),
        maxBatchSize: MAX_BATCH_SIZE,
        createContext: (): Context => ({
          ...core,
          request: {
            ...readRequestInfo(env, request),
            id,
            session: getSession(env, request),
            transport: "trpc",
          },
          reply: {
            header(name, value) {
              // The headers of a streamed response are sent before its procedures run.
              if (!(res.headersSent || name in commonHeaders)) res.setHeader(name, value);
            },
          },
        }),
        onError: ({ error, path }) => logFault(core, error, path),
        responseMeta: ({ errors, type }) => ({ headers: collectErrorHeaders(errors, type) }),
      });
    },
  };
}

/** Throws if the request must be refused before its body is read. */
function admit(env: Env, limiter: FixedWindowLimiter, request: NodeRequest): void {
  checkSameSite(request, getServiceOrigin(env, request.header("host")));
  const client = getClientKey(getRequestIp(env, request));
  const state = limiter.take(client, Date.now(), countCalls(getPath(request)));
  if (state.remaining < 0) throw createRateLimitError(state);
  if (isRead(request) || request.method === "POST") return;
  throw new AppError("method-not-allowed", `${request.method} is not allowed here.`, {
    headers: { Allow: "GET, HEAD, POST" },
  });
}

/**
 * Returns the body as JSON, or undefined for none. It is read before tRPC does, since tRPC accepts forms
 * and byte streams too, and never settles if the connection ends before the body does.
 */
async function readBodyText(request: NodeRequest): Promise<string | undefined> {
  if (isRead(request)) return undefined;
  const body = await readJsonBody(
    {
      hasBody: true,
      header: (name) => request.header(name),
      read: () => request.read(),
    },
    false,
  );
  return body === undefined ? undefined : JSON.stringify(body);
}

/**
 * Returns the session token of the cookie. Returns null for a write without `Origin`, since not
 * every browser sends that header with cross-site requests.
 */
function getSession(env: Env, request: RestRequest): string | null {
  if (!isRead(request) && request.header("origin") === undefined) return null;
  const origin = getServiceOrigin(env, request.header("host"));
  return readSessionToken(origin.startsWith("https:"), request.header("cookie"));
}

function logFault({ log }: Core, error: unknown, path?: string): void {
  if (!isFault(error)) return;
  const cause = error instanceof TRPCError ? (error.cause ?? error) : error;
  log.error({ err: cause, path }, "A page's request failed");
}

/** Sends the error of a request that was refused before any procedure, as tRPC's client expects it. */
function sendError(res: ServerResponse, router: AnyTRPCRouter, refusal: AppError, id: string) {
  const error = getTRPCErrorShape({
    config: router._def._config,
    error: new TRPCError({ code: "BAD_REQUEST", cause: refusal }),
    type: "unknown",
    path: undefined,
    input: undefined,
    ctx: { request: { id } },
  });
  const headers = { "Content-Type": "application/json", ...refusal.headers };
  res.writeHead(ERRORS[refusal.code].status, headers).end(JSON.stringify({ error }));
}

/** Throws `foreign-page` if a browser marks the request as sent by another site's page. */
export function checkSameSite(request: Pick<RestRequest, "header">, ownOrigin: string): void {
  const site = request.header("sec-fetch-site") ?? "none";
  // Browsers send Origin with every cross-site request that could change something. They write it
  // without a path or a default port, and with its host in lower case.
  const origin = request.header("origin") ?? new URL(ownOrigin).origin;
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
function countCalls(path: string): number {
  return Math.min(decodeURIComponent(path).split(",").length, MAX_BATCH_SIZE);
}

const isRead = ({ method }: RestRequest) => method === "GET" || method === "HEAD";

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
