// cspell:ignore minscore vlaue
import { createServer } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Env } from "@/server/lib/env";
import { type Listening, listen } from "@/server/testing/http/listen";
import { createTestRouter, TEST_KEY } from "@/server/testing/http/test-router";
import { startTestServer } from "@/server/testing/http/test-server";
import { NodeRequest } from "./node-http";
import { createTrpcTransport } from "./trpc-transport";

const ORIGIN = "http://localhost:3000";

let server: Awaited<ReturnType<typeof startTestServer>>;
let url: string;
const opened: Listening[] = [];
beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL: ORIGIN });
  url = await serve();
});
afterAll(async () => {
  for (const { close } of opened) await close();
  await server.close();
});

/** Serves the test router over tRPC, with changed settings. Returns the URL of its procedures. */
async function serve(env: Partial<Env> = {}): Promise<string> {
  const core = { ...server.core, env: { ...server.core.env, ...env } };
  const transport = createTrpcTransport({ router: createTestRouter({ calls: [] }), core });
  const listening = await listen(createServer(transport.serve));
  opened.push(listening);
  return `${listening.url}/api/trpc`;
}

async function send(path: string, init: RequestInit = {}) {
  const response = await fetch(`${url}/${path}`, init);
  return { status: response.status, text: await response.text() };
}

describe("the tRPC transport", () => {
  it("responds to a refused call with its status", async () => {
    const refused = await send("notes.list");
    expect(refused.status).toBe(401);
    expect(JSON.parse(refused.text).error.data).toMatchObject({
      code: "unauthenticated",
      status: 401,
    });
    const listed = await send("notes.list", { headers: { "X-API-Key": TEST_KEY } });
    expect(listed).toEqual({ status: 200, text: '{"result":{"data":[]}}' });
  });

  it("responds to each call of a batch", async () => {
    const { status, text } = await send("notes.list,hidden?batch=1&input={}");
    expect(status).toBe(207);
    expect(JSON.parse(text)).toMatchObject([
      { error: {} },
      { result: { data: "not shown by REST" } },
    ]);
  });

  it("does not reveal internal errors", async () => {
    const input = encodeURIComponent(JSON.stringify({ kind: "x" }));
    const { status, text } = await send(`faults.get?input=${input}`);
    expect(status).toBe(500);
    expect(text).toContain('"code":"internal-error"');
    expect(text).not.toContain("hunter2");
  });

  it("refuses other sites", async () => {
    expect((await send("hidden", { headers: { Origin: "https://evil.example" } })).status).toBe(
      403,
    );
    expect((await send("hidden", { headers: { Origin: ORIGIN } })).status).toBe(200);
  });

  it("names the variable that an operator behind a TLS proxy has not set", async () => {
    const proxied = await serve({ PUBLIC_URL: undefined });
    const headers = { Origin: "https://standing.example" };
    const refused = await fetch(`${proxied}/hidden`, { headers });
    expect((await refused.json()).error.data).toMatchObject({
      code: "foreign-page",
      detail: expect.stringContaining("must set PUBLIC_URL to the address that the browser shows"),
    });
  });

  it("refuses cross-site requests of a browser, reads included", async () => {
    for (const [site, status] of [
      ["cross-site", 403],
      ["same-site", 403],
      ["same-origin", 200],
      ["none", 200],
    ] as const) {
      expect((await send("hidden", { headers: { "Sec-Fetch-Site": site } })).status).toBe(status);
    }
  });

  it("sends security headers with every response", async () => {
    const wanted = {
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cache-control": "no-store",
    };
    const foreign = { headers: { Origin: "https://evil.example" } };
    for (const init of [undefined, foreign, { method: "OPTIONS" }, { method: "POST", body: "{" }]) {
      const { headers } = await fetch(`${url}/hidden`, init);
      expect(Object.fromEntries(headers)).toMatchObject(wanted);
      expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
  });

  it("accepts a session only from the service's own pages", async () => {
    const cookie = "other=1; standing_session=token";
    const read = async (init: RequestInit) => {
      const { text } = await send("whoAmI", init);
      return JSON.parse(text).result?.data ?? JSON.parse(text).error.data.code;
    };
    expect(await read({ headers: { cookie } })).toBe("token");
    const post = { method: "POST", body: "{}" };
    const write = async (headers: Record<string, string>) => {
      const all = { cookie, "Content-Type": "application/json", ...headers };
      const { status, text } = await send("signedIn", { ...post, headers: all });
      return status === 200 ? JSON.parse(text).result.data : status;
    };
    expect(await write({ Origin: ORIGIN })).toBe("token");
    expect(await write({})).toBe("anonymous");
    expect(await write({ Origin: "null" })).toBe(403);
    expect(await write({ Origin: "https://evil.example" })).toBe(403);
  });

  it("treats absent fields and an empty key as REST does, and words violations alike", async () => {
    const headers = { "Content-Type": "application/json", "X-API-Key": TEST_KEY };
    const create = (input: object) =>
      send("notes.create", { method: "POST", headers, body: JSON.stringify(input) });
    expect((await create({ note: "x", valueUsdc: null })).status).toBe(200);
    const refused = await create({ note: "x", vlaueUsdc: 1 });
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.text).error.data.errors).toMatchObject([
      { pointer: "#/vlaueUsdc", code: "unknown-field", suggestion: "valueUsdc" },
    ]);
    const input = encodeURIComponent(JSON.stringify({ minscore: 90 }));
    const { text } = await send(`explorer.search?input=${input}`);
    expect(text).toContain("Did you mean `minScore`?");
    const note = encodeURIComponent(
      JSON.stringify({ noteId: "0f5c6f1e-6f3c-4a52-9d4e-2d8a4c8f1b7a" }),
    );
    const open = await send(`notes.get?input=${note}`, { headers: { "X-API-Key": "" } });
    expect(open.status).toBe(200);
  });

  it("refuses a body with a duplicate key", async () => {
    const headers = { "Content-Type": "application/json", "X-API-Key": TEST_KEY };
    const create = (body: string) => send("notes.create", { method: "POST", headers, body });
    expect((await create('{"note":"x","note":"y"}')).status).toBe(400);
    expect((await create('{"note":"x"}')).status).toBe(200);
  });

  it("does not log an invalid request as an error", async () => {
    server.log.length = 0;
    const headers = { "Content-Type": "application/json", "X-API-Key": TEST_KEY };
    await send("notes.create", { method: "POST", headers, body: "private words" });
    await send("notes.create");
    expect(JSON.stringify(server.log)).not.toContain("failed");
  });

  it.each([",", "%2C", "%2c"])("counts every call of a batch separated by %s", async (comma) => {
    const counting = await serve({ PUBLIC_READS_PER_MINUTE: 20 });
    const ten = Array(10).fill("hidden").join(comma);
    const statuses: number[] = [];
    for (let times = 0; times < 3; times++) {
      statuses.push((await fetch(`${counting}/${ten}?batch=1&input={}`)).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  it.each([
    ["GET", "notes.create", {}, 405, "method-not-allowed"],
    ["POST", "hidden", { body: "{}" }, 405, "method-not-allowed"],
    ["PUT", "hidden", { body: "{}" }, 405, "method-not-allowed"],
    ["GET", "no.such.procedure", {}, 404, "not-found"],
    ["GET", "faults.get?batch=1&input=1", {}, 400, "invalid-request"],
    ["GET", "faults.get?input={private", {}, 400, "malformed-json"],
    ["GET", "hidden?connectionParams={private", {}, 400, "malformed-json"],
    ["POST", "notes.create", { body: "{private" }, 400, "malformed-json"],
    ["POST", "notes.create", { body: "[".repeat(1_000) }, 400, "invalid-request"],
    ["POST", "notes.create", { body: "{}", type: "text/private" }, 415, "unsupported-media-type"],
    ["POST", "notes.create", { body: "{}", type: "" }, 415, "unsupported-media-type"],
    [
      "POST",
      "notes.create",
      { body: "-", type: "multipart/form-data" },
      415,
      "unsupported-media-type",
    ],
    ["POST", "notes.create", { body: "x".repeat(1_100_000) }, 413, "body-too-large"],
    ["GET", `${Array(11).fill("hidden")}?batch=1`, {}, 400, "invalid-request"],
    ["GET", "notes.list,faults.none?batch=1", {}, 207, "not-found"],
  ] as const)("maps a client error of %s %s to the same problem as REST", async (...example) => {
    const [method, path, { body, type = "application/json" }, status, code] = example as [
      string,
      string,
      { body?: string; type?: string },
      number,
      string,
    ];
    server.log.length = 0;
    const response = await fetch(`${url}/${path}`, {
      method,
      headers: { "X-API-Key": TEST_KEY, ...(body && type && { "Content-Type": type }) },
      body: body === undefined ? null : new TextEncoder().encode(body),
    });
    const text = await response.text();
    expect(response.status).toBe(status);
    const [problem] = [JSON.parse(text)].flat().flatMap(({ error }) => error?.data ?? []);
    expect(problem).toMatchObject({
      type: `/problems/${code}`,
      code,
      status: status === 207 ? 404 : status,
      title: expect.any(String),
      detail: expect.not.stringMatching(/ours/),
    });
    expect(text).not.toMatch(/private|stack/);
    expect(server.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it("sends Allow with the methods of a procedure", async () => {
    const allowed = async (method: string, path: string, body: string | null = null) => {
      const headers = { "Content-Type": "application/json" };
      return (await fetch(`${url}/${path}`, { method, headers, body })).headers.get("allow");
    };
    expect(await allowed("GET", "notes.create")).toBe("POST");
    expect(await allowed("POST", "hidden", "{}")).toBe("GET, HEAD");
    expect(await allowed("DELETE", "hidden")).toBe("GET, HEAD, POST");
  });

  it("refuses a body larger than 1 MiB", async () => {
    const headers = { "Content-Type": "application/json", "X-API-Key": TEST_KEY };
    const body = JSON.stringify({ text: "x".repeat(1_100_000) });
    expect((await send("notes.create", { method: "POST", headers, body })).status).toBe(413);
  });

  it("gives back the memory of a body whose connection ends before it", async () => {
    const release = vi.spyOn(NodeRequest.prototype, "release");
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.end(
      `POST /api/trpc/notes.create HTTP/1.1\r\nHost: x\r\nX-API-Key: ${TEST_KEY}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    );
    await vi.waitFor(() => expect(release).toHaveBeenCalledOnce());
    expect((await send("hidden")).status).toBe(200);
  });
});
