import { createServer, type RequestListener } from "node:http";
import { afterEach, expect, test } from "vitest";
import { type Listening, listen } from "@/server/testing/http/listen";
import { findLocalModel } from "./find-local-model";

const opened: Listening[] = [];
afterEach(async () => {
  for (const { close } of opened.splice(0)) await close();
});

async function serve(answer: RequestListener): Promise<number> {
  const listening = await listen(createServer(answer));
  opened.push(listening);
  return listening.port;
}

test("an Ollama of this machine is named in one line that says how to use it", async () => {
  const asked: (string | undefined)[] = [];
  const port = await serve((request, response) => {
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
  expect(await findLocalModel(await serve(answer))).toBeNull();
});

test("a closed port is not named", async () => {
  const port = await serve(() => {});
  await opened.pop()?.close();
  expect(await findLocalModel(port)).toBeNull();
});
