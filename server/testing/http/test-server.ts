import { createServer } from "node:http";
import pino from "pino";
import type { Env } from "@/server/lib/env";
import { Rest } from "@/server/rest/rest";
import { isRestPath, serveRest } from "@/server/rest/transports/node-http";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { exchange, listen } from "./listen";
import { createTestRouter, TEST_READS } from "./test-router";

/** Starts the test router behind a real node:http server on the loopback interface. */
export async function startTestServer(env: Partial<Env> = {}) {
  const database = await createTestDatabase();
  const log: Record<string, unknown>[] = [];
  const seen = { calls: [] as unknown[] };
  const lines = { write: (line: string) => log.push(JSON.parse(line)) };
  const core = createTestCore(database, { env, log: pino({ level: "debug" }, lines) });
  const rest = new Rest({ router: createTestRouter(seen), core, reads: TEST_READS });
  const server = createServer((req, res) => {
    if (isRestPath(req.url)) void serveRest(rest, req, res);
    else res.writeHead(418).end();
  });
  const { port, url, close } = await listen(server);
  const base = `${url}/api/v1`;

  return {
    base,
    port,
    rest,
    core,
    log,
    calls: seen.calls,
    fetch: (path: string, init?: RequestInit) => fetch(base + path, init),
    raw: (text: string | Buffer) => exchange(port, text),
    async close() {
      await close();
      await database.close();
    },
  };
}
