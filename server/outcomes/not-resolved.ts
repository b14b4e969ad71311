import { AppError } from "@/server/lib/errors";

/** Seconds between two polls of an outcome that is being evaluated. */
export const POLL_SECONDS = 5;

/** Returns the error for an outcome whose verdict is not recorded yet. */
export function createNotResolvedError(): AppError {
  return new AppError(
    "outcome-not-resolved",
    `The outcome has no verdict yet. Try again in ${POLL_SECONDS} s.`,
    { headers: { "Retry-After": String(POLL_SECONDS) } },
  );
}
