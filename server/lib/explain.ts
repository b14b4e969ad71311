import type { TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import { AppError, type FieldError } from "./errors";

/** A body of a megabyte can be wrong in as many places; an answer names no more than these. */
const MOST_PLACES = 50;

/**
 * The refusal to tell the caller for anything that was thrown: an `AppError` as it is, a schema
 * violation as 400 with its places, everything else masked as an internal error.
 * @param place Where a path into the input lies in the request; a door that gathers its input from
 *   several places says which. By default a JSON Pointer (RFC 6901).
 */
export function explain(error: unknown, place: Place = jsonPointer): AppError {
  const wrapper = isTrpcError(error) ? error : undefined;
  const cause = wrapper?.cause;
  const refusal = error instanceof AppError ? error : cause;
  if (refusal instanceof AppError) {
    return refusal.code === "unauthenticated" ? unauthenticated() : refusal;
  }
  if (wrapper?.code === "BAD_REQUEST" && cause instanceof ZodError) {
    return invalid(cause, place);
  }
  if (wrapper?.code === "NOT_FOUND" && !cause) {
    return new AppError("not-found", "No procedure has this name.");
  }
  return new AppError(
    "internal-error",
    "The fault is ours and has been logged; the request id finds it.",
  );
}

/** By name, not by class: the pages are bundled with a copy of tRPC of their own. */
function isTrpcError(error: unknown): error is TRPCError {
  return error instanceof Error && error.name === "TRPCError";
}

/** One and the same whatever the reason: nobody learns whether a key ever existed. */
function unauthenticated(): AppError {
  return new AppError("unauthenticated", "Send a valid API key in the header X-API-Key.", {
    headers: { "WWW-Authenticate": "ApiKey" },
  });
}

function invalid(error: ZodError, place: Place): AppError {
  const issues = error.issues.slice(0, MOST_PLACES);
  const errors = issues.flatMap((issue): FieldError[] => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.slice(0, MOST_PLACES).map((key) => ({
        pointer: place([...issue.path, key]),
        detail: "is not a field of this request",
        code: "unknown-field",
      }));
    }
    return [
      {
        pointer: place(issue.path),
        detail: issue.message,
        code: issue.code.replaceAll("_", "-"),
      },
    ];
  });
  const first = errors[0];
  const where = first?.pointer ? `${first.pointer}: ${first.detail}` : first?.detail;
  return new AppError("invalid-request", where ?? "The input does not fit its schema.", { errors });
}

type Place = (path: readonly PropertyKey[]) => string;

/** The JSON Pointer (RFC 6901) of a path: `/events/0`; the whole document is the empty string. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path
    .map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}
