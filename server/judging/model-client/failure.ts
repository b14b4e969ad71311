import { APIConnectionError } from "openai";

/**
 * Why a request returned no completion. `transient`: worth retrying. `permanent`: no retry helps.
 * `rejected-form`: a request of another form may be accepted. `refusal`: the endpoint's filter blocked the
 * text. `unusable`: the answer violated the schema or a limit.
 */
export interface Failure {
  kind: "transient" | "permanent" | "rejected-form" | "refusal" | "unusable";
  /** Our words: a sentence without its period. */
  message: string;
  /** Null without an HTTP response of an error. */
  status: number | null;
  /** The endpoint's words, which may repeat what it was sent. */
  words: string;
  /** Seconds that the endpoint asks to wait. */
  waitSeconds?: number | undefined;
}

/** An HTTP response with an error status. */
export class Rejection extends Error {
  constructor(
    readonly response: Response,
    readonly body: string,
  ) {
    super("The endpoint returned an error status.");
  }
}

const FILTERED =
  /content.?(filter|policy|management|moderation|exists risk)|responsibleai|data_?inspection|flagged|moderation|safety/i;
const NO_CREDIT = /insufficient.?(quota|credit|balance|funds)|billing/i;
const UNKNOWN_MODEL =
  /model.?not.?found|not a valid model|no such model|decommissioned|model.{1,200}does not exist/i;
const FORM_KEYWORDS = /response_format|json|schema|structured|parameter/i;

/** Classifies a failed call of the `openai` package. */
export function classifyError(error: unknown): Failure {
  const cause = error instanceof APIConnectionError ? error.cause : error;
  if (cause instanceof Rejection) return classify(cause.response, cause.body);
  const { code } = ((cause as Error | undefined)?.cause ?? {}) as NodeJS.ErrnoException;
  const message = "The judge's endpoint could not be reached, or closed the connection early";
  return { kind: "transient", message, status: null, words: code ?? "" };
}

/** Classifies the `error` of a body with status 200; OpenRouter reports late failures this way. */
export function classifyErrorBody(error: unknown): Failure {
  const status = Number((error as { code?: unknown } | null | undefined)?.code);
  const isStatus = Number.isInteger(status) && status >= 400;
  return classify({ status: isStatus ? status : 502 }, JSON.stringify({ error }));
}

function classify(
  { status, headers }: Pick<Response, "status"> & Partial<Response>,
  body: string,
): Failure {
  // Message, code, parameter and all other text of the error.
  const words = body.slice(0, 4_000);
  const fail = (kind: Failure["kind"], does: string): Failure => ({
    ...{ kind, message: `The judge's endpoint ${does}`, status, words },
    waitSeconds: headers && parseRetryAfter(headers),
  });
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

/**
 * Returns an endpoint's words on one line of at most 200 printable characters, without the key, also if
 * the endpoint masks a part of it.
 */
export const shortenWords = (words: string, key = ""): string =>
  extractMessage(words)
    .replace(/[\p{C}\s]+/gu, " ")
    .replaceAll(key || "\0", "(key)")
    .replace(/\S*\*{3,}\S*/g, "(key)")
    .trim()
    .slice(0, 200)
    .replace(/\.$/, "")
    .toWellFormed();

/** Returns the message of an error's body, wherever the endpoint puts it. */
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
