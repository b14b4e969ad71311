import type { components } from "./openapi.js";

/** The body of every error response: problem details (RFC 9457) with a stable `code`. */
export type Problem = components["schemas"]["Problem"];

/** An error that the service reported. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";

  /** @param retryAfterSeconds When the same request may succeed, if the service said so. */
  constructor(
    readonly problem: Problem,
    readonly retryAfterSeconds: number | null,
  ) {
    super(problem.detail ? `${problem.title}: ${problem.detail}` : problem.title);
  }

  get status(): number {
    return this.problem.status;
  }

  /** Stable name of the error, such as `rate-limited`. */
  get code(): Problem["code"] {
    return this.problem.code;
  }
}

/** Returns the seconds of a response's `Retry-After`, or null if it has none. */
export function readRetryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}
