import createFetchClient, {
  type Client,
  type ClientPathsWithMethod,
  type MaybeOptionalInit,
} from "openapi-fetch";
import type { paths } from "./openapi.js";
import { type Problem, ProblemError, readRetryAfter } from "./problem-error.js";
import { createRetryingFetch } from "./retrying-fetch.js";

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
  /** URL of the service, such as `http://localhost:3000`. */
  url: string;
  /** Needed to write, and to read what only a party may see; null counts as none. */
  apiKey?: string | null;
  /** Sends the requests; the global `fetch` by default. */
  fetch?: typeof globalThis.fetch;
}

/**
 * Creates a client of the API. It repeats a request that the service refused for a moment (with
 * `Retry-After`) or that got no response, if repeating it can't do anything twice.
 */
export function createClient({ url, apiKey, fetch }: ClientOptions): StandingClient {
  const api: Api = createFetchClient<paths, "application/json">({
    baseUrl: `${url.replace(/\/+$/, "")}/api/v1`,
    headers: apiKey ? { "X-API-Key": apiKey } : {},
    fetch: createRetryingFetch(fetch),
  });
  return {
    get: async (path, ...init) => readBody(await api.GET(path, ...(init as [never]))),
    post: async (path, ...init) => readBody(await api.POST(path, ...(init as [never]))),
    patch: async (path, ...init) => readBody(await api.PATCH(path, ...(init as [never]))),
    delete: async (path, ...init) => readBody(await api.DELETE(path, ...(init as [never]))),
  };
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
