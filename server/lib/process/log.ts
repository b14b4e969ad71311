import pino, { type Logger } from "pino";
import type { Env } from "@/server/lib/env";
import { LogOutput } from "./log-output";

/** Separates the message from the query's parameters in drizzle's errors on failed queries. */
const PARAMETERS = "\nparams: ";
const MAX_DEPTH = 5;

/**
 * Returns the loggable part of an error, thrown or stored: without the parameters of a query, which
 * may be private texts, and without the row that Postgres may quote in `detail`.
 */
export function toLoggableError(error: unknown, depth = 0): unknown {
  if (typeof error !== "object" || error === null || depth > MAX_DEPTH) return error;
  const { message, stack, cause } = error as Partial<Error>;
  const { params: _, detail: __, ...rest } = error as Record<string, unknown>;
  const text = typeof message === "string" ? message : "";
  return {
    ...rest,
    ...(error instanceof Error ? { type: error.constructor.name } : {}),
    message: removeParameters(text),
    ...(typeof stack === "string"
      ? { stack: stack.replace(text, () => removeParameters(text)) }
      : {}),
    ...(cause === undefined ? {} : { cause: toLoggableError(cause, depth + 1) }),
    ...(error instanceof AggregateError
      ? { errors: error.errors.map((one) => toLoggableError(one, depth + 1)) }
      : {}),
  };
}

/** Returns a message without the parameters of its query. */
export function removeParameters(message: string): string {
  return message.split(PARAMETERS, 1)[0] ?? "";
}

/**
 * Creates a logger of JSON lines, by default on stderr, which leaves stdout to readable output.
 * Redacts secrets and the parameters of failed queries.
 */
export function createLog(
  env: Pick<Env, "LOG_LEVEL">,
  output = new LogOutput(process.stderr.fd),
): Logger {
  return pino(
    {
      level: env.LOG_LEVEL ?? "info",
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: {
        err: (error: unknown) => toLoggableError(error),
        error: (error: unknown) => toLoggableError(error),
      },
      hooks: {
        // If an error is logged without a message, pino uses the error's message.
        logMethod([first, ...words], method) {
          if (first instanceof Error && words.length === 0) {
            method.call(this, { err: first }, removeParameters(first.message));
          } else {
            method.call(this, first, ...words);
          }
        },
      },
      redact: {
        paths: [
          "apiKey",
          "secret",
          "*.apiKey",
          "*.secret",
          'headers["x-api-key"]',
          "headers.authorization",
        ],
        censor: "[redacted]",
      },
    },
    output,
  );
}
