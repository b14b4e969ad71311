import { AppError } from "@/server/lib/errors";
import { bodyBudget, readBody } from "@/server/rest/request/read-body";
import { resolveRequestId } from "@/server/rest/request/request-headers";
import { createProblemResponse } from "@/server/rest/response";

type Handler = (request: Request) => Promise<Response>;

/** Far larger than any call: our events and steps are small. */
const MAX_CALL_BYTES = 4 * 1_048_576;

/** Whether an Inngest server calls this path. */
export const isInngestPath = (url: string) => /^\/api\/inngest(?:$|\?)/.test(url);

/**
 * Wraps `handle` to bound the size of requests: the SDK reads a body of any size before it verifies
 * the signature. Responds with a problem document: 413 to a body that is too large, and 503 while too much is arriving.
 */
export function limitBodySize(handle: Handler): Handler {
  return async (request) => {
    const { method, headers, url } = request;
    const reservation = bodyBudget.open();
    try {
      const length = headers.get("content-length");
      const body = await readBody(request.body ?? [], length, reservation, MAX_CALL_BYTES);
      return await handle(
        new Request(url, { method, headers, ...(body.length > 0 ? { body } : {}) }),
      );
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const refused = { method, url: new URL(url).pathname };
      const id = resolveRequestId(headers.get("x-request-id") ?? undefined);
      const problem = createProblemResponse(error, refused, { "X-Request-Id": id });
      return new Response(problem.body, problem);
    } finally {
      reservation.release();
    }
  };
}
