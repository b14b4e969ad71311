import type { TRPCError } from "@trpc/server";
import { AppError, type ErrorCode, type FieldError } from "./errors";
import type { InputError } from "./input/parse-input";
import { isNodeLimit, isUnavailable } from "./unavailable";

/** A restart of PostgreSQL takes seconds. */
const OUTAGE_RETRY_SECONDS = 5;

/**
 * Converts anything that was thrown to the error for the caller: an `AppError` stays as it is, a
 * schema violation becomes a 400 with its fields, a request that tRPC cannot serve becomes the
 * matching client error, an outage of the database becomes a 503, and everything else is masked as
 * an internal error.
 * @param toPointer Maps a path into the input to a pointer into the request, for transports that
 *   assemble the input from several sources. By default a pointer into the body.
 */
export function toAppError(error: unknown, toPointer: ToPointer = jsonPointer): AppError {
  const wrapper = isTrpcError(error) ? error : undefined;
  const cause = wrapper?.cause;
  const refusal = error instanceof AppError ? error : cause;
  if (refusal instanceof AppError) {
    return refusal.code === "unauthenticated" ? createAuthenticationError() : refusal;
  }
  // Plain handlers throw it as it is; within another error of tRPC it is a fault of the service.
  const violations = wrapper?.code === "BAD_REQUEST" ? cause : error;
  if (isInputError(violations)) return createValidationError(violations, toPointer);
  const clientError = wrapper && getClientError(wrapper);
  if (clientError) return new AppError(...clientError);
  const isLimited = isNodeLimit(error);
  if (isLimited || isUnavailable(error)) {
    const cause = isLimited ? "The chain's node limits requests" : "The database is unavailable";
    const detail = `${cause}. Try again in ${OUTAGE_RETRY_SECONDS} s.`;
    const headers = { "Retry-After": String(OUTAGE_RETRY_SECONDS) };
    return new AppError("unavailable", detail, { headers });
  }
  return new AppError("internal-error", "The error was logged under the request id.");
}

/** Returns whether `toAppError` hides what happened from the caller, so that it must be logged. */
export const isFault = (error: unknown): boolean =>
  toAppError(error).code === "internal-error" || isUnavailable(error);

/**
 * Errors that tRPC itself raises for a request that it cannot serve. Its own messages quote the
 * request, so each has a fixed detail here.
 */
const TRPC_CLIENT_ERRORS: Partial<Record<TRPCError["code"], [ErrorCode, string]>> = {
  BAD_REQUEST: [
    "invalid-request",
    "The call does not follow the tRPC protocol: a batch has at most ten calls, all queries or all mutations, and its input is an object.",
  ],
  METHOD_NOT_SUPPORTED: ["method-not-allowed", "Queries use GET, mutations use POST."],
  NOT_FOUND: ["not-found", "No procedure has this name."],
  PARSE_ERROR: ["malformed-json", "A query parameter is not valid JSON."],
  PAYLOAD_TOO_LARGE: ["body-too-large", "The body is over the limit."],
  UNSUPPORTED_MEDIA_TYPE: [
    "unsupported-media-type",
    "Send Content-Type: application/json. Call a streaming procedure in a batch with Accept: application/jsonl.",
  ],
};

/**
 * Returns the client error for an error of tRPC itself. Returns undefined for an internal one: if an
 * input parser throws anything but an `InputError`, that is a `BAD_REQUEST` with a cause too.
 */
function getClientError({ code, cause }: TRPCError): [ErrorCode, string] | undefined {
  if (code === "BAD_REQUEST" && cause instanceof SyntaxError) {
    return ["malformed-json", "The input is not valid JSON."];
  }
  const isInternal = (code === "BAD_REQUEST" || code === "NOT_FOUND") && cause !== undefined;
  return isInternal ? undefined : TRPC_CLIENT_ERRORS[code];
}

/** Checks by name, not by class: the pages are bundled with their own copy of tRPC. */
function isTrpcError(error: unknown): error is TRPCError {
  return error instanceof Error && error.name === "TRPCError";
}

function isInputError(error: unknown): error is InputError {
  return error instanceof Error && error.name === "InputError";
}

/**
 * Returns the same error for every reason, so that it does not reveal whether a key ever existed.
 */
function createAuthenticationError(): AppError {
  return new AppError("unauthenticated", AUTHENTICATION_DETAIL, {
    headers: { "WWW-Authenticate": "ApiKey, Bearer" },
  });
}

const AUTHENTICATION_DETAIL =
  "Send your key as `X-API-Key: rep_…` or `Authorization: Bearer rep_…`. URL parameters are not read. Check that the key was not cut off.";

function createValidationError({ violations }: InputError, toPointer: ToPointer): AppError {
  return createFieldErrors(
    violations.map(({ path, ...violation }) => ({ pointer: toPointer(path), ...violation })),
  );
}

/** Returns the error of this code about fields. Its detail states the first one. */
export function createFieldErrors(
  errors: FieldError[],
  code: ErrorCode = "invalid-request",
): AppError {
  const [first] = errors;
  if (!first) return new AppError(code, "The input does not match its schema.");
  const subject = first.pointer === WHOLE_BODY ? "The body" : first.pointer;
  const end = /[.?]$/.test(first.detail) ? "" : ".";
  const more = errors.length - 1;
  const others =
    more === 0
      ? ""
      : ` ${more === 1 ? "Another field is" : `${more} other fields are`} not valid either; see \`errors\`.`;
  return new AppError(code, `${subject} ${first.detail}${end}${others}`, { errors });
}

type ToPointer = (path: readonly PropertyKey[]) => string;

/** The pointer to a body as a whole. */
export const WHOLE_BODY = "#";

/**
 * Returns the JSON Pointer of a path in the body, as a URI fragment (RFC 6901, 6): `#/events/0`.
 */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return WHOLE_BODY + path.map((step) => `/${escapeStep(String(step))}`).join("");
}

function escapeStep(step: string): string {
  return encodeURIComponent(step.toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1"));
}
