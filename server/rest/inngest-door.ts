import { bodyRoom } from "./body-room";
import { readBody } from "./web";

type Answer = (request: Request) => Promise<Response>;

/** Many times what the events and steps of our functions come to. */
const CALL_LIMIT = 4 * 1_048_576;

/** Whether an Inngest server calls there. */
export const isInngestPath = (url: string) => /^\/api\/inngest(?:$|\?)/.test(url);

/**
 * `answer`, for requests of a bounded size: by itself the SDK takes in whatever comes before it looks
 * whether a server has signed it. 413 for what is too large, 503 while too much is arriving.
 */
export function boundedCalls(answer: Answer): Answer {
  return async (request) => {
    const share = bodyRoom.open();
    try {
      const body = await readBody(request, share, CALL_LIMIT);
      if (body === "too-large") return new Response(null, { status: 413 });
      if (body === "no-room") {
        return new Response(null, { status: 503, headers: { "Retry-After": "5" } });
      }
      if (body === "cut-off") return new Response(null, { status: 400 });
      const { method, headers, url } = request;
      return await answer(
        new Request(url, { method, headers, ...(body.length > 0 ? { body } : {}) }),
      );
    } finally {
      share.close();
    }
  };
}
