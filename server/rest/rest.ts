import type { AnyTRPCRouter } from "@trpc/server";
import type { Logger } from "pino";
import type { Context, Core, WalletGuard } from "@/server/lib/context";
import { AppError, type Problem, toProblem } from "@/server/lib/errors";
import { isFault, toAppError } from "@/server/lib/to-app-error";
import { getClientKey, getRequestIp } from "@/server/rate-limit/client";
import { createRequestGuard } from "@/server/rate-limit/request-guard";
import {
  CORS_HEADERS,
  createDocumentEndpoint,
  createProcedureEndpoint,
  createResourceFinder,
  type Endpoint,
  type ProcedureEndpoint,
  type ReadHandler,
} from "./endpoints";
import type { RestRequest, RestResponse } from "./exchange";
import { createDocumentRenderer, renderIndex, type WebhookPayloads } from "./openapi/document";
import {
  parseTraceparent,
  readApiKey,
  readRequestInfo,
  resolveRequestId,
} from "./request/request-headers";
import {
  createProblemResponse,
  createSecurityHeaders,
  createSuccessResponse,
  ReplyHeaders,
} from "./response";
import { compileRoutes } from "./routes";

/** The parts of an HTTP request that a procedure and its limits depend on. */
export type CallRequest = Pick<RestRequest, "method" | "url" | "header" | "peer">;

/** The result of a procedure, and the headers that its REST response would carry. */
export type CallResult = { headers: Record<string, string> } & (
  | { data: unknown; problem?: never }
  | { problem: Problem }
);

/** One response, for metrics. `operation`: method and path template, null if none matched. */
export interface RestResponseEvent {
  operation: string | null;
  status: number;
  seconds: number;
}

type Headers = Record<string, string>;

interface RestOptions {
  router: AnyTRPCRouter;
  core: Core;
  /** Payload schemas of the webhook events, for the OpenAPI document. */
  webhooks?: WebhookPayloads;
  /** Called for every response; for a stream, when it starts. */
  onResponse?: (event: RestResponseEvent) => void;
  /** Plain handlers of hot reads, by operation id. */
  reads?: Record<string, ReadHandler>;
}

/**
 * The REST transport over every procedure of a router that has REST meta: one request in, one response
 * out. Routes are compiled once.
 */
export class Rest {
  /** Returns the OpenAPI document, as JSON, of a service at an origin. */
  readonly renderDocument: (origin: string) => string;
  readonly #core: Core;
  readonly #onResponse: RestOptions["onResponse"];
  readonly #byProcedure: ReadonlyMap<string, ProcedureEndpoint>;
  readonly #find: ReturnType<typeof createResourceFinder>;
  readonly #securityHeaders: Headers;
  readonly #admitRequest: ReturnType<typeof createRequestGuard>;

  constructor({ router, core, webhooks = {}, onResponse, reads }: RestOptions) {
    const { env } = core;
    const routes = compileRoutes(router);
    const endpoints = routes.map((route) =>
      createProcedureEndpoint(router, route, reads?.[route.meta.operationId]),
    );
    this.renderDocument = createDocumentRenderer(routes, webhooks, env.SECURITY_CONTACT);
    this.#core = core;
    this.#onResponse = onResponse;
    this.#byProcedure = new Map(endpoints.map((endpoint) => [endpoint.procedure, endpoint]));
    this.#find = createResourceFinder([
      createDocumentEndpoint("/", renderIndex),
      createDocumentEndpoint("/openapi.json", this.renderDocument),
      ...endpoints,
    ]);
    this.#securityHeaders = createSecurityHeaders(env);
    this.#admitRequest = createRequestGuard(env.PUBLIC_READS_PER_MINUTE);
  }

  /** Never throws. */
  async handle(request: RestRequest): Promise<RestResponse> {
    const { log } = this.#core;
    const start = performance.now();
    const headers = this.#createCommonHeaders(request);
    const { response, endpoint } = await this.#respond(request, headers);
    const { status } = response;
    this.#onResponse?.({
      operation: endpoint ? `${endpoint.method} ${endpoint.path}` : null,
      status,
      seconds: (performance.now() - start) / 1000,
    });
    if (log.isLevelEnabled("debug")) {
      log.debug({ ...describeRequest(request, headers), status }, "Handled a request");
    }
    return response;
  }

  /**
   * Calls a procedure that has a route, for a request of another transport: with the same context,
   * limits, errors and log as a request to that route. Never throws.
   * @param getInput Called once the key was checked and the request was counted. May throw.
   */
  async call(
    procedure: string,
    getInput: () => Promise<unknown>,
    request: CallRequest,
  ): Promise<CallResult> {
    const headers = this.#createCommonHeaders(request);
    try {
      const endpoint = this.#byProcedure.get(procedure);
      if (!endpoint) throw new Error(`${procedure} has no route`);
      const data = await this.#admit(endpoint, request, headers, (getContext) =>
        endpoint.call(getContext(), getInput),
      );
      return { data, headers };
    } catch (error) {
      const refusal = this.#refuse(error, request, headers);
      Object.assign(headers, refusal.headers);
      const requestId = headers["X-Request-Id"] ?? "";
      return { problem: toProblem(refusal, { instance: request.url, requestId }), headers };
    }
  }

  #createCommonHeaders(request: CallRequest): Headers {
    const traceparent = parseTraceparent(request.header("traceparent"));
    return {
      "X-Request-Id": resolveRequestId(request.header("x-request-id")),
      ...this.#securityHeaders,
      ...(traceparent === null ? {} : { traceparent }),
    };
  }

  async #respond(
    request: RestRequest,
    headers: Headers,
  ): Promise<{ response: RestResponse; endpoint?: Endpoint | undefined }> {
    let endpoint: Endpoint | undefined;
    try {
      const { resource, params, query } = this.#find(request.url);
      const { method } = request;
      if (method === "OPTIONS") {
        const response = { status: 204, headers: { ...headers, ...resource.options }, body: null };
        return { response };
      }
      endpoint = resource.endpoints.get(method === "HEAD" ? "GET" : method);
      if (!endpoint) throw createMethodError(resource.allow);
      if (endpoint.allowsCrossOrigin) Object.assign(headers, CORS_HEADERS);
      const { run } = endpoint;
      const body = await this.#admit(endpoint, request, headers, (getContext) =>
        run({ getContext, params, query, request }),
      );
      return { response: createSuccessResponse(endpoint, request, headers, body), endpoint };
    } catch (error) {
      const refusal = this.#refuse(error, request, headers, endpoint?.toPointer);
      return { response: createProblemResponse(refusal, request, headers), endpoint };
    }
  }

  /** Counts the request against the limits of `endpoint`, then runs `work`. */
  async #admit<T>(
    endpoint: Endpoint,
    request: CallRequest,
    headers: Headers,
    work: (getContext: () => Context) => Promise<T>,
  ): Promise<T> {
    const reply = new ReplyHeaders(headers);
    const { guard, end } = this.#admitRequest({
      client: getClientKey(getRequestIp(this.#core.env, request)),
      requiresKey: endpoint.key === "required",
      key: endpoint.key === "none" ? null : readApiKey(request),
      isPublicRead: endpoint.isPublicRead,
      setHeader: (name, value) => reply.header(name, value),
    });
    try {
      const result = await work(() => createContext(this.#core, request, reply, guard));
      end(null);
      return result;
    } catch (error) {
      end(toAppError(error).code);
      reply.keepRateLimitHeaders();
      throw error;
    }
  }

  /** Returns the error for the caller. Logs what it hides. */
  #refuse(
    error: unknown,
    request: CallRequest,
    headers: Headers,
    toPointer?: Endpoint["toPointer"],
  ): AppError {
    const refusal = toAppError(error, toPointer);
    if (isFault(error)) {
      this.#core.log.error(
        { err: unwrapCause(error), ...describeRequest(request, headers) },
        "A request failed",
      );
    }
    return refusal;
  }
}

/** Creates the context of a request. Its logger is created on first use: most requests log nothing. */
function createContext(
  core: Core,
  request: CallRequest,
  reply: ReplyHeaders,
  guard: WalletGuard,
): Context {
  let child: Logger | undefined;
  return {
    ...core,
    request: {
      ...readRequestInfo(core.env, request),
      id: reply.all["X-Request-Id"] ?? "",
      session: null,
      transport: "rest",
    },
    reply,
    guard,
    get log() {
      child ??= core.log.child(getTraceIds(reply.all));
      return child;
    },
  };
}

/** Returns the fields that every log line about a request has. */
function describeRequest({ method, url }: CallRequest, headers: Headers) {
  return { ...getTraceIds(headers), method, url };
}

/** Returns the ids that identify a request in the log. */
function getTraceIds(headers: Headers) {
  return { requestId: headers["X-Request-Id"], traceparent: headers.traceparent };
}

/** Returns the error that tRPC wrapped: its stack is the useful one in the log. */
function unwrapCause(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}

function createMethodError(allow: string): AppError {
  return new AppError("method-not-allowed", `This path allows ${allow}.`, {
    headers: { Allow: allow },
  });
}
