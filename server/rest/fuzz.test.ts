import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TEST_KEY } from "@/server/testing/http/test-router";
import { startTestServer } from "@/server/testing/http/test-server";
import { scaleRuns } from "@/server/testing/scale-runs";
import type { RestRequest } from "./exchange";

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer({ PUBLIC_READS_PER_MINUTE: 1_000_000 });
});
afterAll(() => server.close());

const segment = fc.oneof(
  fc.constantFrom(
    "reputation",
    "notes",
    "explore",
    "search",
    "bulk",
    "openapi.json",
    "",
    ".",
    "..",
    "%",
    "%2F",
    "%00",
    "__proto__",
    "constructor",
  ),
  fc.constantFrom(
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "0f5c6f1e-6f3c-4a52-9d4e-2d8a4c8f1b7a",
  ),
  fc.string({ unit: "binary" }),
  fc.string().map(encodeURIComponent),
);
const path = fc.oneof(
  fc.constantFrom(
    "/reputation/bulk",
    "/notes",
    "/explore/search",
    "/reputation/0x52908400098527886E0F7030069857D2E4169EE7",
  ),
  fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join("/")}`),
);
const parameter = fc.tuple(
  fc.oneof(
    fc.constantFrom("page", "size", "q", "minScore", "proven", "tags", "__proto__", "toString"),
    fc.string(),
  ),
  fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string().map(encodeURIComponent),
    fc.constantFrom("1", "-1", "1e309", "true", "%", "%ff"),
  ),
);
const query = fc.array(parameter).map((pairs) => pairs.map((pair) => pair.join("=")).join("&"));
const body = fc.oneof(
  fc.json().map((text) => Buffer.from(text)),
  fc
    .record({ note: fc.string({ unit: "binary" }), valueUsdc: fc.double() })
    .map((value) => Buffer.from(JSON.stringify(value))),
  fc.uint8Array().map((bytes) => Buffer.from(bytes)),
);
const headers = fc.dictionary(
  fc.constantFrom(
    "content-type",
    "if-none-match",
    "x-api-key",
    "x-request-id",
    "traceparent",
    "x-forwarded-for",
    "host",
    "content-encoding",
  ),
  fc.oneof(fc.string(), fc.constantFrom("application/json", TEST_KEY, "*", "identity")),
);
const method = fc.oneof(
  fc.constantFrom("GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS", "PUT"),
  fc.string(),
);

function request(parts: {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  body: Buffer;
}): RestRequest {
  return {
    method: parts.method,
    url: `/api/v1${parts.path}?${parts.query}`,
    header: (name) => (Object.hasOwn(parts.headers, name) ? parts.headers[name] : undefined),
    peer: "192.0.2.1",
    hasBody: parts.body.length > 0,
    read: async () => parts.body,
  };
}

it("responds to any input, and never with a 500", async () => {
  const anything = fc.record({ method, path, query, headers, body });
  await fc.assert(
    fc.asyncProperty(anything, async (parts) => {
      const { body, ...response } = await server.rest.handle(request(parts));
      // A stream has no length; another test checks its content.
      if (typeof body === "object" && body !== null) return;
      expect(response.status).toBeGreaterThanOrEqual(200);
      expect(response.status).toBeLessThan(500);
      expect(response.headers["X-Request-Id"]).toMatch(/^[!-~]{1,128}$/);
      const length = Number(response.headers["Content-Length"] ?? 0);
      if (parts.method !== "HEAD") expect(Buffer.byteLength(body ?? "")).toBe(length);
      for (const value of Object.values(response.headers))
        expect(value).toMatch(/^[\t\x20-\x7e]*$/);
      if (response.status >= 400 && body !== null) {
        expect(JSON.parse(body)).toMatchObject({ status: response.status });
      }
    }),
    { numRuns: scaleRuns(500) },
  );
});
