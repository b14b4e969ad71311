import { setTimeout as pause } from "node:timers/promises";
import OpenAI, { type ClientOptions } from "openai";
import { JudgeUnavailable } from "@/server/judging/judge";
import type { Env } from "@/server/lib/env";
import type { Question } from "./ask";
import { type Completion, completionSchema } from "./completion";
import { classifyError, classifyErrorBody, type Failure, type RetryableFailure } from "./failure";
import { buildMessages, buildParameters, type ModelCapabilities } from "./model-capabilities";

const DEFAULT_BASE_URL = "https://api.openai.com/v1";

/**
 * Returns the configured endpoint's options for the `openai` package, and its host. A query in the
 * base URL (Azure's `api-version`) is appended to every request. Nothing is read from the process
 * environment; the package's own retries and logging are off.
 */
export function resolveEndpoint(env: Pick<Env, "OPENAI_API_KEY" | "OPENAI_BASE_URL">) {
  const url = new URL(env.OPENAI_BASE_URL ?? DEFAULT_BASE_URL);
  const isAzure = url.hostname.endsWith(".openai.azure.com");
  const options = {
    baseURL: url.origin + url.pathname.replace(/\/+$/, ""),
    defaultQuery: Object.fromEntries(url.searchParams),
    // Local endpoints need no key, but the package requires one.
    apiKey: env.OPENAI_API_KEY ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    ...(isAzure && env.OPENAI_API_KEY ? { defaultHeaders: { "api-key": env.OPENAI_API_KEY } } : {}),
    maxRetries: 0,
    logLevel: "off",
  } satisfies ClientOptions;
  return { options, host: url.host };
}

type Response = { start: number; latencyMs: number } & (
  | { completion: Completion; failure?: never }
  | { failure: Failure; completion?: never }
);

/**
 * Creates a function that sends one request, without retries. It throws only if the question is
 * aborted.
 */
export function createSender(options: ClientOptions, timeoutMs: number, { now }: Clock) {
  const client = new OpenAI({ ...options, fetch: fetchAtMost });
  return async (
    { model, messages, name, signal }: Question<unknown>,
    schema: Record<string, unknown>,
    capabilities: ModelCapabilities,
  ): Promise<Response> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const start = now();
    const measure = () => ({ start, latencyMs: Math.round(now() - start) });
    try {
      const body: unknown = await client.chat.completions.create(
        {
          model,
          ...buildParameters(capabilities),
          ...buildMessages(capabilities.form, { messages, name }, schema),
        },
        { signal: AbortSignal.any([timeout, ...(signal ? [signal] : [])]) },
      );
      return { ...measure(), ...parseBody(body) };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ResponseTooLong) return { ...measure(), failure: TOO_LONG };
      return { ...measure(), failure: timeout.aborted ? TIMED_OUT : classifyError(error) };
    }
  };
}

const TIMED_OUT: Failure = {
  kind: "transient",
  message: "The judge's model did not answer in time.",
  status: null,
};

const TOO_LONG: Failure = { kind: "unusable", reason: "longer than 1 MiB", status: 200 };
const MAX_RESPONSE_BYTES = 1024 * 1024;

class ResponseTooLong extends Error {
  override name = "ResponseTooLong";
}

/** Fetches, and ends a response with `ResponseTooLong` while reading it beyond 1 MiB. */
const fetchAtMost: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (!response.body) return response;
  let size = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, stream) {
      size += chunk.byteLength;
      if (size > MAX_RESPONSE_BYTES) stream.error(new ResponseTooLong());
      else stream.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(limit), response);
};

/** Parses the body of a status 200 response, which may still hold an error. */
function parseBody(body: unknown): { completion: Completion } | { failure: Failure } {
  if (typeof body === "object" && body !== null && "error" in body && body.error) {
    return { failure: classifyErrorBody(body.error) };
  }
  const parsed = completionSchema.safeParse(body);
  if (!parsed.success) {
    const message = "The judge's endpoint does not return chat completions.";
    return { failure: { kind: "permanent", message, status: 200 } };
  }
  const choice = parsed.data.choices[0];
  return choice?.error || choice?.finish_reason === "error"
    ? { failure: classifyErrorBody(choice.error) }
    : { completion: parsed.data };
}

/** Time and randomness, injectable for tests. */
export interface Clock {
  /** Monotonic milliseconds. */
  now: () => number;
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  random: () => number;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => pause(ms, undefined, signal ? { signal } : {}),
  random: Math.random,
};

const MAX_RETRIES = 2;
const FIRST_PAUSE_MS = 1_000;
/** A longer `Retry-After` is passed to the caller. */
const MAX_WAIT_SECONDS = 20;

/**
 * Creates the retry policy of one question. It waits if another attempt is allowed, and otherwise
 * throws `JudgeUnavailable` with the endpoint's `Retry-After`. Allows two retries, none started
 * later than `timeoutMs` after the first attempt.
 */
export function createRetryPolicy(clock: Clock, timeoutMs: number) {
  let retries = 0;
  return async (
    { message, waitSeconds }: RetryableFailure,
    firstStart: number,
    signal?: AbortSignal,
  ): Promise<void> => {
    const jitter = FIRST_PAUSE_MS * 2 ** retries * (0.5 + clock.random() / 2);
    const ms = jitter + (waitSeconds ?? 0) * 1_000;
    const remainingMs = firstStart + timeoutMs - clock.now();
    if (retries === MAX_RETRIES || (waitSeconds ?? 0) > MAX_WAIT_SECONDS || ms >= remainingMs) {
      throw new JudgeUnavailable(message, waitSeconds);
    }
    retries += 1;
    await clock.sleep(ms, signal).catch(() => {
      throw cancelled();
    });
  };
}

export function cancelled(): JudgeUnavailable {
  return new JudgeUnavailable("The judgement was cancelled.");
}
