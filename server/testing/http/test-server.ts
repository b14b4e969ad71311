import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import pino from "pino";
import type { Env } from "@/server/lib/env";
import { createRest } from "@/server/rest/rest";
import { isRestPath, serveRest } from "@/server/rest/transports/node-http";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { createTestRouter, TEST_READS } from "./test-router";

/** Starts the test router behind a real node:http server on the loopback interface. */
export async function startTestServer(env: Partial<Env> = {}) {
  const database = await createTestDatabase();
  const log: Record<string, unknown>[] = [];
  const seen = { calls: [] as unknown[] };
  const lines = { write: (line: string) => log.push(JSON.parse(line)) };
  const core = createTestCore(database, { env, log: pino({ level: "debug" }, lines) });
  const rest = createRest({ router: createTestRouter(seen), core, reads: TEST_READS });
  const server = createServer((req, res) => {
    if (isRestPath(req.url)) void serveRest(rest, req, res);
    else res.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}/api/v1`;

  return {
    base,
    port,
    rest,
    core,
    log,
    calls: seen.calls,
    fetch: (path: string, init?: RequestInit) => fetch(base + path, init),
    raw: (text: string | Buffer) => raw(port, text),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await database.close();
    },
  };
}

/** Returns everything the server sends in reply to these bytes, until it closes the connection. */
function raw(port: number, text: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}
