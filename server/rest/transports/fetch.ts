import { createByteStream } from "@/server/lib/byte-stream";
import { bodyBudget, readBody } from "@/server/rest/request/read-body";
import type { Rest } from "@/server/rest/rest";

/**
 * Serves a web `Request` over the REST transport. Such a request does not carry the peer address:
 * without `TRUSTED_PROXIES` all clients count as one.
 */
export async function respondRest(rest: Rest, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const length = request.headers.get("content-length");
  const reservation = bodyBudget.open();
  const handling = rest.handle({
    method: request.method,
    url: pathname + search,
    header: (name) => request.headers.get(name) ?? undefined,
    peer: null,
    hasBody: request.body !== null && length !== "0",
    read: () => readBody(request.body ?? [], length, reservation),
  });
  const { status, headers, body } = await handling.finally(() => reservation.release());
  return new Response(typeof body === "string" ? body : body && createByteStream(body), {
    status,
    headers,
  });
}
