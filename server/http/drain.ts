import type { Server, ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** A server that can shut down without failing any request. */
export interface Closable {
  /**
   * Keeps serving for `ms`, or until `hurried` aborts, and sends `Connection: close` with each
   * response. Then accepts no more connections, finishes open requests and closes idle connections.
   * Requests still open ten seconds later are cut off.
   */
  drain(ms: number, hurried: AbortSignal): Promise<void>;
}

const ANSWERED_WITHIN_MS = 10_000;

/** Tracks every request from now on. Call it before the server listens. */
export function closable(server: Server): Closable {
  const underWay = new Set<ServerResponse>();
  let isDraining = false;
  // Runs before the handler that responds, which may write the headers at once.
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

/** Asks the client to reconnect: it could otherwise reuse a connection just as it closes. */
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
