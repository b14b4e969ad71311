import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MISSING, renderMissingPages } from "./missing-pages";

const STATE = Symbol("state of the renderer");
const seen: string[] = [];

/** Responds as Next does: an empty document for a missing record, HTML for a missing route. */
async function pages(req: IncomingMessage, res: ServerResponse): Promise<void> {
  expect(STATE in req).toBe(false);
  Object.assign(req, { [STATE]: true });
  const url = req.url ?? "";
  seen.push(url);
  const isRoute = !url.includes(MISSING);
  res.statusCode = url.startsWith("/outcomes/known") ? 200 : 404;
  res.setHeader("Content-Type", url.includes("feed.xml") ? "text/xml" : "text/html; charset=utf-8");
  if (isRoute) res.setHeader("X-First", "1");
  res.write(isRoute ? "<html id=empty>" : "<h1>Page not found</h1>");
  await new Promise((later) => setTimeout(later, 1));
  res.end("</html>");
  if (!res.writableFinished) await once(res, "finish");
}

const server = createServer((req, res) => {
  res.setHeader("Content-Security-Policy", "policy");
  void renderMissingPages(pages)(req, res);
});
beforeAll(() => new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready)));
afterAll(() => new Promise((closed) => server.close(closed)));

const ask = async (path: string, init: RequestInit = {}) => {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  return { response, body: await response.text() };
};

test("a missing record gets the 404 page as HTML, with the headers of the request", async () => {
  const { response, body } = await ask("/outcomes/none?page=2");
  expect(body).toBe("<h1>Page not found</h1></html>");
  expect(response.status).toBe(404);
  expect(response.headers.get("content-security-policy")).toBe("policy");
  expect(response.headers.has("x-first")).toBe(false);
  expect(seen.slice(-2)).toEqual(["/outcomes/none?page=2", "/outcomes/none/-/-?page=2"]);
});

test("other responses are passed on as they are", async () => {
  expect((await ask("/outcomes/known")).body).toBe("<html id=empty></html>");
  for (const [path, headers] of [
    ["/agents/0x1/feed.xml", {}],
    ["/outcomes/none", { RSC: "1" }],
    ["/outcomes/none", { Accept: "image/png" }],
  ] as const) {
    const { response, body } = await ask(path, { headers });
    expect(response.status).toBe(404);
    expect(body).toBe("<html id=empty></html>");
  }
});

test("a HEAD request gets the status without a body", async () => {
  const { response, body } = await ask("/outcomes/none", { method: "HEAD" });
  expect([response.status, body]).toEqual([404, ""]);
});
