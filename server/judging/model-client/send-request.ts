import OpenAI, { type ClientOptions } from "openai";
import type { Env } from "@/server/lib/env";
import type { Question } from "./ask";
import { type Completion, completionSchema } from "./completion";
import { classifyError, classifyErrorBody, classifyStatus, Failure } from "./failure";
import { buildMessages, type ModelCapabilities } from "./model-capabilities";

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

/** Creates a function that sends one request. It throws only if `signal` aborts. */
export function createSender(options: ClientOptions, timeoutMs: number) {
  const client = new OpenAI({ ...options, fetch: fetchAtMost });
  return async (
    question: Question<unknown>,
    capabilities: ModelCapabilities,
    signal: AbortSignal,
  ): Promise<Completion | Failure> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const either = { signal: AbortSignal.any([timeout, signal]) };
    const body = {
      ...{ model: question.model, ...capabilities.parameters },
      ...buildMessages(capabilities.form, question),
    };
    try {
      return parseBody(await client.chat.completions.create(body, either));
    } catch (error) {
      signal.throwIfAborted();
      if (!timeout.aborted) return classifyError(error);
      return new Failure("transient", "The judge's model did not answer in time");
    }
  };
}

const MAX_RESPONSE_BYTES = 1024 * 1024;

/**
 * Fetches. Throws a `Failure` for an error status, of whose body the package would drop what is not in
 * `error`, and while a body beyond 1 MiB is read.
 */
const fetchAtMost: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  let size = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, stream) {
      size += chunk.byteLength;
      if (size <= MAX_RESPONSE_BYTES) stream.enqueue(chunk);
      else stream.error(new Failure("unusable", "The judge's model writes more than 1 MiB"));
    },
  });
  const limited = new Response(response.body?.pipeThrough(limit) ?? null, response);
  if (response.ok) return limited;
  const { status, headers } = response;
  throw classifyStatus(status, await limited.text(), headers);
};

/** Parses the body of a status 200 response. Throws a `Failure` if it holds an error, or no completion. */
function parseBody(body: unknown): Completion {
  if (typeof body === "object" && body !== null && "error" in body && body.error) {
    throw classifyErrorBody(body.error);
  }
  const { data, success } = completionSchema.safeParse(body);
  if (!success) {
    const message = "The judge's endpoint does not return chat completions";
    const words = typeof body === "string" ? body : JSON.stringify(body);
    throw new Failure("permanent", message, words);
  }
  const [choice] = data.choices;
  if (choice?.error || choice?.finish_reason === "error") throw classifyErrorBody(choice.error);
  return data;
}
