import { APIError } from "openai";

/**
 * Why a request brought no completion. Nothing in it may be shown but `message`, which is ours:
 * what an endpoint says may hold anything.
 */
export type Failure =
  /** Worth another try soon; `waitSeconds` where the endpoint asked for it. */
  | { kind: "passing"; message: string; status: number | null; waitSeconds?: number }
  | { kind: "limited"; message: string; status: number; waitSeconds?: number }
  /** Nothing here can mend it. */
  | { kind: "lasting"; message: string; status: number | null }
  /** Not accepted as it was asked; `words` in lower case, for `adapt`. */
  | { kind: "form"; words: string; reason: string; status: number }
  /** The endpoint's filter stopped the text, or the model's answer fell out of the schema. */
  | { kind: "refusal"; reason: string; status: number }
  | { kind: "unusable"; reason: string; status: number };

/** An endpoint's error, from a status or inside a body of status 200. */
interface Complaint {
  status: number | null;
  words: string;
  headers?: Headers | undefined;
}

const FILTERED =
  /content.?(filter|policy|management|moderation|exists risk)|responsibleai|data_?inspection|flagged|moderation|safety/;
const NO_CREDIT = /insufficient.?(quota|credit|balance|funds)|billing/;
const UNKNOWN_MODEL =
  /model.?not.?found|not a valid model|no such model|decommissioned|model.{1,200}does not exist/;
const FORM = /response_format|json|schema|structured|parameter/;
/** Statuses by which an endpoint turns down what was asked, rather than who asks or when. */
const TURNED_DOWN = new Set([400, 404, 422]);

/** What a failed call of the `openai` package means. */
export function failureOf(error: unknown, now = Date.now()): Failure {
  if (!(error instanceof APIError) || !error.status) {
    const message = "The judge's endpoint could not be reached, or broke off its answer.";
    return { kind: "passing", message, status: null };
  }
  const { status, headers } = error;
  return complaintOf({ status, words: wordsOf(error.error ?? error.message), headers }, now);
}

/** What an `error` inside an answer of status 200 means; OpenRouter reports so what fails late. */
export function bodyFailureOf(error: unknown): Failure {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
  const status = Number(code);
  return complaintOf(
    { status: Number.isInteger(status) && status >= 400 ? status : 502, words: wordsOf(error) },
    0,
  );
}

function complaintOf({ status, words, headers }: Complaint, now: number): Failure {
  const code = status ?? 0;
  if (code === 401) {
    return lasting(code, "The judge's endpoint refuses the service's key.");
  }
  if (code === 402 || (code === 429 && NO_CREDIT.test(words))) {
    return lasting(code, "The judge's endpoint says that the service's credit is used up.");
  }
  if (code === 429) {
    const message = "The judge's endpoint limits how often it may be asked.";
    return { kind: "limited", message, status: code, ...waitOf(headers, now) };
  }
  if (code === 408 || code === 409 || code >= 500) {
    const message = `The judge's endpoint failed with status ${code}.`;
    return { kind: "passing", message, status: code, ...waitOf(headers, now) };
  }
  if ((TURNED_DOWN.has(code) || code === 403 || code === 451) && FILTERED.test(words)) {
    return { kind: "refusal", reason: "content_filter", status: code };
  }
  if (code === 403) {
    return lasting(code, "The judge's endpoint does not let the service's key use this model.");
  }
  if (UNKNOWN_MODEL.test(words) || (code === 404 && !FORM.test(words))) {
    return lasting(code, "The judge's endpoint does not know the configured model or address.");
  }
  if (words.includes("json_validate_failed")) {
    return { kind: "unusable", reason: "json_validate_failed", status: code };
  }
  if (TURNED_DOWN.has(code)) {
    return { kind: "form", words, reason: `status ${code}`, status: code };
  }
  if (code === 413) return { kind: "unusable", reason: "status 413", status: code };
  return lasting(code, `The judge's endpoint answered with status ${code}.`);
}

const lasting = (status: number, message: string): Failure => ({
  kind: "lasting",
  message,
  status,
});

/** Message, code, parameter and whatever else the error says, for looking words up. */
function wordsOf(error: unknown): string {
  return (JSON.stringify(error) ?? "").slice(0, 4_000).toLowerCase();
}

/** `Retry-After` in seconds, given as a number or a date (RFC 9110), or in milliseconds. */
function waitOf(headers: Headers | undefined, now: number): { waitSeconds?: number } {
  const ms = headers?.get("retry-after-ms");
  const header = headers?.get("retry-after");
  const seconds =
    ms && /^\d+$/.test(ms)
      ? Number(ms) / 1_000
      : header && /^\d+(\.\d+)?$/.test(header)
        ? Number(header)
        : header
          ? (Date.parse(header) - now) / 1_000
          : Number.NaN;
  return Number.isFinite(seconds) ? { waitSeconds: Math.max(0, Math.ceil(seconds)) } : {};
}
