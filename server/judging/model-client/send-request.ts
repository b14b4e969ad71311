import OpenAI, { type ClientOptions } from "openai";
import type { Env } from "@/server/lib/env";
import type { Question } from "./ask";
import { type Completion, completionSchema } from "./completion";
import { classifyError, classifyErrorBody, type Failure, Rejection } from "./failure";
import { buildMessages, buildParameters, type ModelCapabilities } from "./model-capabilities";

/**
 * Returns the configured endpoint's options for the `openai` package, and its host. A query in the
 * base URL (Azure's `api-version`) is appended to every request. Nothing is read from the process
 * environment. The package's own retries are off: they wait for as long as `Retry-After` says.
 */
export function resolveEndpoint(env: Pick<Env, "OPENAI_API_KEY" | "OPENAI_BASE_URL">) {
  const url = new URL(env.OPENAI_BASE_URL ?? "https://api.openai.com/v1");
  const isAzure = url.hostname.endsWith(".openai.azure.com");
  const options = {
    baseURL: url.origin + url.pathname.replace(/\/+$/, ""),
    defaultQuery: Object.fromEntries(url.searchParams),
    // Local endpoints need no key, but the package requires one.
    apiKey: env.OPENAI_API_KEY ?? "none",
    ...{ adminAPIKey: null, organization: null, project: null },
    ...(isAzure && env.OPENAI_API_KEY ? { defaultHeaders: { "api-key": env.OPENAI_API_KEY } } : {}),
    maxRetries: 0,
    logLevel: "off",
  } satisfies ClientOptions;
  return { options, host: url.host };
}

type Sent = { completion: Completion; failure?: never } | { failure: Failure; completion?: never };

/** Creates a function that sends one request. It throws only if the question is aborted. */
export function createSender(options: ClientOptions, timeoutMs: number) {
  const client = new OpenAI({ ...options, fetch: fetchAtMost });
  return async (
    { model, messages, name, signal }: Question<unknown>,
    schema: Record<string, unknown>,
    capabilities: ModelCapabilities,
  ): Promise<Sent> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const body = {
      ...{ model, ...buildParameters(capabilities) },
      ...buildMessages(capabilities.form, { messages, name }, schema),
    };
    try {
      const either = AbortSignal.any([timeout, ...(signal ? [signal] : [])]);
      return parseBody(await client.chat.completions.create(body, { signal: either }));
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof TooLong) return { failure: { ...NO_ERROR, ...TOO_LONG } };
      return { failure: timeout.aborted ? { ...NO_ERROR, ...TIMED_OUT } : classifyError(error) };
    }
  };
}

const NO_ERROR = { status: null, words: "" };
const TIMED_OUT = {
  kind: "transient",
  message: "The judge's model did not answer in time",
} as const;
const TOO_LONG = { kind: "unusable", message: "The judge's model writes more than 1 MiB" } as const;
const MAX_RESPONSE_BYTES = 1024 * 1024;

class TooLong extends Error {}

/**
 * Fetches. Throws `Rejection` with the whole body of an error status, of which the package would drop
 * what is not in `error`, and `TooLong` while a body beyond 1 MiB is read.
 */
const fetchAtMost: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  let size = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, stream) {
      size += chunk.byteLength;
      if (size > MAX_RESPONSE_BYTES) stream.error(new TooLong());
      else stream.enqueue(chunk);
    },
  });
  const limited = new Response(response.body?.pipeThrough(limit) ?? null, response);
  if (response.ok) return limited;
  throw new Rejection(response, await limited.text());
};

/** Parses the body of a status 200 response, which may still hold an error. */
function parseBody(body: unknown): Sent {
  if (typeof body === "object" && body !== null && "error" in body && body.error) {
    return { failure: classifyErrorBody(body.error) };
  }
  const { data, success } = completionSchema.safeParse(body);
  if (!success) {
    const message = "The judge's endpoint does not return chat completions";
    const words = typeof body === "string" ? body : JSON.stringify(body);
    return { failure: { ...NO_ERROR, kind: "permanent", message, words } };
  }
  const [choice] = data.choices;
  return choice?.error || choice?.finish_reason === "error"
    ? { failure: classifyErrorBody(choice.error) }
    : { completion: data };
}
