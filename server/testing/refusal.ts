import { expect } from "vitest";
import { AppError } from "@/server/lib/errors";
import { toAppError } from "@/server/lib/to-app-error";

/** Returns the error with which a request was refused, by a function or a procedure. Fails if it was accepted. */
export async function getRefusal(request: Promise<unknown>): Promise<AppError> {
  const thrown = await request.then(
    () => expect.fail("it was not refused"),
    (reason: unknown) => reason,
  );
  const error = toAppError(thrown);
  // Not the mask of another error.
  return error.code === "internal-error" && !(thrown instanceof AppError)
    ? expect.fail(String(thrown))
    : error;
}
