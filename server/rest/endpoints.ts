import { type AnyTRPCRouter, callTRPCProcedure } from "@trpc/server";
import findMyWay from "find-my-way";
import type { Context } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { jsonPointer } from "@/server/lib/to-app-error";
import { type EncodedBody, encodeOnce } from "./encoded-body";
import { BASE_PATH, type RestRequest, type RestResponse } from "./exchange";
import { assembleInput, createPointerMapper, parseQuery } from "./input";
import { streamJsonLines } from "./json-lines";
import { isDecodablePath } from "./request/request-headers";
import type { Route, RouteMeta } from "./routes";

/**
 * Headers of every public endpoint's responses: any site's scripts may read them, without
 * credentials.
 */
export const CORS_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "RateLimit, RateLimit-Policy, Retry-After, ETag, Location, X-Request-Id",
} as const;

/**
 * Returns the preflight headers for the public methods of a path (Fetch standard, CORS protocol).
 */
function createPreflightHeaders(methods: string[]): Record<string, string> {
  return {
    ...CORS_HEADERS,
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers":
      "Content-Type, If-None-Match, Idempotency-Key, X-Wallet-Address, X-Request-Id, traceparent",
    "Access-Control-Max-Age": "7200",
  };
}

/** All endpoints of one path. */
interface Resource {
  /** By method; GET also serves HEAD. */
  endpoints: ReadonlyMap<string, Endpoint>;
  /** The value of `Allow`. */
  allow: string;
  /** Headers of the response to OPTIONS. */
  options: Record<string, string>;
}

interface Match {
  resource: Resource;
  params: Record<string, string | undefined>;
  /** The query string without its question mark. */
  query: string;
}

/**
 * Creates a function that finds the resource of a request target. All methods share one tree, to
 * distinguish a path that lacks the method from one that does not exist (RFC 9110). The function
 * throws an `AppError`: `not-found`, or `invalid-request` for a malformed escape.
 */
export function createResourceFinder(endpoints: Endpoint[]): (url: string) => Match {
  const byPath = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    byPath.set(endpoint.path, [...(byPath.get(endpoint.path) ?? []), endpoint]);
  }
  const tree = findMyWay({ maxParamLength: 65_536 });
  for (const [path, sharing] of byPath) {
    tree.on("GET", path.replace(/\{(\w+)\}/g, ":$1"), unusedHandler, createResource(sharing));
  }
  return (url) => {
    const target = url.startsWith("/") ? url : toOriginForm(url);
    const mark = target.indexOf("?");
    const sent = target.slice(BASE_PATH.length, mark === -1 ? undefined : mark);
    // Clients join a base URL that ends in a slash with a path that begins with one.
    const path = sent.replace(/^\/+/, "/") || "/";
    if (!isDecodablePath(path)) {
      throw new AppError("invalid-request", "The path is not valid percent-encoding.", {
        errors: [{ pointer: "#/path", detail: "is not valid percent-encoding", code: "encoding" }],
      });
    }
    const found = tree.find("GET", path);
    if (!found) {
      throw new AppError(
        "not-found",
        `There is no such path. GET ${BASE_PATH}/openapi.json has all of them.`,
      );
    }
    const query = mark === -1 ? "" : target.slice(mark + 1);
    return { resource: found.store as Resource, params: found.params, query };
  };
}

function createResource(endpoints: Endpoint[]): Resource {
  const listMethods = (listed: Endpoint[]) =>
    listed.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  const allow = [...listMethods(endpoints), "OPTIONS"].join(", ");
  const crossOrigin = endpoints.filter((endpoint) => endpoint.allowsCrossOrigin);
  return {
    endpoints: new Map(endpoints.map((endpoint) => [endpoint.method, endpoint])),
    allow,
    options: {
      Allow: allow,
      ...(crossOrigin.length > 0 ? createPreflightHeaders(listMethods(crossOrigin)) : {}),
    },
  };
}

/**
 * Returns path and query of an absolute-form target, which servers must accept (RFC 9112, 3.2.2).
 */
function toOriginForm(url: string): string {
  return /^https?:\/\/[^/?#]*(.*)$/i.exec(url)?.[1] ?? url;
}

/** find-my-way requires a handler, but only its `store` is used. */
function unusedHandler() {}

/** One method of one path, with everything that can be computed before a request. */
export interface Endpoint extends Pick<RouteMeta, "method" | "path" | "status" | "key"> {
  /** Whether any site's scripts may use it: it takes no key, or is a public read. */
  allowsCrossOrigin: boolean;
  /** Whether the limit on public reads counts it: it requires no key and has no rate limit of its own. */
  isPublicRead: boolean;
  /** Returns the pointer to the part of the request that a path into the input came from. */
  toPointer(path: readonly PropertyKey[]): string;
  /** Runs it. Returns the response body, whole or as a stream of JSON Lines; null for none. */
  run(call: EndpointCall): Promise<RestResponse["body"] | EncodedBody>;
}

/**
 * The plain handler of a hot read that needs no key: returns the result for these path parameters,
 * which must not change afterwards. A procedure call would take most of the time of such a read.
 */
export type ReadHandler = (params: Match["params"]) => Promise<object>;

/** An endpoint that calls a procedure. */
export interface ProcedureEndpoint extends Endpoint {
  /** The procedure's path in the router. */
  procedure: string;
  /** Calls the procedure with an input that is already assembled. */
  call(context: Context, getInput: () => Promise<unknown>): Promise<unknown>;
}

interface EndpointCall {
  getContext(): Context;
  params: Record<string, string | undefined>;
  query: string;
  request: RestRequest;
}

/**
 * Creates the endpoint of a procedure. tRPC requests the input only after the key was checked and
 * the request was counted, so a client without a key cannot make the service read a body, and a
 * refused body still counts against the rate limit.
 *
 * @param read Handles the requests instead of the procedure, which other transports call.
 */
export function createProcedureEndpoint(
  router: AnyTRPCRouter,
  route: Route,
  read?: ReadHandler,
): ProcedureEndpoint {
  const { meta, input, procedure, type } = route;
  const { method, path, status, key } = meta;
  if (read && (method !== "GET" || key !== "none")) {
    throw new Error(`${method} ${path}: only a read without a key can have a plain handler`);
  }
  const call: ProcedureEndpoint["call"] = (ctx, getRawInput) =>
    callTRPCProcedure({
      router,
      path: procedure,
      type,
      ctx,
      getRawInput,
      signal: undefined,
      batchIndex: 0,
    });
  return {
    procedure,
    call,
    method,
    path,
    status,
    key,
    allowsCrossOrigin: key === "none" || (key === "optional" && method === "GET"),
    isPublicRead: route.isPublicRead,
    toPointer: createPointerMapper(input),
    async run({ getContext, params, query, request }) {
      if (read) {
        parseQuery([], query);
        return encodeOnce(await read(params));
      }
      // tRPC asks for the input only if the procedure has one.
      if (!route.hasInput) parseQuery([], query);
      const context = getContext();
      const data = await call(context, () => assembleInput(input, params, query, request));
      if (meta.lines) {
        return streamJsonLines(data as AsyncIterable<unknown[]>, (error) =>
          context.log.error({ err: error, procedure }, "A stream failed"),
        );
      }
      return route.output === null ? null : JSON.stringify(data);
    },
  };
}

/** Creates the endpoint of a public document about the service. */
export function createDocumentEndpoint(
  path: RouteMeta["path"],
  render: (origin: string) => string,
): Endpoint {
  return {
    method: "GET",
    path,
    status: 200,
    key: "none",
    allowsCrossOrigin: true,
    isPublicRead: true,
    toPointer: jsonPointer,
    run: async ({ getContext }) => render(getContext().request.origin),
  };
}
