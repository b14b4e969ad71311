import fc from "fast-check";
import { expect, it } from "vitest";
import {
  getServiceOrigin,
  isDecodablePath,
  normalizeRequestTarget,
  parseTraceparent,
  resolveRequestId,
} from "./request-headers";

const local = { HOST: "127.0.0.1", PORT: 3000 };

it("returns PUBLIC_URL as the origin if set", () => {
  const env = { ...local, PUBLIC_URL: "https://standing.example" };
  expect(getServiceOrigin(env, "evil.example")).toBe("https://standing.example");
});

it("uses a Host that names this machine as the origin", () => {
  for (const host of ["localhost:3000", "127.0.0.1:8080", "[::1]:3000", "localhost"]) {
    expect(getServiceOrigin(local, host)).toBe(`http://${host}`);
  }
  expect(getServiceOrigin(local, "LOCALHOST:3000")).toBe("http://localhost:3000");
  expect(getServiceOrigin({ HOST: "10.1.2.3", PORT: 80 }, "10.1.2.3:80")).toBe(
    "http://10.1.2.3:80",
  );
});

it("ignores any other Host", () => {
  for (const host of [
    "evil.example",
    "localhost.evil.example",
    "localhost:3000/x",
    "a@localhost",
    "localhost:99999",
    "",
  ]) {
    expect(getServiceOrigin(local, host)).toBe("http://127.0.0.1:3000");
  }
  expect(getServiceOrigin({ HOST: "0.0.0.0", PORT: 3000 }, undefined)).toBe(
    "http://localhost:3000",
  );
  expect(getServiceOrigin({ HOST: "::1", PORT: 3000 }, undefined)).toBe("http://[::1]:3000");
});

it("always returns an absolute URL without a path", () => {
  fc.assert(
    fc.property(fc.string(), (host) => {
      const origin = getServiceOrigin(local, host);
      expect(new URL(origin).origin).toBe(origin.replace(/:80$/, "").replace(/:0+(\d)/, ":$1"));
    }),
  );
});

it("keeps a request id of visible ASCII and replaces any other", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 140 }), (sent) => {
      const isValid = /^[!-~]{1,128}$/.test(sent);
      expect(resolveRequestId(sent) === sent).toBe(isValid);
    }),
  );
  expect(resolveRequestId(undefined)).toMatch(/^[0-9a-f-]{36}$/);
});

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const parent = "00f067aa0ba902b7";

it.each([`00-${trace}-${parent}-01`, `00-${trace}-${parent}-00`, `cc-${trace}-${parent}-01-more`])(
  "keeps the valid traceparent %s",
  (sent) => expect(parseTraceparent(sent)).toBe(sent),
);

it.each([
  "",
  `ff-${trace}-${parent}-01`,
  `00-${trace}-${parent}-01-more`,
  `00-${"0".repeat(32)}-${parent}-01`,
  `00-${trace}-${"0".repeat(16)}-01`,
  `00-${trace.toUpperCase()}-${parent}-01`,
  `00-${trace}-${parent}`,
])("drops the invalid traceparent %s", (sent) => expect(parseTraceparent(sent)).toBeNull());

it.each([
  ["/api/./trpc/network.get?a=/../b", "/api/trpc/network.get?a=/../b"],
  ["/x/../api/v1/network", "/api/v1/network"],
  ["/x/%2E%2e/api/v1/network", "/api/v1/network"],
  ["/api/.%2E/../api/v1", "/api/v1"],
  ["/x\\..\\..\\api/v1", "/api/v1"],
  ["//evil/../api/v1", "//api/v1"],
  ["/../..", "/"],
])("normalizes %s to %s", (target, expected) =>
  expect(normalizeRequestTarget(target)).toBe(expected),
);

it.each([
  "/api/v1/explore/search?q=a/../b",
  "/agents/0xAb?page=1",
  "/a.b/.c",
  "*",
  "http://x/../y",
])("keeps %s unchanged", (target) => expect(normalizeRequestTarget(target)).toBe(target));

it("leaves no dot segment for a URL parser", () => {
  const part = fc.constantFrom("/", "\\", ".", "..", "%2e", "%2E", "api", "v1", "%", "a", "?", "#");
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const path = normalizeRequestTarget(`/${parts.join("")}`).split(/[?#]/, 1)[0] ?? "";
      expect(new URL(`http://localhost${path}`).pathname).toBe(path);
    }),
  );
});

it.each([
  ["/", true],
  ["/agents/%C3%BC?page=%", true],
  ["http://other.example/leaderboard", true],
  ["/%", false],
  ["/agents/%ff/badge.svg", false],
  ["*", false],
  ["http://[", false],
  ["leaderboard", false],
])("returns whether the path of %s is decodable: %s", (target, decodable) => {
  expect(isDecodablePath(target)).toBe(decodable);
});
