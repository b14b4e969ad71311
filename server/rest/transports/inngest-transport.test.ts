import { expect, test } from "vitest";
import { isInngestPath, limitBodySize } from "./inngest-transport";

const echo = limitBodySize(async (request) =>
  Response.json({
    method: request.method,
    url: request.url,
    signature: request.headers.get("x-inngest-signature"),
    body: await request.text(),
  }),
);

const url = "http://localhost/api/inngest?fnId=standing-a&stepId=step";
const send = (body: RequestInit["body"], init: RequestInit = {}) =>
  echo(new Request(url, { method: "POST", body, duplex: "half", ...init } as RequestInit));

/** Returns a body in chunks of undeclared length. */
const createChunks = (sizes: number[]) =>
  new ReadableStream<Uint8Array>({
    start(reader) {
      for (const size of sizes) reader.enqueue(new Uint8Array(size));
      reader.close();
    },
  });

const MIB = 1_048_576;

test("passes a call on unchanged", async () => {
  const headers = { "x-inngest-signature": "t=1&s=a" };
  const response = await send('{"ä": 1}', { headers });
  expect(await response.json()).toEqual({
    method: "POST",
    url,
    signature: "t=1&s=a",
    body: '{"ä": 1}',
  });
  const read = await echo(new Request(url));
  expect(await read.json()).toMatchObject({ method: "GET", body: "" });
});

test("refuses calls over 4 MiB, with or without Content-Length", async () => {
  expect((await send("x".repeat(4 * MIB))).status).toBe(200);
  expect((await send("x".repeat(4 * MIB + 1))).status).toBe(413);
  expect((await send(createChunks([MIB, MIB, MIB, MIB]))).status).toBe(200);
  expect((await send(createChunks([MIB, MIB, MIB, MIB, 1]))).status).toBe(413);
});

test("refuses with a problem document", async () => {
  const response = await send("x".repeat(4 * MIB + 1), { headers: { "X-Request-Id": "mine" } });
  expect(response.headers.get("Content-Type")).toBe("application/problem+json");
  expect(await response.json()).toMatchObject({
    code: "body-too-large",
    instance: "/api/inngest",
    requestId: "mine",
  });
});

test("does not pass on a body that was cut off", async () => {
  const broken = new ReadableStream({
    pull: (reader) => reader.error(new Error("gone")),
  });
  expect((await send(broken)).status).toBe(400);
});

test("recognizes only the exact path", () => {
  expect(["/api/inngest", "/api/inngest?fnId=a"].every(isInngestPath)).toBe(true);
  expect(["/api/inngesting", "/api/inngest/x", "/", "/api/v1/inngest"].some(isInngestPath)).toBe(
    false,
  );
});
