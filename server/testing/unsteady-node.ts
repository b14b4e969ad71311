import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** `forget`: answers null, as a node does that has pruned what it is asked for. */
type Conduct = "answer" | "hang-up" | "silence" | "forget";

export interface UnsteadyNode {
  url: string;
  /** How calls of these methods, or all of them, are treated from now on; ends a silence. */
  conduct(conduct: Conduct, methods?: string[]): void;
  /**
   * Answers so many calls more. The next one reaches the chain and its answer nobody; all others
   * are dropped, until the next `conduct`. As a process that dies in that moment sees it.
   */
  dieAfter(calls: number): void;
  /** The methods that were asked for, in order, those that got no answer too. */
  asked: string[];
  close(): Promise<void>;
}

/** Stands between the service and a chain's node, and drops or ignores calls when it is told to. */
export async function unsteadyNode(nodeUrl: string): Promise<UnsteadyNode> {
  let conductOf: (method: string) => Conduct | "lose-answer" = () => "answer";
  const asked: string[] = [];
  const ignored = new Set<Socket>();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method, id } = JSON.parse(body) as { method: string; id: number };
    asked.push(method);
    const conduct = conductOf(method);
    if (conduct === "hang-up") return request.socket.destroy();
    if (conduct === "silence") return void ignored.add(request.socket);
    if (conduct === "forget") {
      response.writeHead(200, { "Content-Type": "application/json" });
      return void response.end(JSON.stringify({ jsonrpc: "2.0", id, result: null }));
    }
    const answer = await fetch(nodeUrl, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    if (conduct === "lose-answer") return request.socket.destroy();
    response.writeHead(answer.status, { "Content-Type": "application/json" });
    response.end(await answer.text());
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    conduct(conduct, methods) {
      conductOf = (method) => ((methods?.includes(method) ?? true) ? conduct : "answer");
      for (const socket of ignored) socket.destroy();
      ignored.clear();
    },
    dieAfter(calls) {
      let left = calls;
      conductOf = () => {
        left -= 1;
        return left >= 0 ? "answer" : left === -1 ? "lose-answer" : "hang-up";
      };
    },
    asked,
    close: () =>
      new Promise<void>((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}
