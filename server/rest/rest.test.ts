// cspell:ignore minscore pgae
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TEST_KEY } from "@/server/testing/http/test-router";
import { startTestServer } from "@/server/testing/http/test-server";

const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const NOTE_ID = "0f5c6f1e-6f3c-4a52-9d4e-2d8a4c8f1b7a";
const key = { "X-API-Key": TEST_KEY };

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(() => {
  server.log.length = 0;
  server.calls.length = 0;
});
afterAll(() => server.close());

function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  return server.fetch(path, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "Content-Type": "application/json", ...headers },
  });
}

async function getPointers(response: Response): Promise<string[]> {
  expect(response.status).toBe(400);
  const problem = await response.json();
  return (problem.errors ?? []).map((error: { pointer: string }) => error.pointer);
}

describe("input", () => {
  it("takes a path parameter from the path, and refuses it in the query", async () => {
    const response = await server.fetch(`/reputation/${WALLET}?page=2`);
    expect(await response.json()).toEqual({ walletAddress: WALLET, score: 91.5, page: 2 });
    const twice = await server.fetch(`/reputation/${WALLET}?walletAddress=${OTHER}&page=2`);
    expect(await getPointers(twice)).toEqual(["#/query/walletAddress"]);
  });

  it("refuses a body field named like a path parameter", async () => {
    const init = { method: "PATCH", headers: { "Content-Type": "application/json" } };
    const body = JSON.stringify({ noteId: crypto.randomUUID(), note: "x" });
    expect(await getPointers(await server.fetch(`/notes/${NOTE_ID}`, { ...init, body }))).toEqual([
      "#/noteId",
    ]);
  });

  it("converts query text to the schema's type", async () => {
    const query = "q=7&minScore=1.5e1&proven=true&tags=a&tags=7&page=3&&category=legal&";
    const response = await server.fetch(`/explore/search?${query}`);
    expect(await response.json()).toEqual({
      q: "7",
      minScore: 15,
      proven: true,
      tags: ["a", "7"],
      category: "legal",
      page: 3,
      size: 20,
    });
  });

  it.each([
    ["page=x", "page"],
    ["page=1.5", "page"],
    ["page=", "page"],
    ["page=-1", "page"],
    ["page=0x10", "page"],
    ["page=1e999", "page"],
    ["minScore=NaN", "minScore"],
    ["proven=1", "proven"],
    ["page=1&page=1", "page"],
    ["q=a&q=b", "q"],
    ["q=%zz", "q"],
    ["q=%00", "q"],
    ["category=cooking", "category"],
  ])("points to the invalid query parameter in ?%s", async (query, name) => {
    expect(await getPointers(await server.fetch(`/explore/search?${query}`))).toEqual([
      `#/query/${name}`,
    ]);
  });

  it("says how to give several values instead of a list with commas", async () => {
    const response = await server.fetch("/explore/search?tags=a,b");
    expect(response.status).toBe(400);
    expect((await response.json()).errors).toEqual([
      {
        pointer: "#/query/tags",
        detail: "is a list with commas; repeat the parameter for each value",
        code: "comma-list",
        suggestion: "tags=a&tags=b",
      },
    ]);
  });

  it("reads + and percent-encoding in a query", async () => {
    const response = await server.fetch("/explore/search?q=caf%C3%A9+au%20lait%2B");
    expect(await response.json()).toMatchObject({ q: "café au lait+" });
  });

  it.each([
    "/reputation/0x12",
    "/reputation/register",
    `/reputation/${WALLET}%00`,
    `/reputation/${"9".repeat(5_000)}`,
  ])("returns 400 for a path parameter that is not an address", async (path) => {
    expect(await getPointers(await server.fetch(path))).toEqual(["#/path/walletAddress"]);
  });

  it("reads an escaped path parameter and an address in any letter case", async () => {
    const response = await server.fetch(`/reputation/%30x${WALLET.slice(2).toLowerCase()}`);
    expect(await response.json()).toMatchObject({ walletAddress: WALLET });
  });

  it.each(["/reputation/%zz", "/reputation/%", "/%c3%28", "/reputation/%ff"])(
    "returns 400 for the malformed escape in %s",
    async (path) => {
      const response = await server.raw(
        `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect(response).toMatch(/^HTTP\/1.1 400 /);
    },
  );

  it("points to invalid and unknown body fields", async () => {
    const body = { note: "", valueUsdc: "1", vlaueUsdc: 1 };
    expect(await getPointers(await post("/notes", body, key))).toEqual([
      "#/note",
      "#/valueUsdc",
      "#/vlaueUsdc",
    ]);
  });

  it("accepts an array as the body, and points into it", async () => {
    const response = await post("/reputation/bulk", [WALLET.toLowerCase(), OTHER]);
    expect(await response.json()).toEqual([WALLET, OTHER]);
    expect(await getPointers(await post("/reputation/bulk", [WALLET, "0x"]))).toEqual(["#/1"]);
    expect(await getPointers(await post("/reputation/bulk", []))).toEqual(["#"]);
    expect(await getPointers(await post("/reputation/bulk", { addresses: [WALLET] }))).toEqual([
      "#",
    ]);
  });

  it.each(["[]", "null", '"note"', "7"])("refuses %s if an object is required", async (body) => {
    expect(await getPointers(await post("/notes", body, key))).toEqual(["#"]);
  });

  it("does not set a prototype from a body", async () => {
    const response = await post("/notes", '{"note":"x","__proto__":{"valueUsdc":5}}', key);
    expect(server.calls).toEqual(
      response.status === 201 ? [{ note: "x", idempotencyKey: null }] : [],
    );
  });

  it("accepts a missing body unless one is required", async () => {
    const patched = await server.fetch(`/notes/${NOTE_ID}`, { method: "PATCH" });
    expect(await patched.json()).toMatchObject({ note: "unchanged" });
    expect(
      await getPointers(await server.fetch("/notes", { method: "POST", headers: key })),
    ).toEqual(["#"]);
  });

  it("returns 400 for a body that is not UTF-8", async () => {
    const body = Buffer.from([...Buffer.from('{"note":"'), 0xff, ...Buffer.from('"}')]);
    const headers = { "Content-Type": "application/json", ...key };
    const response = await server.fetch("/notes", { method: "POST", body, headers });
    expect(await response.json()).toMatchObject({ status: 400, code: "malformed-json" });
  });

  it("points to a duplicate key at any depth, however it is escaped", async () => {
    const response = await post("/notes", '{"note":"x","more":[{"a/b":1,"a\\u002fb":2}]}', key);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: "invalid-request",
      detail: "#/more/0/a~1b is given more than once.",
      errors: [
        { pointer: "#/more/0/a~1b", detail: "is given more than once", code: "duplicate-key" },
      ],
    });
    expect(server.calls).toEqual([]);
  });

  it("treats a large body like a small one", async () => {
    const large = "x".repeat(150_000);
    const twice = await post("/notes", `{"note":"x","note":"${large}"}`, key);
    expect(await getPointers(twice)).toEqual(["#/note"]);
    expect(await getPointers(await post("/notes", { other: large }, key))).toContain("#/other");
    expect((await post("/notes", `{"note":"${large}`, key)).status).toBe(400);
    const spaced = await post("/notes", `${" ".repeat(150_000)}{"note":"x"}`, key);
    expect(spaced.status).toBe(201);
    expect(server.calls).toEqual([{ note: "x", idempotencyKey: null }]);
  });

  it("refuses a body with too many values", async () => {
    const response = await post("/reputation/bulk", Array(10_001).fill(0));
    expect(await response.json()).toMatchObject({ errors: [{ code: "too-many-values" }] });
  });

  it("refuses unknown query parameters, each with the name that was probably meant", async () => {
    const response = await server.fetch("/explore/search?minscore=high&pgae=1&q=a&utm_source=x");
    expect(response.status).toBe(400);
    const { detail, errors } = await response.json();
    expect(detail).toBe(
      "#/query/minscore is not a query parameter of this path, which has q, category, minScore, proven, tags, page, size. Did you mean `minScore`? 2 other fields are not valid either; see `errors`.",
    );
    expect(errors).toMatchObject([
      { pointer: "#/query/minscore", code: "unknown-parameter", suggestion: "minScore" },
      { pointer: "#/query/pgae", code: "unknown-parameter", suggestion: "page" },
      { pointer: "#/query/utm_source", code: "unknown-parameter" },
    ]);
    expect(errors[2]).not.toHaveProperty("suggestion");
  });

  it("refuses query parameters of a path without any, and calls nothing", async () => {
    const init = { method: "POST", headers: { "Content-Type": "application/json", ...key } };
    const posted = await server.fetch("/notes?dryRun=true", { ...init, body: '{"note":"x"}' });
    expect(await getPointers(posted)).toEqual(["#/query/dryRun"]);
    const listed = await server.fetch("/notes?page=1", { headers: key });
    expect(await getPointers(listed)).toEqual(["#/query/page"]);
    expect(server.calls).toEqual([]);
  });

  it("names the unknown body field that was probably meant", async () => {
    const response = await post("/notes", { note: "x", vlaueUsdc: 1 }, key);
    expect(await response.json()).toMatchObject({
      detail: "#/vlaueUsdc is not a field of this request. Did you mean `valueUsdc`?",
      errors: [{ pointer: "#/vlaueUsdc", code: "unknown-field", suggestion: "valueUsdc" }],
    });
    const path = await server.fetch(`/notes/${NOTE_ID}`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: '{"notId":"x"}',
    });
    // The path has given `noteId`, so the body cannot have meant it.
    expect((await path.json()).errors).toMatchObject([{ suggestion: "note" }]);
  });

  it("treats null as absent in an optional field, and only there", async () => {
    expect((await post("/notes", { note: "x", valueUsdc: null }, key)).status).toBe(201);
    expect(server.calls).toEqual([{ note: "x", idempotencyKey: null }]);
    const required = await post("/notes", { note: null }, key);
    expect(await required.json()).toMatchObject({ detail: "#/note must be text; it is null." });
  });

  it("accepts a doubled slash after the base URL, and only there", async () => {
    const response = await server.fetch("//explore/search?page=2");
    expect(await response.json()).toMatchObject({ page: 2 });
    expect((await post("///notes", { note: "x" }, key)).status).toBe(201);
    expect((await server.fetch("/explore//search")).status).toBe(404);
  });

  it.each([
    ['{"note":\n  "rep_secret",\n}', 3, 1],
    ["{\"note\": 'rep_secret'}", 1, 10],
    ['{"note":"rep_secret"', 1, 21],
  ])(
    "gives the position of a syntax error and no text of the body: %j",
    async (body, line, column) => {
      const response = await post("/notes", body, key);
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({
        code: "malformed-json",
        detail: expect.stringContaining(`at line ${line}, column ${column}: `),
        errors: [{ pointer: "#", code: "syntax" }],
      });
      expect(text).not.toContain("secret");
    },
  );

  it("refuses NUL in any text", async () => {
    expect(await getPointers(await post("/notes", { note: "a\0b" }, key))).toEqual(["#/note"]);
  });
});

describe("responses", () => {
  it("returns the route's status, and the headers that the procedure set", async () => {
    const response = await post("/notes", { note: "x" }, { ...key, "Idempotency-Key": "once" });
    expect(response.status).toBe(201);
    expect(response.headers.get("Location")).toBe("/api/v1/notes/1");
    expect(response.headers.get("RateLimit")).toBe('"trial";r=2;t=60');
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    expect(server.calls).toEqual([{ note: "x", idempotencyKey: "once" }]);
  });

  it("returns 204 without a body", async () => {
    const response = await server.fetch(`/notes/${NOTE_ID}`, { method: "DELETE", headers: key });
    expect(response.status).toBe(204);
    expect(response.headers.get("Content-Type")).toBeNull();
    expect(await response.text()).toBe("");
  });

  it("describes the API at its root", async () => {
    const index = await (await server.fetch("")).json();
    expect(index).toMatchObject({ openapi: `${server.base}/openapi.json` });
    expect((await fetch(index.openapi)).status).toBe(200);
    expect((await server.fetch("/")).status).toBe(200);
  });

  it("sends security headers with every response", async () => {
    for (const path of ["/explore/search", "/nowhere"]) {
      const { headers } = await server.fetch(path);
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    }
  });
});

describe("methods", () => {
  it("distinguishes a method that a path lacks from an unknown path", async () => {
    const response = await server.fetch("/notes", { method: "DELETE" });
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe("POST, GET, HEAD, OPTIONS");
    expect((await server.fetch("/notes/a/b", { method: "DELETE" })).status).toBe(404);
    expect((await server.fetch("/Notes")).status).toBe(404);
    expect((await server.fetch("/hidden")).status).toBe(404);
  });

  it("responds to HEAD with the headers of GET and no body", async () => {
    const request = (method: string) =>
      server.raw(
        `${method} /api/v1/explore/search HTTP/1.1\r\nHost: x\r\nX-Request-Id: h\r\nConnection: close\r\n\r\n`,
      );
    const lines = (response: string) =>
      response
        .split("\r\n\r\n")[0]
        ?.split("\r\n")
        .filter((line) => !/^(Date|RateLimit):/i.test(line));
    const head = await request("HEAD");
    expect(head.split("\r\n\r\n")[1]).toBe("");
    expect(lines(head)).toEqual(lines(await request("GET")));
    expect(head).toMatch(/\r\nContent-Length: [1-9]/);
  });

  it("responds to a refused HEAD request without a body", async () => {
    const response = await server.fetch("/explore/search?page=x", { method: "HEAD" });
    expect(response.status).toBe(400);
    expect(await response.text()).toBe("");
  });

  it("responds to OPTIONS", async () => {
    const response = await server.fetch("/notes", { method: "OPTIONS" });
    expect(response.status).toBe(204);
    expect(response.headers.get("Allow")).toBe("POST, GET, HEAD, OPTIONS");
    expect((await server.fetch("/nowhere", { method: "OPTIONS" })).status).toBe(404);
  });

  it("accepts an absolute-form target", async () => {
    const response = await server.raw(
      "GET http://localhost/api/v1/explore/search?page=4 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    );
    expect(response).toContain('"page":4');
  });
});

describe("other sites' scripts", () => {
  it("may use public endpoints, refusals included, without credentials", async () => {
    for (const path of ["/explore/search", "/explore/search?page=x", `/notes/${NOTE_ID}`]) {
      const { headers } = await server.fetch(path, { headers: { Origin: "https://a.example" } });
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
      expect(headers.get("Access-Control-Expose-Headers")?.split(", ").sort()).toEqual([
        "ETag",
        "Location",
        "RateLimit",
        "RateLimit-Policy",
        "Retry-After",
        "X-Request-Id",
      ]);
    }
  });

  it("get a preflight response", async () => {
    const { status, headers } = await server.fetch("/reputation/bulk", {
      method: "OPTIONS",
      headers: { Origin: "https://a.example", "Access-Control-Request-Method": "POST" },
    });
    expect(status).toBe(204);
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(headers.get("Access-Control-Allow-Methods")).toBe("POST");
    expect(headers.get("Access-Control-Allow-Headers")).toContain("Content-Type");
  });

  it("are not allowed to send a key", async () => {
    const { headers } = await server.fetch(`/notes/${NOTE_ID}`, { method: "OPTIONS" });
    expect(headers.get("Access-Control-Allow-Methods")?.split(", ")).toContain("GET");
    expect(headers.get("Access-Control-Allow-Headers")).not.toMatch(/x-api-key/i);
  });

  it("may not use endpoints with a key", async () => {
    for (const init of [{}, { method: "OPTIONS" }, { headers: key }]) {
      const { headers } = await server.fetch("/notes", init);
      expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
    }
  });
});

describe("caching", () => {
  it("returns 304 to a client with the current response", async () => {
    const first = await server.fetch(`/reputation/${WALLET}`);
    const etag = first.headers.get("ETag") ?? "";
    expect(etag).toMatch(/^"/);
    expect(first.headers.get("Cache-Control")).toBe("public, no-cache");
    for (const sent of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const again = await server.fetch(`/reputation/${WALLET}`, {
        headers: { "If-None-Match": sent },
      });
      expect(again.status).toBe(304);
      expect(again.headers.get("ETag")).toBe(etag);
      expect(again.headers.get("X-Request-Id")).not.toBeNull();
      expect(again.headers.get("Content-Length")).toBeNull();
      expect(await again.text()).toBe("");
    }
    const other = await server.fetch(`/reputation/${OTHER}`, {
      headers: { "If-None-Match": etag },
    });
    expect(other.status).toBe(200);
  });

  it("responds to a read with a plain handler as to any other read", async () => {
    const read = async (path: string, init?: RequestInit) => {
      const response = await server.fetch(path, init);
      const { headers, status } = response;
      const names = [...headers.keys()].filter((name) => name !== "date").sort();
      return { status, names, tag: headers.get("ETag") ?? "", text: await response.text() };
    };
    const path = "/kept/note";
    const other = await read(`/reputation/${WALLET}`);
    const direct = await read(path);
    expect(direct.text).toBe('{"name":"note","from":"handler"}');
    expect(direct.names).toEqual(other.names);
    expect((await read(path, { method: "HEAD" })).text).toBe("");
    expect((await read(path, { headers: { "If-None-Match": direct.tag } })).status).toBe(304);
    expect((await read(`${path}?other=1`)).status).toBe(400);
  });

  it("refuses input that a plain handler does not accept, naming the parameter", async () => {
    const response = await server.fetch(`/kept/${"a".repeat(21)}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: "invalid-request",
      errors: [{ detail: expect.stringContaining("20") }],
    });
  });

  it("reports a plain handler that fails as an internal error", async () => {
    const response = await server.fetch("/kept/broken");
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ code: "internal-error" });
  });

  it("sends keyed responses without an entity tag and with no-store", async () => {
    const open = await server.fetch(`/notes/${NOTE_ID}`);
    expect(open.headers.get("ETag")).not.toBeNull();
    expect(open.headers.get("Vary")).toBe("X-API-Key, Authorization, Accept-Encoding");
    for (const path of [`/notes/${NOTE_ID}`, "/notes"]) {
      const { headers } = await server.fetch(path, { headers: { ...key, "If-None-Match": "*" } });
      expect(headers.get("Cache-Control")).toBe("private, no-store");
      expect(headers.get("ETag")).toBeNull();
    }
  });

  it("sends no-store with errors and responses to POST", async () => {
    for (const response of [
      await server.fetch("/nowhere"),
      await post("/reputation/bulk", [WALLET]),
    ]) {
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      expect(response.headers.get("ETag")).toBeNull();
    }
  });
});

describe("error responses", () => {
  it("are problem responses", async () => {
    const response = await server.fetch("/explore/search?page=x", {
      headers: { "X-Request-Id": "mine-1" },
    });
    expect(response.headers.get("Content-Type")).toBe("application/problem+json");
    expect(await response.json()).toEqual({
      type: "/problems/invalid-request",
      title: "The request is not valid",
      status: 400,
      detail: '#/query/page must be a number; it is "x".',
      help: expect.stringContaining("; suggestion is"),
      instance: "/api/v1/explore/search",
      code: "invalid-request",
      requestId: "mine-1",
      errors: [{ pointer: "#/query/page", detail: expect.any(String), code: "invalid-type" }],
    });
  });

  it("give the path as a URI reference, even if the client did not escape it", async () => {
    const response = await server.raw(
      'GET /api/v1/nowhere/{x}/"%41%/[y] HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    expect(response).toContain('"instance":"/api/v1/nowhere/%7Bx%7D/%22%41%25/%5By%5D"');
  });

  it("do not reveal why a key is not valid", async () => {
    const bodies = await Promise.all(
      [[], [["X-API-Key", "rep_unknown"]], [["X-API-Key", ""]]].map(async (sent) => {
        const headers = { ...Object.fromEntries(sent), "X-Request-Id": "same" };
        const response = await post("/notes", { note: "x" }, headers);
        expect(response.status).toBe(401);
        expect(response.headers.get("WWW-Authenticate")).toBe("ApiKey, Bearer");
        return response.text();
      }),
    );
    expect(new Set(bodies).size).toBe(1);
  });

  it("are sent before the body is read if the key is not valid", async () => {
    const response = await post("/notes", "{", { "Content-Type": "text/plain" });
    expect(response.status).toBe(401);
  });

  it("treat an empty optional key as absent", async () => {
    const response = await server.fetch(`/notes/${NOTE_ID}`, { headers: { "X-API-Key": "" } });
    expect(await response.json()).toMatchObject({ note: "public" });
  });

  it("do not ignore an invalid optional key", async () => {
    const response = await server.fetch(`/notes/${NOTE_ID}`, { headers: { "X-API-Key": "x" } });
    expect(response.status).toBe(401);
  });

  it("keep only the rate limit headers of the procedure", async () => {
    for (const [body, status] of [
      ['{"note":"gone"}', 404],
      ["{", 400],
    ] as const) {
      const response = await post("/notes", body, key);
      expect(response.status).toBe(status);
      expect(response.headers.get("RateLimit")).toBe('"trial";r=2;t=60');
      expect(response.headers.get("Location")).toBeNull();
    }
  });
});

describe("internal errors", () => {
  it.each(["database", "output"])("are masked and logged with the request id: %s", async (kind) => {
    const response = await server.fetch(`/faults/${kind}`, {
      headers: { "X-Request-Id": "f-1" },
    });
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ code: "internal-error", requestId: "f-1" });
    expect(text).not.toMatch(/hunter2|postgres|at .*\.ts|expected string/);
    const [line] = server.log.filter(({ level }) => level === 50);
    expect(line).toMatchObject({
      requestId: "f-1",
      method: "GET",
      url: `/api/v1/faults/${kind}`,
    });
    expect(JSON.stringify(line)).toMatch(kind === "output" ? /expected string/ : /hunter2/);
    expect(line).toMatchObject({ err: { stack: expect.stringContaining("\n    at ") } });
  });
});

describe("tracing", () => {
  it("identifies every request, by the caller's id if it is valid", async () => {
    const own = await server.fetch("/nowhere");
    expect(own.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
    const kept = await server.fetch("/nowhere", { headers: { "X-Request-Id": "a/b.c:1" } });
    expect(kept.headers.get("X-Request-Id")).toBe("a/b.c:1");
    const long = await server.fetch("/nowhere", { headers: { "X-Request-Id": "x".repeat(129) } });
    expect(long.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("returns and logs a valid traceparent", async () => {
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const kept = await server.fetch("/faults/x", { headers: { traceparent } });
    expect(kept.headers.get("traceparent")).toBe(traceparent);
    expect(server.log.map((line) => line.traceparent)).toEqual([traceparent, traceparent]);
    const dropped = await server.fetch("/nowhere", { headers: { traceparent: "00-0-0-01" } });
    expect(dropped.headers.get("traceparent")).toBeNull();
  });
});

describe("with an https PUBLIC_URL", () => {
  it("sends HSTS with every response", async () => {
    const secure = await startTestServer({ PUBLIC_URL: "https://standing.example" });
    for (const path of [`/reputation/${WALLET}`, "/nowhere"]) {
      const { headers } = await secure.fetch(path);
      expect(headers.get("Strict-Transport-Security"), path).toBe("max-age=31536000");
      const plain = await server.fetch(path);
      expect(plain.headers.get("Strict-Transport-Security"), path).toBeNull();
    }
    await secure.close();
  });
});
