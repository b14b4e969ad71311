import type { IncomingMessage, ServerResponse } from "node:http";
import { isIP } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { AnyTRPCRouter } from "@trpc/server";
import type { Core } from "@/server/lib/context";
import type { Env } from "@/server/lib/env";
import { AppError } from "@/server/lib/errors";
import { isFault, toAppError } from "@/server/lib/to-app-error";
import { getClientKey, getRequestIp } from "@/server/rate-limit/client";
import {
  createFixedWindowLimiter,
  type FixedWindowLimiter,
} from "@/server/rate-limit/fixed-window";
import { createRateLimitError, createRateLimitHeaders } from "@/server/rate-limit/headers";
import { readJsonBody } from "@/server/rest/request/json-body";
import { getServiceOrigin, resolveRequestId } from "@/server/rest/request/request-headers";
import { createProblemResponse, createSecurityHeaders } from "@/server/rest/response";
import type { CallRequest, Rest } from "@/server/rest/rest";
import { NodeRequest } from "@/server/rest/transports/node-http";
import { checkSameSite } from "@/server/rest/transports/trpc-transport";
import { createServerFactory } from "./create-server";

/** The MCP transport: Streamable HTTP without sessions, one server per message. */
export interface McpTransport {
  /** Serves a request. Never throws. */
  serve(req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** Ends the messages in progress. Later ones get a 500. */
  close(): Promise<void>;
}

/** Whether a request target belongs to the MCP transport. */
export const isMcpPath = (url: string) => /^\/mcp\/?(?:\?|$)/.test(url);

/** Creates the MCP transport over the procedures of `rest`, under the same limits. */
export function createMcpTransport(options: {
  rest: Rest;
  router: AnyTRPCRouter;
  core: Core;
}): McpTransport {
  const { env, log } = options.core;
  const commonHeaders = { ...createSecurityHeaders(env), "Cache-Control": "no-store" };
  const limiter = createFixedWindowLimiter({
    policy: "default",
    limit: env.PUBLIC_READS_PER_MINUTE,
  });
  const createServer = createServerFactory(options.rest, options.router, options.core.chain);
  // The SDK passes only the web request to the factory, which lacks the address of the client.
  const callers = new WeakMap<Request, CallRequest>();
  const handler = createMcpHandler(({ requestInfo }) => createServer(getCaller(requestInfo)), {
    onerror: (err) => log.debug({ err }, "An MCP message failed"),
  });
  const createHandle = (caller: CallRequest) =>
    toNodeHandler({
      async fetch(request, options) {
        callers.set(request, caller);
        request.headers.set("Accept", nameMediaTypes(request.headers.get("Accept")));
        const response = await handler.fetch(request, options);
        // Whether the connection stays open is the HTTP server's decision, which may be shutting down.
        response.headers.delete("Connection");
        return response;
      },
    });

  function getCaller(request: Request | undefined): CallRequest {
    const caller = request && callers.get(request);
    if (!caller) throw new Error("an MCP server was created outside of a request");
    return caller;
  }

  return {
    async serve(req, res) {
      const request = new NodeRequest(req);
      const caller = createCaller(request);
      setHeaders(res, { ...commonHeaders, "X-Request-Id": caller.header("x-request-id") ?? "" });
      try {
        setHeaders(res, admit(env, limiter, caller));
        const body = await readJsonBody(request, true);
        if (Array.isArray(body)) {
          throw new AppError(
            "invalid-request",
            "Send one message per request: batches are refused.",
          );
        }
        await createHandle(caller)(req, res, dropNullArguments(body));
      } catch (error) {
        const refusal = toAppError(error);
        if (isFault(error)) log.error({ err: error }, "An MCP request failed");
        if (res.headersSent) return void res.destroy();
        const { status, headers, body } = createProblemResponse(refusal, caller, {
          "X-Request-Id": caller.header("x-request-id") ?? "",
          ...(req.complete ? {} : { Connection: "close" }),
        });
        res.writeHead(status, headers).end(body);
      } finally {
        request.release();
      }
    },
    close: () => handler.close(),
  };
}

/** Counts a message, and returns the headers of its limit. Throws if it must be refused unread. */
function admit(env: Env, limiter: FixedWindowLimiter, caller: CallRequest): Record<string, string> {
  const host = caller.header("host");
  checkHost(env, host);
  checkSameSite(caller, getServiceOrigin(env, host));
  const state = limiter.take(getClientKey(getRequestIp(env, caller)), Date.now());
  if (state.remaining < 0) throw createRateLimitError(state);
  if (caller.method === "POST") return createRateLimitHeaders(state);
  throw new AppError("method-not-allowed", "MCP messages are sent by POST.", {
    headers: { ...createRateLimitHeaders(state), Allow: "POST" },
  });
}

/**
 * Returns the header `Accept` with names in place of wildcards, which the SDK doesn't know. A client
 * without the header accepts everything (RFC 9110, 12.5.1).
 */
const nameMediaTypes = (accept: string | null) =>
  (accept || "*/*")
    .replace("*/*", "application/*, text/*")
    .replace("application/*", "application/json")
    .replace("text/*", "text/event-stream");

/** Returns the message without `"arguments": null`, which some clients send for none. */
function dropNullArguments(message: unknown): unknown {
  const { params } = Object(message) as { params?: { arguments?: unknown } | null };
  if (params?.arguments !== null) return message;
  return { ...Object(message), params: { ...params, arguments: {} } };
}

/** Returns what procedures see of the request. Its id is the same in the response and in problems. */
function createCaller(request: NodeRequest): CallRequest {
  const { method, url, peer } = request;
  const id = resolveRequestId(request.header("x-request-id"));
  return {
    method,
    url,
    peer,
    header: (name) => (name === "x-request-id" ? id : request.header(name)),
  };
}

function setHeaders(res: ServerResponse, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}

/**
 * Throws `foreign-page` unless the `Host` header names this service. A page whose own name resolves to
 * this machine (DNS rebinding) can make a browser call it without being another site. An address
 * can't be rebound. Behind trusted proxies, the proxy routes by the name that it serves.
 */
function checkHost(
  env: Pick<Env, "PUBLIC_URL" | "HOST" | "TRUSTED_PROXIES">,
  host: string | undefined,
): void {
  if (host === undefined || env.TRUSTED_PROXIES > 0) return;
  const name = new URL(`http://${host}`).hostname;
  const own = env.PUBLIC_URL && new URL(env.PUBLIC_URL).hostname;
  const isAddress = name.startsWith("[") || isIP(name) === 4;
  if (isAddress || name === "localhost" || name === own || name === env.HOST.toLowerCase()) return;
  throw new AppError(
    "foreign-page",
    "The header Host does not name this service. If it should, set PUBLIC_URL to the service's address.",
  );
}
