import { createServer } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTrpcTransport } from "@/server/rest/transports/trpc-transport";
import { exchange, type Listening, listen } from "@/server/testing/http/listen";
import { createTestRouter, OTHER_TEST_KEY, TEST_KEY } from "@/server/testing/http/test-router";
import { startTestServer } from "@/server/testing/http/test-server";
import { createRequestHandler } from "./request-handler";

let trial: Awaited<ReturnType<typeof startTestServer>>;
let server: Listening;
beforeAll(async () => {
  trial = await startTestServer({ PUBLIC_READS_PER_MINUTE: 1_000 });
  const trpc = createTrpcTransport({ router: createTestRouter({ calls: [] }), core: trial.core });
  const metrics = async (authorization: string | undefined) => ({
    status: authorization === "Bearer it" ? 200 : 401,
    headers: {},
    body: "",
  });
  const handler = createRequestHandler(
    { core: trial.core, rest: trial.rest, trpc, metrics },
    async ({ url = "" }, res) => void res.writeHead(418, { "X-Page": url }).end("a page"),
  );
  server = await listen(createServer(handler));
});
afterAll(async () => {
  await server.close();
  await trial.close();
});

/** Returns the status code for a raw request, as a careless or hostile client may write it. */
const send = async (request: string) => (await exchange(server.port, request)).slice(9, 12);

const get = (target: string, more = "") =>
  send(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n${more}Connection: close\r\n\r\n`);

it.each([
  ["/api/v1/notes", "401"],
  ["/openapi.json", "200"],
  ["/x/../api/v1/notes", "401"],
  ["/api/./v1/notes", "401"],
  ["/api/%2E/v1/notes", "401"],
  ["/api/trpc/hidden", "200"],
  ["/api/./trpc/hidden", "200"],
  ["/x/..\\api/trpc/hidden", "200"],
  ["/api/metrics", "401"],
  ["/api/./metrics", "401"],
  ["/api/metrics/more", "404"],
  ["/apiary", "418"],
  ["/leaderboard", "418"],
  ["/api/v1/../leaderboard", "404"],
  ["/api/v1/%", "400"],
  ["/api/trpc/%", "400"],
  ["/agents/%ff/badge.svg", "400"],
  ["*", "400"],
])("responds to %s with %s", async (target, status) => {
  expect(await get(target)).toBe(status);
});

it("passes the authorization header to the metrics", async () => {
  expect(await get("/api/metrics", "Authorization: Bearer it\r\n")).toBe("200");
});

it("survives requests with an invalid URL or method", async () => {
  const target = "/api/trpc/hidden HTTP/1.1\r\n";
  expect(await send(`GET ${target}Host: [\r\nConnection: close\r\n\r\n`)).toBe("400");
  expect(await send(`TRACE ${target}Host: localhost\r\nConnection: close\r\n\r\n`)).toBe("405");
  expect(await get("/api/trpc/hidden")).toBe("200");
});

it("refuses a body larger than 1 MiB on any path", async () => {
  const body = "x".repeat(1_100_000);
  for (const target of ["/api/trpc/notes.create", "/api/./trpc/notes.create"]) {
    const answer = await send(
      `POST ${target} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${TEST_KEY}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    expect(answer).toBe("413");
  }
});

it("warns once of a forwarded address while no proxy is trusted", async () => {
  const warnings = () => trial.log.filter(({ level, msg }) => level === 40 && msg !== undefined);
  await get("/api/v1/explore/search");
  expect(warnings()).toEqual([]);
  for (const target of ["/api/v1/explore/search", "/a-page"]) {
    await get(target, "X-Forwarded-For: 192.0.2.1\r\n");
  }
  expect(warnings()).toEqual([
    expect.objectContaining({ msg: expect.stringContaining("set TRUSTED_PROXIES") }),
  ]);
});

const METHODS = "DELETE GET M-SEARCH OPTIONS PATCH POST PROPFIND PURGE PUT QUERY TRACE".split(" ");

it("responds with a problem document to every path and method below /api that it can't serve", async () => {
  const paths = ["/api", "/api/", "/api?x", "/api/v2", "/api/v2/outcome", "/api/v1beta", "/api/x"];
  const known = ["/api/v1/notes", "/api/trpc/hidden", "/api/health", "/api/inngest"];
  const absolute = ["http://localhost/api/v2", "HTTP://localhost/api"];
  for (const path of [
    ...paths,
    ...known,
    ...absolute,
    "/api/metrics",
    "/api/trpc",
    "/api/trpc/x",
  ]) {
    for (const method of METHODS) {
      const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: mine`;
      const answer = await exchange(server.port, `${head}\r\nConnection: close\r\n\r\n`);
      const [headers = "", ...rest] = answer.split("\r\n\r\n");
      // Without the sizes of chunks.
      const body = rest.join("").replace(/^[^{]*|[^}]*$/g, "");
      const status = Number(answer.slice(9, 12));
      if (status < 400 || status === 418) {
        expect(known, `${method} ${path}`).toContain(path);
        expect(["GET", "OPTIONS"]).toContain(method);
        continue;
      }
      expect(headers).toMatch(/^x-request-id: mine$/im);
      // tRPC has a format of its own, which contains the problem.
      const isTrpc = path.startsWith("/api/trpc/");
      if (!isTrpc) {
        expect(headers, `${method} ${path}`).toMatch(/^content-type: application\/problem\+json/im);
      }
      expect(isTrpc ? JSON.parse(body).error.data : JSON.parse(body)).toMatchObject({
        status,
        code: expect.any(String),
        help: expect.any(String),
        requestId: "mine",
      });
      if (status === 405) expect(headers).toMatch(/^allow: /im);
      if (paths.includes(path)) expect(status).toBe(404);
    }
  }
});

it("refuses two different keys in one request, and accepts one key sent twice", async () => {
  const one = [`X-API-Key: ${TEST_KEY}`, `Authorization: Bearer ${TEST_KEY}`];
  const other = [`X-API-Key: ${OTHER_TEST_KEY}`, `Authorization: Bearer ${OTHER_TEST_KEY}`];
  for (const path of ["/api/v1/notes", "/api/trpc/notes.list"]) {
    for (const first of one) {
      expect(await get(path, `${first}\r\n`)).toBe("200");
      for (const second of one) expect(await get(path, `${first}\r\n${second}\r\n`)).toBe("200");
      for (const second of other) {
        for (const headers of [`${first}\r\n${second}\r\n`, `${second}\r\n${first}\r\n`]) {
          const answer = await exchange(
            server.port,
            `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}Connection: close\r\n\r\n`,
          );
          expect(answer.slice(9, 12), headers).toBe("400");
          expect(answer).toMatch(/"code":"invalid-request"/);
          expect(answer).toContain('"pointer":"#/header/X-API-Key"');
        }
      }
    }
  }
});

it.each([
  ["/docs/operations/submit-outcome.md", "*/*", "/docs.md/submit-outcome"],
  ["/docs/operations/submit-outcome.md?a=b", "text/html", "/docs.md/submit-outcome"],
  ["/docs/operations/submit-outcome", "text/markdown, text/html;q=0.9", "/docs.md/submit-outcome"],
  ["/docs/operations/submit-outcome", "text/html, */*", "/docs/operations/submit-outcome"],
  ["/docs/operations/submit-outcome", "text/markdown;q=0", "/docs/operations/submit-outcome"],
  ["/docs", "text/markdown", "/docs"],
])("%s for a client that accepts %s is the page %s", async (path, accept, page) => {
  const response = await fetch(`${server.url}${path}`, { headers: { Accept: accept } });
  expect(response.headers.get("X-Page")).toBe(page);
  expect(response.headers.get("Vary")).toBe(path.endsWith("/submit-outcome") ? "Accept" : null);
});
