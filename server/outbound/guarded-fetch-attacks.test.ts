import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createLookup, startHttpServer, startRawServer } from "@/server/testing/http/local-servers";
import { fetchDocument, postGuarded } from "./guarded-fetch";
import type { Lookup } from "./guarded-lookup";

const loopback = { allowLoopback: true };
/** For tests of timeouts: long enough for the server to start responding, short enough to wait. */
const shortTimeout = { ...loopback, timeoutMs: 500 };

describe("an address in another notation", () => {
  test.each([
    ["decimal", "2130706433"],
    ["decimal, with a dot after it", "2130706433."],
    ["octal", "0177.0.0.1"],
    ["octal in one number", "017700000001"],
    ["hexadecimal", "0x7f.0.0.1"],
    ["hexadecimal in one number", "0x7f000001"],
    ["shortened", "127.1"],
    ["with a dot after it", "127.0.0.1."],
    ["with ideographic full stops", "127。0。0。1"],
    ["in fullwidth digits", "１２７.0.0.1"],
    ["in circled digits", "①②⑦.0.0.1"],
    ["percent-encoded", "127%2E0%2E0%2E1"],
    ["IPv6 loopback", "[::1]"],
    ["mapped", "[::ffff:127.0.0.1]"],
    ["mapped, all written out", "[0:0:0:0:0:ffff:7f00:1]"],
  ])("%s is recognized as loopback: %s", async (_, host) => {
    const { port, seen } = await startHttpServer((_, response) => response.end("secret"));
    const failure = await fetchDocument(`http://${host}:${port}/`);
    expect(failure).toMatchObject({ ok: false, code: "refused-address", retryable: false });
    expect(seen).toEqual([]);
  });

  test.each([
    ["compatible", "[::127.0.0.1]"],
    ["translated", "[::ffff:0:127.0.0.1]"],
    ["NAT64", "[64:ff9b::127.0.0.1]"],
    ["NAT64 of local use", "[64:ff9b:1::7f00:1]"],
    ["6to4", "[2002:7f00:1::]"],
    ["Teredo", "[2001:0:4136:e378:8000:63bf:80ff:fffe]"],
    ["carrier-grade NAT", "100.127.255.254"],
    ["this host", "0"],
    ["private in octal", "0300.0250.1"],
    ["metadata", "169.254.169.254"],
    ["metadata in decimal", "2852039166"],
    ["metadata, mapped", "[::ffff:169.254.169.254]"],
    ["metadata over IPv6", "[fd00:ec2::254]"],
    ["Alibaba's metadata", "100.100.100.200"],
    ["Oracle's metadata", "192.0.0.192"],
    ["broadcast", "255.255.255.255"],
    ["private", "10.0.0.1"],
    ["link-local over IPv6", "[fe80::1]"],
  ])("%s is refused even if loopback is allowed: %s", async (_, host) => {
    const failure = await fetchDocument(`http://${host}/`, loopback);
    expect(failure).toMatchObject({ ok: false, code: "refused-address", retryable: false });
  });

  test.each([
    ["a zone", "http://[fe80::1%25lo]/"],
    ["a zone, not escaped", "http://[::1%lo]/"],
    ["a user name", "http://example.org@127.0.0.1/"],
    ["a user name made to look like a host", "http://example.org &@127.0.0.1/"],
    ["two ports", "http://127.0.0.1:80:81/"],
    ["a number above the largest address", "http://99999999999/"],
    ["no host", "http:///"],
  ])("refuses a URL with %s", async (_, url) => {
    expect(await fetchDocument(url, loopback)).toMatchObject({ ok: false, code: "invalid-url" });
  });

  test.each([
    "localhost.",
    "ⓛocalhost",
    "LOCALHOST",
    "metadata.google.internal",
    "127.0.0.1.nip.io",
  ])("a name for loopback is refused by its address: %s", async (host) => {
    const { port, seen } = await startHttpServer((_, response) => response.end("secret"));
    const lookup = createLookup(["127.0.0.1"]);
    const failure = await fetchDocument(`http://${host}:${port}/`, { lookup });
    expect(failure).toMatchObject({ ok: false, code: "refused-address" });
    expect(lookup.asked).toHaveLength(1);
    expect(seen).toEqual([]);
  });
});

describe("a port of another protocol", () => {
  test.each([22, 25, 53, 110, 143, 587, 993, 2049, 6000, 6667, 10080])(
    "%i is refused",
    async (port) => {
      const url = `http://docs.example:${port}/`;
      const lookup = createLookup(["127.0.0.1"]);
      const call = { ...loopback, lookup };
      expect(await fetchDocument(url, call)).toMatchObject({ code: "invalid-url" });
      expect(await postGuarded(url, { ...call, headers: {}, body: "" })).toMatchObject({
        error: "invalid-url",
      });
      expect(lookup.asked).toEqual([]);
    },
  );

  test("is not reached by a redirect either", async () => {
    const { url } = await startHttpServer((_, response) => {
      response.writeHead(302, { location: "http://127.0.0.1:25/" }).end();
    });
    expect(await fetchDocument(url, loopback)).toMatchObject({ code: "invalid-url" });
  });
});

describe("a redirect", () => {
  test.each([
    "http://10.0.0.1/",
    "http://192.168.0.1:8080/",
    "http://100.64.0.1/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[2002:a9fe:a9fe::]/",
    "http://2852039166/",
    "//169.254.169.254/latest/meta-data",
    "http:\\\\10.0.0.1",
    "http://[::ffff:10.0.0.1]/",
  ])("to %s is refused", async (location) => {
    const { url } = await startHttpServer((_, response) =>
      response.writeHead(307, { location }).end(),
    );
    const failure = await fetchDocument(url, loopback);
    expect(failure).toMatchObject({ ok: false, code: "refused-address" });
  });
});

describe("a response made to fill the memory", () => {
  const zeros = Buffer.alloc(8 * 1024 * 1024);
  test.each([
    ["gzip", () => gzipSync(zeros)],
    ["deflate", () => deflateSync(zeros)],
    ["br", () => brotliCompressSync(zeros)],
    ["zstd", () => Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
    ["identity, gzip", () => gzipSync(zeros)],
    ["x-unknown", () => Buffer.from("x")],
  ])("by %s is refused before decompression", async (encoding, bomb) => {
    const bytes = bomb();
    const { url } = await startHttpServer((_, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-encoding": encoding });
      response.end(bytes);
    });
    expect(await fetchDocument(url, loopback)).toMatchObject({ ok: false, code: "media-type" });
  });

  test("by an encoding in a second header is refused", async () => {
    const url = await startRawServer((socket) => {
      socket.end(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: identity\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx",
      );
    });
    expect(await fetchDocument(url, loopback)).toMatchObject({ ok: false, code: "media-type" });
  });

  test("with an endless head is refused", async () => {
    const url = await startRawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const pour = () => {
        while (!socket.destroyed && socket.write(`x-more: ${"x".repeat(1_000)}\r\n`));
      };
      socket.on("drain", pour);
      pour();
    });
    expect(await fetchDocument(url, loopback)).toMatchObject({ ok: false, code: "too-large" });
  });

  test("with endless chunks is refused", async () => {
    const url = await startRawServer((socket) => {
      socket.write(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n",
      );
      const pour = () => {
        while (!socket.destroyed && socket.write(`1000\r\n${"x".repeat(4_096)}\r\n`));
      };
      socket.on("drain", pour);
      pour();
    });
    expect(await fetchDocument(url, loopback)).toMatchObject({ ok: false, code: "too-large" });
  });
});

describe("a response that never ends", () => {
  const drip = (begin: string, more: string) =>
    startRawServer((socket) => {
      socket.write(begin);
      const dripping = setInterval(() => socket.write(more), 20);
      socket.on("close", () => clearInterval(dripping));
    });

  test.each([
    ["a head that drips", "HTTP/1.1 200 OK\r\nX-Slow: ", "x"],
    ["early hints without a response", "", "HTTP/1.1 103 Early Hints\r\n\r\n"],
    ["a body that drips", "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n", "x"],
  ])("%s times out", async (_, begin, more) => {
    const failure = await fetchDocument(await drip(begin, more), shortTimeout);
    expect(failure).toMatchObject({ ok: false, code: "timeout", retryable: true });
  });

  test("a name that never resolves times out", async () => {
    const silent: Lookup = () => {};
    const failure = await fetchDocument("http://docs.example/", {
      ...shortTimeout,
      lookup: silent,
    });
    expect(failure).toMatchObject({ ok: false, code: "timeout", retryable: true });
  });

  test("slow redirects share one timeout", async () => {
    const { url } = await startHttpServer((request, response) => {
      setTimeout(() => response.writeHead(302, { location: `${request.url}x` }).end(), 300);
    });
    const failure = await fetchDocument(url, shortTimeout);
    expect(failure).toMatchObject({ ok: false, code: "timeout" });
  });
});

describe("an inconsistent response", () => {
  test("shorter than its Content-Length is a failure", async () => {
    const url = await startRawServer((socket) => {
      socket.end("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 50\r\n\r\nshort");
    });
    expect(await fetchDocument(url, loopback)).toMatchObject({ ok: false, code: "connection" });
  });

  test("longer than its Content-Length is truncated", async () => {
    const url = await startRawServer((socket) => {
      socket.end("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nlonger");
    });
    expect(await fetchDocument(url, loopback)).toMatchObject({ ok: true, content: "long" });
  });

  test.each([
    ["two lengths", "Content-Length: 4\r\nContent-Length: 6"],
    ["a length and chunks", "Content-Length: 4\r\nTransfer-Encoding: chunked"],
    ["a negative length", "Content-Length: -4"],
  ])("with %s is a failure", async (_, headers) => {
    const url = await startRawServer((socket) => {
      socket.end(`HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n${headers}\r\n\r\nlonger`);
    });
    expect(await fetchDocument(url, loopback)).toMatchObject({ ok: false, code: "connection" });
  });

  test("that is not HTTP is a failure", async () => {
    const url = await startRawServer((socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"));
    expect(await fetchDocument(url, loopback)).toMatchObject({ ok: false, code: "connection" });
  });
});
