import { respondRest } from "@/server/rest/web";
import { runtime } from "@/server/runtime";

/**
 * Serves REST on hosts that run only Next; `server.ts` handles these paths before Next sees them.
 */
async function handle(request: Request): Promise<Response> {
  return respondRest((await runtime()).rest, request);
}

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
