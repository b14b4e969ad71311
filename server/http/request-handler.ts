import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Runtime } from "@/server/bootstrap/boot";
import { AppError } from "@/server/lib/errors";
import { isMcpPath } from "@/server/mcp/mcp-transport";
import { createProxyWarning } from "@/server/rate-limit/client";
import { BASE_PATH } from "@/server/rest/exchange";
import {
  isDecodablePath,
  normalizeRequestTarget,
  resolveRequestId,
} from "@/server/rest/request/request-headers";
import { createProblemResponse, createSecurityHeaders } from "@/server/rest/response";
import { isInngestPath } from "@/server/rest/transports/inngest-transport";
import { isRestPath, readHeader, serveRest } from "@/server/rest/transports/node-http";
import { isTrpcPath } from "@/server/rest/transports/trpc-transport";
import type { ServePage } from "./compressed-files";
import { type PageLimit, refusePageRequest } from "./page-limit";
import { NO_ORIGINS, type PagePolicyOptions, setPagePolicy } from "./page-policy";

/**
 * Returns the error in the version or the `Host` of a request, or null. Node's parser treats a
 * request line without a version as HTTP/0.9, accepts HTTP/2.0, and keeps the first of two hosts,
 * although a proxy may have routed by the second (RFC 9112, section 3.2: 400).
 */
export function findRequestHeadError({
  httpVersion,
  headers,
  rawHeaders,
}: IncomingMessage): string | null {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") {
    return "The request line must end with HTTP/1.1 or HTTP/1.0.";
  }
  const { host } = headers;
  if (host === undefined) {
    return httpVersion === "1.0" ? null : "An HTTP/1.1 request needs the header Host.";
  }
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name));
  if (hosts.length > 1) return "The header Host must be sent once.";
  if (!AUTHORITY.test(host) || !URL.canParse(`http://${host}`)) {
    return "The header Host must be a host name or an IP address, optionally with a port.";
  }
  return null;
}

const AUTHORITY = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

/**
 * Sends a 400 and closes the connection: the client may disagree with us on where the request ends.
 */
export function refuseRequest(
  req: IncomingMessage,
  res: ServerResponse,
  detail: string,
  commonHeaders: Record<string, string>,
): void {
  const headers = { ...commonHeaders, Connection: "close" };
  sendProblem(req, res, new AppError("invalid-request", detail), headers);
}

function sendProblem(
  req: IncomingMessage,
  res: ServerResponse,
  error: AppError,
  commonHeaders: Record<string, string>,
): void {
  const { url = "/", method = "GET" } = req;
  const id = resolveRequestId(readHeader(req, "x-request-id"));
  const { status, headers, body } = createProblemResponse(
    error,
    { url, method },
    { "X-Request-Id": id, ...createSecurityHeaders({}), ...commonHeaders },
  );
  res.writeHead(status, headers).end(body);
}

const API_PATH = /^(?:https?:\/\/[^/?#]*)?(\/api(?:\/[^?#]*)?)(?:[?#]|$)/i;
const METRICS_PATH = "/api/metrics";

/** The methods of paths below /api that no other transport serves. */
const API_METHODS: Record<string, string> = {
  "/api/health": "GET, HEAD, OPTIONS",
  "/api/inngest": "GET, HEAD, POST, PUT, OPTIONS",
  [METRICS_PATH]: "GET, HEAD",
};

/** Returns why a path below /api that no other transport serves can't be served, or null. */
function findApiError(url: string, method: string, hasInngest: boolean): AppError | null {
  const path = API_PATH.exec(url)?.[1]?.replace(/\/$/, "");
  if (path === undefined) return null;
  const allow = Object.hasOwn(API_METHODS, path) ? API_METHODS[path] : undefined;
  if (allow === undefined || (path === "/api/inngest" && !hasInngest)) {
    const detail = `There is no such path. GET ${BASE_PATH}/openapi.json has all of the API.`;
    return new AppError("not-found", detail);
  }
  if (allow.split(", ").includes(method)) return null;
  const headers = { Allow: allow };
  return new AppError("method-not-allowed", `This path allows ${allow}.`, { headers });
}

/**
 * Returns the request handler of the process, which routes to the REST, tRPC or MCP
 * transport, the metrics, or Next. `policy` adds the policy headers to Next's pages, `limit`
 * bounds the pages a client gets, and `cache` may respond with a page that was rendered before.
 */
export function createRequestHandler(
  {
    rest,
    trpc,
    metrics,
    mcp,
    inngest = null,
    core,
  }: Pick<Runtime, "rest" | "trpc" | "metrics"> &
    Partial<Pick<Runtime, "mcp" | "inngest" | "core">>,
  pages: ServePage,
  policy: PagePolicyOptions = { ownerPages: NO_ORIGINS, verifyPage: NO_ORIGINS, headers: {} },
  limit: PageLimit = () => null,
  cache: (pages: ServePage) => ServePage = (pages) => pages,
): RequestListener {
  const warnOfProxy = core && createProxyWarning(core);
  const servePage = cache((req, res) => {
    setPagePolicy(req, res, policy);
    return pages(req, res);
  });
  return (req, res) => {
    const error = findRequestHeadError(req);
    if (error) return refuseRequest(req, res, error, policy.headers);
    warnOfProxy?.(req.headers);
    req.url = normalizeRequestTarget(req.url ?? "/");
    // Tools look for the document at the root of the site.
    if (req.url === "/openapi.json") req.url = `${BASE_PATH}/openapi.json`;
    selectMarkdown(req, res);
    if (isRestPath(req.url)) void serveRest(rest, req, res);
    else if (!isDecodablePath(req.url)) {
      refuseRequest(
        req,
        res,
        "The request target must be a path in percent-encoded UTF-8.",
        policy.headers,
      );
    } else if (isTrpcPath(req.url)) void trpc.serve(req, res);
    else if (mcp && isMcpPath(req.url)) void mcp.serve(req, res);
    else {
      const error = findApiError(req.url, req.method ?? "GET", inngest !== null);
      if (error) return sendProblem(req, res, error, policy.headers);
      if (req.url === METRICS_PATH) {
        void serveMetrics(metrics, req, res, policy.headers);
        return;
      }
      const exceeded = limit(req);
      if (exceeded) {
        refusePageRequest(res, exceeded, policy.headers);
        return;
      }
      // A call sends no bytes until its steps have finished.
      if (inngest && isInngestPath(req.url)) req.socket.setTimeout(0);
      void servePage(req, res);
    }
  };
}

const OPERATION_PAGE = /^\/docs\/operations\/([\w-]+)(\.md)?(?:$|\?)/;
const MARKDOWN = /(?:^|,)\s*text\/markdown\s*(?:$|,|;\s*q=(?:1|0\.\d*[1-9]))/i;

/** Sends a request for a page of the API reference as Markdown to where Next serves that. */
function selectMarkdown(req: IncomingMessage, res: ServerResponse): void {
  const [, id, extension] = OPERATION_PAGE.exec(req.url ?? "") ?? [];
  if (!id) return;
  if (!extension) res.setHeader("Vary", "Accept");
  if (extension || MARKDOWN.test(req.headers.accept ?? "")) req.url = `/docs.md/${id}`;
}

async function serveMetrics(
  metrics: Runtime["metrics"],
  req: IncomingMessage,
  res: ServerResponse,
  commonHeaders: Record<string, string>,
): Promise<void> {
  const { status, headers, body } = await metrics(req.headers.authorization);
  if (status >= 400) {
    const error = new AppError(status === 401 ? "unauthenticated" : "not-found", body, { headers });
    return sendProblem(req, res, error, commonHeaders);
  }
  res.writeHead(status, { ...createSecurityHeaders({}), ...commonHeaders, ...headers }).end(body);
}
