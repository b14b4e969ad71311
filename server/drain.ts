import type { Server, ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** A server that can end without failing anybody. */
export interface Closable {
  /**
   * For `ms`, or until `hurried`, goes on answering, and asks everybody by `Connection: close` to
   * come back on another connection. Then takes no more, answers what is under way and hangs up on
   * who asks nothing. What is not answered ten seconds later is cut off.
   */
  drain(ms: number, hurried: AbortSignal): Promise<void>;
}

const ANSWERED_WITHIN_MS = 10_000;

/** Sees every request from now on: comes before the server listens. */
export function closable(server: Server): Closable {
  const underWay = new Set<ServerResponse>();
  let isDraining = false;
  // Before the one that answers, which may write the headers at once.
  server.prependListener("request", (_req, res: ServerResponse) => {
    if (isDraining) bidFarewell(res);
    underWay.add(res);
    res.once("close", () => underWay.delete(res));
  });
  return {
    async drain(ms, hurried) {
      isDraining = true;
      for (const res of underWay) bidFarewell(res);
      if (ms > 0) await pause(ms, undefined, { signal: hurried }).catch(() => {});
      await close(server);
    },
  };
}

/** A connection that is kept would be used again in the very moment in which it is closed. */
function bidFarewell(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader("Connection", "close");
}

async function close(server: Server): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  const late = setTimeout(() => server.closeAllConnections(), ANSWERED_WITHIN_MS);
  await new Promise<void>((closed) => server.close(() => closed()));
  clearInterval(idle);
  clearTimeout(late);
}
