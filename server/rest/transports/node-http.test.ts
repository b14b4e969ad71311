import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BODY_LIMIT } from "@/server/rest/request/read-body";
import { TEST_KEY } from "@/server/testing/http/test-router";
import { startTestServer } from "@/server/testing/http/test-server";
import { isRestPath } from "./node-http";

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(() => {
  server.log.length = 0;
  server.calls.length = 0;
});
afterAll(() => server.close());

const CHUNKED = "Transfer-Encoding: chunked\r\n";

function head(more: string, path = "/notes"): string {
  return `POST /api/v1${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${TEST_KEY}\r\nContent-Type: application/json\r\n${more}\r\n`;
}

function chunk(bytes: number): string {
  return `${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n`;
}

/** Opens a raw connection to the server; `received` is everything it has sent so far. */
async function openConnection() {
  const socket: Socket = connect(server.port, "127.0.0.1");
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  const connection = { socket, received: "", closed: false };
  socket.setEncoding("latin1");
  socket.on("data", (data) => {
    connection.received += data;
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    connection.closed = true;
  });
  return connection;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("a body over the limit", () => {
  it("is refused from its Content-Length, before it is sent", async () => {
    const response = await server.raw(head(`Content-Length: ${BODY_LIMIT + 1}\r\n`));
    expect(response).toMatch(/^HTTP\/1.1 413 /);
    expect(response).toMatch(/\r\nConnection: close\r\n/i);
    expect(response).toContain('"code":"body-too-large"');
  });

  it("is refused while it arrives, and the connection is closed", async () => {
    const connection = await openConnection();
    connection.socket.write(head(CHUNKED));
    connection.socket.write(chunk(BODY_LIMIT));
    connection.socket.write(chunk(1));
    await until(() => connection.received.includes("body-too-large"));
    expect(connection.received).toMatch(/^HTTP\/1.1 413 /);
    expect(connection.received).toMatch(/\r\nConnection: close\r\n/i);
    await until(() => connection.closed);
  });

  it("is refused if it never ends", async () => {
    const connection = await openConnection();
    connection.socket.write(head(CHUNKED));
    const piece = chunk(262_144);
    let sent = 0;
    while (!connection.closed && sent < 200) {
      sent++;
      const more = connection.socket.write(piece);
      if (!more) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(connection.received).toMatch(/^HTTP\/1.1 413 /);
    await until(() => connection.closed);
    expect(connection.socket.bytesWritten).toBeLessThan(50_000_000);
  });

  it("is refused with a response even if the client sends all of it before reading", async () => {
    const response = await server.fetch("/notes", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-Key": TEST_KEY },
      body: new Blob(["x".repeat(3 * BODY_LIMIT)]).stream(),
      duplex: "half",
    } as RequestInit);
    expect(response.status).toBe(413);
  });

  it("is not read if no procedure needs it", async () => {
    for (const path of ["/nowhere", "/explore/search"]) {
      const response = await server.raw(head(`Content-Length: ${1e12}\r\n`, path));
      expect(response).toMatch(/^HTTP\/1.1 40[45] /);
      expect(response).toMatch(/\r\nConnection: close\r\n/i);
    }
  });

  it("is one byte longer than the limit", async () => {
    const text = (bytes: number) => JSON.stringify({ note: "x".repeat(bytes - 11) });
    const send = (bytes: number) =>
      server.fetch("/notes", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-API-Key": TEST_KEY },
        body: text(bytes),
      });
    expect(text(BODY_LIMIT)).toHaveLength(BODY_LIMIT);
    expect((await send(BODY_LIMIT)).status).toBe(201);
    expect((await send(BODY_LIMIT + 1)).status).toBe(413);
  });
});

describe("media types", () => {
  const send = (headers: Record<string, string>) =>
    server.fetch("/notes", {
      method: "POST",
      body: Buffer.from('{"note":"x"}'),
      headers: { "X-API-Key": TEST_KEY, ...headers },
    });

  it.each([
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    "application/json; charset=utf8",
    'application/json;charset="UTF-8"',
    "application/json ; profile=x",
  ])("accepts %s", async (type) => {
    expect((await send({ "Content-Type": type })).status).toBe(201);
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/jsonp",
    "application/json; charset=latin1",
    "application/problem+json",
    "",
  ])("refuses %j", async (type) => {
    const response = await send({ "Content-Type": type });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ code: "unsupported-media-type" });
  });

  it("refuses a body without a media type, and one with a content encoding", async () => {
    expect((await send({})).status).toBe(415);
    const zipped = { "Content-Type": "application/json", "Content-Encoding": "gzip" };
    expect((await send(zipped)).status).toBe(415);
  });
});

describe("connections", () => {
  it("serves another request after refusing one without reading its small body", async () => {
    const wrong = `POST /api/v1/nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nabcd`;
    const last = "GET /api/v1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    const response = await server.raw(wrong + last);
    expect(response.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 404", "HTTP/1.1 200"]);
  });

  it("accepts a body in chunks", async () => {
    const response = await server.raw(
      `${head(`${CHUNKED}Connection: close\r\n`)}8\r\n{"note":\r\n3\r\n"x"\r\n1\r\n}\r\n0\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1.1 201 /);
    expect(server.calls).toHaveLength(1);
  });

  it("does not log a client that disconnects in the middle of its body", async () => {
    const connection = await openConnection();
    connection.socket.write(`${head("Content-Length: 100\r\n")}{"note"`);
    connection.socket.destroy();
    await until(() => server.log.length > 0);
    expect(server.log).toMatchObject([{ level: 20, status: 400 }]);
    expect(server.calls).toEqual([]);
    expect((await server.fetch("")).status).toBe(200);
  });
});

it("recognizes its own paths", () => {
  for (const url of [
    "/api/v1",
    "/api/v1/",
    "/api/v1?x",
    "/api/v1/outcome/1",
    "http://h/api/v1/x",
  ]) {
    expect(isRestPath(url)).toBe(true);
  }
  for (const url of [undefined, "*", "/", "/api/v10", "/api/v1x/y", "/api/trpc", "/x/api/v1"]) {
    expect(isRestPath(url)).toBe(false);
  }
});

describe("a response of more than 1 kB", () => {
  const get = (path: string, coding: string, init: RequestInit = {}) =>
    server.fetch(path, { ...init, headers: { "Accept-Encoding": coding, ...init.headers } });

  it.each(["br", "gzip"])("is compressed with %s if the client accepts that", async (coding) => {
    const plain = await get("/openapi.json", "identity");
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(plain.headers.get("vary")).toBe("Accept-Encoding");
    const text = await plain.text();
    for (const _ of ["compressed", "from memory"]) {
      const response = await get("/openapi.json", coding);
      expect(response.headers.get("content-encoding")).toBe(coding);
      expect(response.headers.get("etag")).toBe(`W/${plain.headers.get("etag")}`);
      expect(Number(response.headers.get("content-length"))).toBeLessThan(text.length / 4);
      expect(await response.text()).toBe(text);
    }
    const head = await get("/openapi.json", coding, { method: "HEAD" });
    expect(head.headers.get("content-encoding")).toBe(coding);
    expect(head.headers.get("etag")).toBe(`W/${plain.headers.get("etag")}`);
    const known = { headers: { "If-None-Match": `W/${plain.headers.get("etag")}` } };
    expect((await get("/openapi.json", coding, known)).status).toBe(304);
  });

  it.each(["br", "gzip"])("is compressed with %s while it is streamed", async (coding) => {
    const plain = await (await get("/stream?to=9", "identity")).text();
    const response = await get("/stream?to=9", coding);
    expect(response.headers.get("content-encoding")).toBe(coding);
    expect(await response.text()).toBe(plain);
    const head = await get("/stream", coding, { method: "HEAD" });
    expect(head.headers.get("content-encoding")).toBeNull();
  });

  it("is compressed if it is private or a problem, and not if it is small", async () => {
    const send = (note: string) =>
      get("/notes", "br", {
        method: "POST",
        headers: { "X-API-Key": TEST_KEY, "Content-Type": "application/json" },
        body: JSON.stringify({ note }),
      });
    const long = await send("x".repeat(1_024));
    expect([long.status, long.headers.get("content-encoding")]).toEqual([201, "br"]);
    expect(await long.json()).toMatchObject({ note: "x".repeat(1_024) });
    const short = await send("x");
    expect([short.status, short.headers.get("content-encoding")]).toEqual([201, null]);
    const unknown = Array.from({ length: 30 }, (_, n) => `unknown${n}=1`).join("&");
    const problem = await get(`/explore/search?${unknown}`, "gzip");
    expect([problem.status, problem.headers.get("content-encoding")]).toEqual([400, "gzip"]);
    expect(await problem.json()).toMatchObject({ code: "invalid-request" });
  });

  it("is cut off if its stream fails, so that a part is not taken for all", async () => {
    const response = await get("/stream?to=5&failAt=3", "gzip");
    await expect(response.text()).rejects.toThrow();
  });
});
