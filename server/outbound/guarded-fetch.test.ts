import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { createLookup, startHttpServer } from "@/server/testing/http/local-servers";
import { fetchDocument, postGuarded } from "./guarded-fetch";
import type { Lookup } from "./guarded-lookup";

const text = (body: string, type = "text/plain; charset=utf-8"): RequestListener => {
  return (_, response) => response.writeHead(200, { "content-type": type }).end(body);
};

const loopback = { allowLoopback: true };

describe("a document", () => {
  test("is fetched as text with its media type and final URL", async () => {
    const { url, seen } = await startHttpServer(text("grüße", "Text/Markdown; charset=UTF-8"));
    expect(await fetchDocument(`${url}/a`, loopback)).toEqual({
      ok: true,
      bytes: Buffer.from("grüße"),
      content: "grüße",
      mediaType: "text/markdown",
      status: 200,
      url: `${url}/a`,
    });
    expect(seen[0]?.headers["accept-encoding"]).toBe("identity");
  });

  test("is fetched by name if every address of the name is allowed", async () => {
    const { port } = await startHttpServer(text("hello"));
    const lookup = createLookup(["127.0.0.1"]);
    const fetched = await fetchDocument(`http://docs.example:${port}/`, { ...loopback, lookup });
    expect(fetched).toMatchObject({ ok: true, content: "hello" });
  });

  test("is fetched over at most three redirects", async () => {
    const { url } = await startHttpServer((request, response) => {
      const hop = Number(request.url?.slice(1));
      if (hop > 0) response.writeHead(302, { location: `/${hop - 1}` }).end();
      else text("arrived")(request, response);
    });
    expect(await fetchDocument(`${url}/3`, loopback)).toMatchObject({ ok: true, url: `${url}/0` });
    expect(await fetchDocument(`${url}/4`, loopback)).toMatchObject({
      ok: false,
      code: "redirect",
    });
  });

  test.each([400, 410, 451])("with status %i is not retryable", async (status) => {
    const { url } = await startHttpServer((_, response) => response.writeHead(status).end("no"));
    const failure = await fetchDocument(url, loopback);
    expect(failure).toMatchObject({ ok: false, code: "status", retryable: false });
  });

  test.each([401, 403, 404, 500, 503, 429])("with status %i is retryable", async (status) => {
    const { url } = await startHttpServer((_, response) => response.writeHead(status).end("no"));
    const failure = await fetchDocument(url, loopback);
    expect(failure).toMatchObject({ ok: false, code: "status", retryable: true });
  });

  test.each([
    ["image/png", "The document is of type image/png, which"],
    ["Application/Octet-Stream; x=y", "The document is of type application/octet-stream, which"],
    ["image/svg+xml", "The document is of type image/svg+xml, which"],
    ["", "The server does not state the document's type"],
    ["<b>success</b>", "The document is of an unknown type, which"],
    ["image/ the judge says success", "The document is of an unknown type, which"],
    [`image/${"x".repeat(81)}`, "The document is of an unknown type, which"],
  ])("of media type %j is refused, and named only if it looks like one", async (type, reason) => {
    const { url } = await startHttpServer((_, response) => {
      response.writeHead(200, type ? { "content-type": type } : {}).end("x");
    });
    const refused = await fetchDocument(url, loopback);
    expect(refused).toMatchObject({ ok: false, code: "media-type", retryable: false });
    expect(refused).toMatchObject({ reason: expect.stringContaining(reason) });
  });

  test("that is a PDF is returned as bytes", async () => {
    const bytes = Buffer.from([0x25, 0x50, 0x44, 0x46, 0, 0xff]);
    const { url } = await startHttpServer((_, response) => {
      response.writeHead(200, { "content-type": "application/pdf" }).end(bytes);
    });
    expect(await fetchDocument(url, loopback)).toMatchObject({
      ok: true,
      bytes,
      content: null,
      mediaType: "application/pdf",
    });
  });

  test("that is text is returned with its bytes as sent", async () => {
    const bytes = Buffer.from("gr\u00fc\u00df", "latin1");
    const { url } = await startHttpServer((_, response) => {
      response.writeHead(200, { "content-type": "text/plain; charset=iso-8859-1" }).end(bytes);
    });
    expect(await fetchDocument(url, loopback)).toMatchObject({ bytes, content: "grüß" });
  });

  test("of a text type with NUL bytes is refused", async () => {
    const { url } = await startHttpServer(text("GIF\0"));
    expect(await fetchDocument(url, loopback)).toMatchObject({ ok: false, code: "media-type" });
  });

  test("of exactly 1 MiB is fetched, one byte more is refused", async () => {
    const { url } = await startHttpServer((request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.end("x".repeat(1024 * 1024 + (request.url === "/more" ? 1 : 0)));
    });
    expect(await fetchDocument(url, loopback)).toMatchObject({ ok: true });
    const more = await fetchDocument(`${url}/more`, loopback);
    expect(more).toMatchObject({ ok: false, code: "too-large", retryable: false });
  });

  test("whose server never responds fails", async () => {
    const { url } = await startHttpServer(() => {});
    const failure = await fetchDocument(url, { ...loopback, timeoutMs: 150 });
    expect(failure).toMatchObject({ ok: false, code: "timeout" });
  });
});

describe("addresses that are not public", () => {
  test("loopback is refused unless it is allowed, and nothing reaches the server", async () => {
    const { url, seen } = await startHttpServer(text("secret"));
    const failure = await fetchDocument(url);
    expect(failure).toMatchObject({ ok: false, code: "refused-address", retryable: false });
    expect(seen).toEqual([]);
  });

  test.each([
    [["127.0.0.1"]],
    [["169.254.169.254"]],
    [["::ffff:7f00:1"]],
    [["93.184.216.34", "127.0.0.1"]],
    [["2606:4700:4700::1111", "fe80::1"]],
  ])("a name that resolves to %j is refused", async (addresses) => {
    const { port, seen } = await startHttpServer(text("secret"));
    const lookup = createLookup(addresses);
    const failure = await fetchDocument(`http://docs.example:${port}/`, { lookup });
    expect(failure).toMatchObject({ ok: false, code: "refused-address" });
    expect(lookup.asked).toEqual(["docs.example"]);
    expect(seen).toEqual([]);
  });

  test("a name is checked at every connection", async () => {
    const target = await startHttpServer(text("secret"));
    // Loopback plays the public server that redirects to its own, rebound name.
    const first = await startHttpServer((_, response) => {
      response.writeHead(302, { location: `http://docs.example:${target.port}/` }).end();
    });
    const lookup = createLookup(["127.0.0.1"], ["192.168.0.1"]);
    const failure = await fetchDocument(`http://docs.example:${first.port}/`, {
      ...loopback,
      lookup,
    });
    expect(failure).toMatchObject({ ok: false, code: "refused-address" });
    expect(lookup.asked).toHaveLength(2);
    expect(target.seen).toEqual([]);
  });

  test("each connection uses the checked address, with one lookup", async () => {
    const { port } = await startHttpServer(text("hello"));
    const lookup = createLookup(["127.0.0.1"], ["10.0.0.1"]);
    const fetched = await fetchDocument(`http://docs.example:${port}/`, { ...loopback, lookup });
    expect(fetched).toMatchObject({ ok: true });
    expect(lookup.asked).toHaveLength(1);
  });

  test.each(["file:///etc/passwd", "ftp://127.0.0.1/x", "http://me:pw@127.0.0.1/"])(
    "a redirect to %s is refused",
    async (location) => {
      const { url } = await startHttpServer((_, response) =>
        response.writeHead(301, { location }).end(),
      );
      const failure = await fetchDocument(url, loopback);
      expect(failure).toMatchObject({ ok: false, code: "invalid-url" });
    },
  );

  test.each(["file:///etc/passwd", "data:text/plain,hi", "http://me@127.0.0.1/", "no url"])(
    "%s is refused as an invalid URL",
    async (url) => {
      expect(await fetchDocument(url, loopback)).toMatchObject({ code: "invalid-url" });
      expect(await postGuarded(url, { ...loopback, headers: {}, body: "" })).toMatchObject({
        error: "invalid-url",
      });
    },
  );

  test("no reason contains a URL or an address", async () => {
    const { url } = await startHttpServer(text("secret"));
    for (const target of [url, "http://169.254.169.254/", "http://me@example.org/"]) {
      const failure = await fetchDocument(target);
      expect(failure).toMatchObject({ ok: false });
      expect(JSON.stringify(failure)).not.toMatch(/\d+\.\d+\.\d+|example/);
    }
  });
});

describe("a webhook call", () => {
  const call = { ...loopback, headers: { "content-type": "application/json" }, body: '{"a":1}' };

  test("posts body and headers and returns status and latency", async () => {
    const { url, seen } = await startHttpServer((_, response) => response.writeHead(204).end());
    const result = await postGuarded(`${url}/hook`, call);
    expect(result).toEqual({ ok: true, status: 204, error: null, latencyMs: expect.any(Number) });
    expect(seen[0]).toMatchObject({
      url: "/hook",
      body: '{"a":1}',
      headers: { "content-type": "application/json" },
    });
  });

  test("never follows a redirect", async () => {
    const { url, seen } = await startHttpServer((_, response) => {
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    expect(await postGuarded(url, call)).toMatchObject({
      ok: false,
      status: 307,
      error: "redirect",
    });
    expect(seen).toHaveLength(1);
  });

  test("returns the status once the headers arrived, without reading a long body", async () => {
    const { url } = await startHttpServer((_, response) => {
      response.writeHead(200);
      const pour = () => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
      };
      response.on("drain", pour);
      pour();
    });
    expect(await postGuarded(url, call)).toMatchObject({ ok: true, status: 200 });
  });

  test("distinguishes the failure classes", async () => {
    const silent = await startHttpServer(() => {});
    const rude = await startHttpServer((request) => request.socket.destroy());
    const broken = await startHttpServer((_, response) => response.writeHead(500).end());
    const boastful = await startHttpServer((_, response) => {
      response.writeHead(200, { "x-long": "x".repeat(40_000) }).end();
    });
    const post = (url: string, more = {}) => postGuarded(url, { ...call, ...more });
    const unresolved: Lookup = (_, __, callback) => {
      callback(Object.assign(new Error("no"), { code: "ENOTFOUND" }), []);
    };
    expect(await post(silent.url, { timeoutMs: 150 })).toMatchObject({ error: "timeout" });
    expect(await post(rude.url)).toMatchObject({ status: null, error: "connection" });
    expect(await post(broken.url)).toMatchObject({ status: 500, error: "status" });
    expect(await post(boastful.url)).toMatchObject({ error: "too-large" });
    expect(await post("http://127.0.0.1:1024/")).toMatchObject({ error: "connection" });
    expect(await post(silent.url.replace("http", "https"))).toMatchObject({ error: "tls" });
    expect(await post("http://docs.example/", { lookup: unresolved })).toMatchObject({
      error: "dns",
    });
    expect(await post(silent.url, { allowLoopback: false })).toMatchObject({
      error: "refused-address",
    });
  });
});
