import { type AnyTRPCRouter, getTRPCErrorShape, TRPCError } from "@trpc/server";
import { AppError, ERRORS } from "@/server/lib/errors";
import { BODY_LIMIT, type BodyFault } from "./exchange";

/** Returns the answer to a request that no procedure gets, in the shape that tRPC's client reads. */
export function trpcRefusal(router: AnyTRPCRouter, refusal: AppError) {
  const error = getTRPCErrorShape({
    config: router._def._config,
    error: new TRPCError({ code: "BAD_REQUEST", cause: refusal }),
    type: "unknown",
    path: undefined,
    input: undefined,
    ctx: undefined,
  });
  return {
    status: ERRORS[refusal.code].status,
    headers: { ...refusal.headers, "Content-Type": "application/json" },
    body: JSON.stringify({ error }),
  };
}

/** Returns the error for a body that could not be read. */
export function bodyFault(fault: BodyFault): AppError {
  switch (fault) {
    case "too-large":
      return new AppError("body-too-large", `The limit is ${BODY_LIMIT} bytes.`);
    case "no-room":
      return new AppError("unavailable", "Too many large bodies are arriving at once.", {
        headers: { "Retry-After": "5" },
      });
    case "cut-off":
      return new AppError("invalid-request", "The connection ended before the body did.");
  }
}

export function tooDeep(): AppError {
  return new AppError("invalid-request", "The body nests more levels than any request has.");
}
