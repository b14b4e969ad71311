import { createServer, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { listen } from "@/server/testing/http/listen";

/** `forget`: returns null, like a node that has pruned the requested data. */
type NodeBehavior = "answer" | "hang-up" | "silence" | "forget" | NodeLimit;

/** A response of a node that limits requests. `isLate`: the call reaches the chain before it. */
export interface NodeLimit {
  status: number;
  body: string;
  retryAfter?: string;
  isLate?: boolean;
}

/** How Base's public node refuses a request. */
export const OVER_RATE_LIMIT: NodeLimit = {
  status: 200,
  body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32016,"message":"over rate limit"}}',
};

export interface FaultyNode {
  url: string;
  /** Sets how calls of these methods, or all, are treated from now on; ends a silence. */
  setBehavior(behavior: NodeBehavior, methods?: string[]): void;
  /**
   * Serves `calls` more calls. The next one reaches the chain but its response is lost; all later
   * ones are dropped until the next `setBehavior`. Simulates a process that dies at that moment.
   */
  dieAfter(calls: number): void;
  /** The requested methods in order, including those that got no response. */
  requestedMethods: string[];
  close(): Promise<void>;
}

/** Starts a proxy between the service and a chain's node that drops or ignores calls on demand. */
export async function startFaultyNode(nodeUrl: string): Promise<FaultyNode> {
  let getBehavior: (method: string) => NodeBehavior | "lose-response" = () => "answer";
  const requestedMethods: string[] = [];
  const ignored = new Set<Socket>();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method, id } = JSON.parse(body) as { method: string; id: number };
    requestedMethods.push(method);
    const behavior = getBehavior(method);
    if (behavior === "hang-up") return request.socket.destroy();
    if (behavior === "silence") return void ignored.add(request.socket);
    if (behavior === "forget") {
      response.writeHead(200, { "Content-Type": "application/json" });
      return void response.end(JSON.stringify({ jsonrpc: "2.0", id, result: null }));
    }
    if (typeof behavior === "object" && !behavior.isLate) return limit(response, behavior);
    const upstream = await fetch(nodeUrl, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    if (behavior === "lose-response") return request.socket.destroy();
    if (typeof behavior === "object") return limit(response, behavior);
    response.writeHead(upstream.status, { "Content-Type": "application/json" });
    response.end(await upstream.text());
  });
  const { url, close } = await listen(server);
  return {
    url,
    setBehavior(behavior, methods) {
      getBehavior = (method) => ((methods?.includes(method) ?? true) ? behavior : "answer");
      for (const socket of ignored) socket.destroy();
      ignored.clear();
    },
    dieAfter(calls) {
      let left = calls;
      getBehavior = () => {
        left -= 1;
        return left >= 0 ? "answer" : left === -1 ? "lose-response" : "hang-up";
      };
    },
    requestedMethods,
    close,
  };
}

function limit(response: ServerResponse, { status, body, retryAfter }: NodeLimit): void {
  const headers = { "Content-Type": "application/json" };
  response.writeHead(status, retryAfter ? { ...headers, "Retry-After": retryAfter } : headers);
  response.end(body);
}
