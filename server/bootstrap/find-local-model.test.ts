import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { findLocalModel } from "./find-local-model";

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return (server.address() as AddressInfo).port;
}

test("an Ollama of this machine is named in one line that says how to use it", async () => {
  const asked: (string | undefined)[] = [];
  const port = await listen((request, response) => {
    asked.push(request.url);
    response.end('{"version":"0.12.6"}');
  });
  const line = await findLocalModel(port);
  expect(line).toContain(`OPENAI_BASE_URL=http://127.0.0.1:${port}/v1`);
  expect(line).toContain("JUDGE_MODEL");
  expect(line).not.toContain("\n");
  expect(asked).toEqual(["/api/version"]);
});

test.each<[string, RequestListener]>([
  ["another service", (_, response) => response.end("<html>")],
  ["JSON without a version", (_, response) => response.end("[]")],
  ["an error", (_, response) => response.writeHead(500).end('{"version":"1"}')],
  ["a redirect", (_, response) => response.writeHead(302, { location: "/" }).end()],
  ["silence", () => {}],
])("%s is not named", async (_, answer) => {
  expect(await findLocalModel(await listen(answer))).toBeNull();
});

test("a closed port is not named", async () => {
  const port = await listen(() => {});
  await new Promise((closed) => servers.pop()?.close(closed));
  expect(await findLocalModel(port)).toBeNull();
});
