import { APIConnectionError } from "openai";

/**
 * `transient`: worth retrying. `permanent`: no retry helps. `rejected-form`: a request of another form may
 * be accepted. `refusal`: the endpoint's filter blocked the text. `unusable`: the answer violated the
 * schema or a limit.
 */
type FailureKind = "transient" | "permanent" | "rejected-form" | "refusal" | "unusable";

/**
 * Why a request returned no completion. `message`: a sentence without its period. `words`: the
 * endpoint's, which may repeat what it was sent. `status`: of an HTTP response with an error.
 */
export class Failure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly words = "",
    readonly status: number | null = null,
    readonly waitSeconds?: number,
  ) {
    super(message);
  }
}

const FILTERED =
  /content.?(filter|policy|management|moderation|exists risk)|responsibleai|data_?inspection|flagged|moderation|safety/i;
const NO_CREDIT = /insufficient.?(quota|credit|balance|funds)|billing/i;
const UNKNOWN_MODEL =
  /model.?not.?found|not a valid model|no such model|decommissioned|model.{1,200}does not exist/i;
const FORM_KEYWORDS = /response_format|json|schema|structured|parameter/i;

/** Classifies an error of the `openai` package, which may wrap a `Failure`. */
export function classifyError(error: unknown): Failure {
  const cause = error instanceof APIConnectionError ? error.cause : error;
  if (cause instanceof Failure) return cause;
  const { code = "" } = ((cause as Error | undefined)?.cause ?? {}) as NodeJS.ErrnoException;
  const message = "The judge's endpoint could not be reached, or closed the connection early";
  return new Failure("transient", message, code);
}

/** Classifies the `error` of a body with status 200; OpenRouter reports late failures this way. */
export function classifyErrorBody(error: unknown): Failure {
  const status = Number((error as { code?: unknown } | null | undefined)?.code);
  const isStatus = Number.isInteger(status) && status >= 400;
  return classifyStatus(isStatus ? status : 502, JSON.stringify({ error }));
}

/** Classifies a response by its status and all text of its body. */
export function classifyStatus(status: number, body: string, headers = new Headers()): Failure {
  const words = body.slice(0, 4_000);
  const waitSeconds = parseRetryAfter(headers);
  const fail = (kind: FailureKind, does: string) =>
    new Failure(kind, `The judge's endpoint ${does}`, words, status, waitSeconds);
  const isRejected = [400, 404, 422].includes(status);
  if (status === 401) return fail("permanent", "rejects the service's key");
  if (status === 402 || (status === 429 && NO_CREDIT.test(words))) {
    return fail("permanent", "says that the service's credit is used up");
  }
  if (status === 429) return fail("transient", "limits the rate of requests");
  if (status === 408 || status === 409 || status >= 500) return fail("transient", "failed");
  if ((isRejected || status === 403 || status === 451) && FILTERED.test(words)) {
    return fail("refusal", "blocks the request");
  }
  if (status === 403) return fail("permanent", "does not let the service's key use this model");
  if (UNKNOWN_MODEL.test(words) || (status === 404 && !FORM_KEYWORDS.test(words))) {
    return fail("permanent", "does not know the configured model or address");
  }
  if (words.includes("json_validate_failed")) return fail("unusable", "finds no valid JSON");
  if (isRejected) return fail("rejected-form", "rejects the request");
  if (status === 413) return fail("unusable", "finds the request too long");
  return fail("permanent", "fails unexpectedly");
}

/** Returns an endpoint's words in at most 200 printable characters, without the key or its masked form. */
export const shortenWords = (words: string, key = ""): string =>
  extractMessage(words)
    .replace(/[\p{C}\s]+/gu, " ")
    .replaceAll(key || "\0", "(key)")
    .replace(/\S*\*{3,}\S*/g, "(key)")
    .trim()
    .slice(0, 200)
    .replace(/\.$/, "")
    .toWellFormed();

/** Endpoints put the message of an error in different places. */
function extractMessage(body: string): string {
  try {
    const { error = {}, ...rest } = JSON.parse(body);
    const said = error.message ?? rest.message ?? rest.detail ?? error;
    return typeof said === "string" ? said : body;
  } catch {
    return body;
  }
}

/** A longer `Retry-After` is a mistake or malice: verdicts must not wait for hours. */
const MAX_WAIT_SECONDS = 300;

/** Returns `Retry-After` in seconds, capped, from a number or a date (RFC 9110), or from milliseconds. */
function parseRetryAfter(headers: Headers): number | undefined {
  const ms = headers.get("retry-after-ms") ?? "";
  const after = headers.get("retry-after") ?? "";
  const seconds = /^\d+$/.test(ms)
    ? Number(ms) / 1_000
    : /^\d+(\.\d+)?$/.test(after)
      ? Number(after)
      : (Date.parse(after) - Date.now()) / 1_000;
  if (Number.isNaN(seconds)) return undefined;
  return Math.min(MAX_WAIT_SECONDS, Math.max(0, Math.ceil(seconds)));
}
