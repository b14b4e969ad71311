import ky, { HTTPError } from "ky";
import createFetchClient, {
  type Client,
  type ClientPathsWithMethod,
  type MaybeOptionalInit,
} from "openapi-fetch";
import type { components, paths } from "./openapi.js";

type Api = Client<paths, "application/json">;
type Method = "get" | "post" | "patch" | "delete";

/** Parameters may be omitted if every part of them is optional. */
type Init<I> = Record<string, never> extends I ? [init?: I] : [init: I];

/**
 * Calls a path of the API. Resolves to the body of the response, or throws a `ProblemError`.
 * @param init `params` (path, query and header parameters), `body`, `headers` and `signal`.
 */
type Call<M extends Method> = <
  P extends ClientPathsWithMethod<Api, M>,
  I extends MaybeOptionalInit<paths[P], M>,
>(
  path: P,
  ...init: Init<I>
) => Promise<SuccessBody<paths[P][M]>>;

type SuccessStatus = 200 | 201 | 202 | 204;

/**
 * Body of an operation's successful responses; undefined if they have none. The type that
 * openapi-fetch derives lacks properties that are always null.
 */
type SuccessBody<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses & SuccessStatus]: Responses[Status] extends {
        content: { "application/json": infer Body };
      }
        ? Body
        : undefined;
    }[keyof Responses & SuccessStatus]
  : never;

export interface StandingClient {
  get: Call<"get">;
  post: Call<"post">;
  patch: Call<"patch">;
  delete: Call<"delete">;
}

export interface ClientOptions {
  /** Address of the service, such as `http://localhost:3000`. */
  url: string;
  /** Needed to write, and to read what only a party may see; null counts as none. */
  apiKey?: string | null;
  /** Sends the requests; the global `fetch` by default. */
  fetch?: typeof globalThis.fetch;
}

/**
 * Creates a client of the API. It repeats a request that the service refused for a moment (with
 * `Retry-After`) or that got no response, if repeating it can't do anything twice. For that, what creates
 * something is sent with a new `Idempotency-Key`, unless it has one. Throws a `TypeError` that says what
 * is wrong with a `url` that has no scheme, or a path.
 */
export function createClient({ url, apiKey, fetch }: ClientOptions): StandingClient {
  const api: Api = createFetchClient<paths, "application/json">({
    baseUrl: toApiUrl(url),
    headers: apiKey ? { "X-API-Key": apiKey } : {},
    fetch: createRetryingFetch(fetch),
  });
  api.use({
    onRequest({ request, schemaPath }) {
      const isCreation = request.method === "POST" && Object.hasOwn(CREATING_PATHS, schemaPath);
      if (isCreation && !request.headers.has("idempotency-key")) {
        request.headers.set("Idempotency-Key", crypto.randomUUID());
      }
    },
  });
  return {
    get: async (path, ...init) => readBody(await api.GET(path, ...(init as [never]))),
    post: async (path, ...init) => readBody(await api.POST(path, ...(init as [never]))),
    patch: async (path, ...init) => readBody(await api.PATCH(path, ...(init as [never]))),
    delete: async (path, ...init) => readBody(await api.DELETE(path, ...(init as [never]))),
  };
}

/** The paths whose POST takes an `Idempotency-Key`. */
type CreatingPath = {
  [P in keyof paths]: paths[P] extends { post: { parameters: { header?: infer Headers } } }
    ? // `never` means no headers, and has every key.
      [Headers] extends [never]
      ? never
      : "Idempotency-Key" extends keyof Headers
        ? P
        : never
    : never;
}[keyof paths];

/** A value, because types don't exist at run time; its type requires exactly these. */
const CREATING_PATHS: Record<CreatingPath, true> = {
  "/agents/me/keys": true,
  "/agreements": true,
  "/disputes": true,
  "/disputes/{disputeId}/stake": true,
  "/outcome": true,
  "/webhooks": true,
  "/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": true,
  "/webhooks/{webhookId}/ping": true,
  "/webhooks/{webhookId}/replay": true,
  "/webhooks/{webhookId}/rotate-secret": true,
};

function toApiUrl(url: string): string {
  if (!/^https?:\/\//i.test(url)) {
    throw new TypeError(`url is "${url}": it must start with http:// or https://.`);
  }
  const { origin, pathname, search, hash } = new URL(url);
  if (!/^\/*$/.test(pathname) || search || hash) {
    throw new TypeError(
      `url is "${url}": it must be ${origin}, because the client adds the path of the API.`,
    );
  }
  return `${origin}/api/v1`;
}

interface Result<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

function readBody<T>({ data, error, response }: Result<T>): NonNullable<T> {
  if (response.ok) return data as NonNullable<T>;
  throw new ProblemError(toProblem(error, response), readRetryAfter(response));
}

/** Returns the problem in the body; a proxy in front of the service may have sent something else. */
function toProblem(error: unknown, { status, url }: Response): Problem {
  if (typeof error === "object" && error !== null && "code" in error) return error as Problem;
  const title = `${new URL(url).origin} responded with ${status}`;
  return { type: "about:blank", title, status, code: "internal-error", detail: "" } as Problem;
}

/** The body of every error response: problem details (RFC 9457) with a stable `code`. */
export type Problem = components["schemas"]["Problem"];

/** An error that the service reported. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";

  /** @param retryAfterSeconds When the same request may succeed, if the service said so. */
  constructor(
    readonly problem: Problem,
    readonly retryAfterSeconds: number | null,
  ) {
    super(problem.detail ? `${problem.title}: ${problem.detail}` : problem.title);
  }

  get status(): number {
    return this.problem.status;
  }

  /** Stable name of the error, such as `rate-limited`. */
  get code(): Problem["code"] {
    return this.problem.code;
  }
}

/** Returns the seconds of a response's `Retry-After`, or null if it has none. */
function readRetryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

/** The service's longest rate limit window is a minute. */
const MAX_RETRY_AFTER_MS = 65_000;
const TIMEOUT_MS = 60_000;

/**
 * Returns a `fetch` that repeats a request up to four times: after the time that a response names in
 * `Retry-After`, or, growing, after a failed connection. Only requests that may arrive twice are
 * repeated: reads, and those with an `Idempotency-Key`.
 */
function createRetryingFetch(fetch: typeof globalThis.fetch = globalThis.fetch) {
  const send = ky.create({
    fetch,
    timeout: TIMEOUT_MS,
    retry: {
      limit: 4,
      maxRetryAfter: MAX_RETRY_AFTER_MS,
      methods: ["get", "post", "patch", "delete"],
      statusCodes: [...REFUSED_FOR_NOW, ...BROKEN_PROXY],
      afterStatusCodes: REFUSED_FOR_NOW,
      jitter: true,
      retryOnTimeout: true,
    },
  });
  return async (request: Request): Promise<Response> => {
    const isRepeatable = request.method === "GET" || request.headers.has("idempotency-key");
    try {
      return await send(request, {
        retry: {
          shouldRetry: ({ error }) => {
            const isAllowed =
              error instanceof HTTPError ? mayRetry(error.response, isRepeatable) : isRepeatable;
            // `true` would make ky ignore `Retry-After`.
            return isAllowed ? undefined : false;
          },
        },
      });
    } catch (error) {
      if (error instanceof HTTPError) return error.response;
      throw error;
    }
  };
}

/** A payment without enough confirmations is 409, a limit 429, a busy or broken service 503. */
const REFUSED_FOR_NOW = [409, 429, 503];
const BROKEN_PROXY = [502, 504];

/**
 * A request that was refused with 409 or 429 and `Retry-After` did nothing, so any may be repeated.
 * One that got a 503 may have: the database may have stored it and failed before it confirmed that.
 */
function mayRetry(response: Response, isRepeatable: boolean): boolean {
  const { status, headers } = response;
  const hasTime =
    headers.has("retry-after") && (readRetryAfter(response) ?? 0) * 1_000 <= MAX_RETRY_AFTER_MS;
  return REFUSED_FOR_NOW.includes(status)
    ? hasTime && (isRepeatable || status !== 503)
    : isRepeatable && BROKEN_PROXY.includes(status);
}
