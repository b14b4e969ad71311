import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { waitFor } from "@/server/testing/engine/engine";
import { startTestServer } from "@/server/testing/http/test-server";

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(() => {
  server.log.length = 0;
  server.calls.length = 0;
});
afterAll(() => server.close());

describe("a stream", () => {
  const send = (path: string, init?: RequestInit) => server.fetch(path, init);

  it("returns a JSON value per line, in order, counted as a public read", async () => {
    const response = await send("/stream?from=2&to=40");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/jsonl");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("etag")).toBeNull();
    expect(response.headers.get("content-length")).toBeNull();
    expect(response.headers.get("ratelimit")).toMatch(/^"default";r=/);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const text = await response.text();
    expect(text.endsWith("\n")).toBe(true);
    const lines = text.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).n)).toEqual(
      Array.from({ length: 39 }, (_, index) => index + 2),
    );
    expect(server.calls.at(-1)).toBe("ended");
  });

  it("returns an empty body if there are no lines", async () => {
    const response = await send("/stream?from=5&to=4");
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  it("responds to an invalid request or an early failure with a problem", async () => {
    const wrong = await send("/stream?from=0");
    expect(wrong.status).toBe(400);
    expect((await wrong.json()).errors[0].pointer).toBe("#/query/from");
    const failed = await send("/stream?failAt=1");
    expect(failed.status).toBe(500);
    expect(await failed.json()).toMatchObject({ code: "internal-error" });
  });

  it("closes the connection if it fails later", async () => {
    const response = await send("/stream?to=100&failAt=3");
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    const faults = server.log.filter(({ level }) => level === 50);
    expect(faults).toMatchObject([{ procedure: "stream.get", msg: "A stream failed" }]);
  });

  it("responds to HEAD with headers only, and stops reading", async () => {
    const response = await send("/stream?to=1000000", { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/jsonl");
    expect(await response.text()).toBe("");
    await waitFor(async () => server.calls.at(-1) === "ended");
    expect(server.calls).toEqual([1, "ended"]);
  });

  it("stops reading when the client disconnects", async () => {
    const response = await send("/stream?to=1000000");
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await waitFor(async () => server.calls.at(-1) === "ended");
    expect(server.calls.length).toBeLessThan(1_000);
  });
});

it("pauses for a client that does not read, without buffering", async () => {
  const socket = connect(server.port, "127.0.0.1");
  socket.pause();
  socket.write("GET /api/v1/stream?to=2000 HTTP/1.1\r\nHost: x\r\n\r\n");
  // Until the number of calls no longer changes: the connection's buffers are full.
  let before = -1;
  await waitFor(async () => {
    const isUnchanged = server.calls.length === before;
    before = server.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return isUnchanged && before > 0;
  });
  // Each call produces 100 kB, so only part of the 200 MB was produced.
  expect(server.calls.length).toBeLessThan(300);
  socket.destroy();
  await waitFor(async () => server.calls.at(-1) === "ended");
});
