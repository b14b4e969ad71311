import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Runtime } from "./boot";
import { guardPage } from "./page-policy";
import { isRestPath, serveRest } from "./rest/node";
import { straightened } from "./rest/target";
import { isTrpcPath } from "./rest/trpc-door";

/**
 * Who answers a request of the process: the REST door, the door of the pages, or Next. `reach` is
 * what pages may ask beside the service.
 */
export function frontOf(
  { rest, trpc }: Pick<Runtime, "rest" | "trpc">,
  pages: (req: IncomingMessage, res: ServerResponse) => Promise<void>,
  reach: readonly string[] = [],
): RequestListener {
  return (req, res) => {
    req.url = straightened(req.url ?? "/");
    if (isRestPath(req.url)) void serveRest(rest, req, res);
    else if (isTrpcPath(req.url)) void trpc.serve(req, res);
    else {
      guardPage(req, res, reach);
      void pages(req, res);
    }
  };
}
