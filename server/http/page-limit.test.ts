import { createServer } from "node:http";
import { afterEach, expect, test } from "vitest";
import { createHstsHeader } from "@/server/rest/response";
import { type Listening, listen } from "@/server/testing/http/listen";
import { createPageLimit } from "./page-limit";
import { NO_ORIGINS } from "./page-policy";
import { createRequestHandler } from "./request-handler";

const nothing = { serve: async () => {} };
const opened: Listening[] = [];
afterEach(async () => {
  for (const { close } of opened.splice(0)) await close();
});

/** Starts a service with a limit of twenty pages a minute. Returns a client behind its proxy. */
async function startService() {
  const limit = createPageLimit({ PUBLIC_READS_PER_MINUTE: 20, TRUSTED_PROXIES: 1 });
  const inngest = async () => new Response();
  const transports = { rest: nothing as never, trpc: nothing, metrics: nothing as never, inngest };
  const guard = {
    ownerPages: NO_ORIGINS,
    verifyPage: NO_ORIGINS,
    headers: createHstsHeader({ PUBLIC_URL: "https://a.example" }),
  };
  const pages = async (_: unknown, res: { end(text: string): void }) => res.end("a page");
  const handler = createRequestHandler(transports, pages, guard, limit);
  const server = await listen(createServer(handler));
  opened.push(server);
  return (ip: string, path: string, init: { method?: string; headers?: object } = {}) =>
    fetch(`${server.url}${path}`, {
      ...init,
      headers: { "X-Forwarded-For": `6.6.6.6, ${ip}`, ...init.headers },
    });
}

/** Counts how many of `times` requests get a page. */
async function countPages(times: number, ask: (nth: number) => Promise<Response>): Promise<number> {
  let pages = 0;
  for (let nth = 0; nth < times; nth++) if ((await ask(nth)).status === 200) pages++;
  return pages;
}

test("refuses a client over the limit and says when to retry", async () => {
  const ask = await startService();
  expect(await countPages(20, (nth) => ask("192.0.2.1", `/search?q=${nth}`))).toBe(20);
  const refused = await ask("192.0.2.1", "/leaderboard");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(50);
  expect(refused.headers.get("RateLimit-Policy")).toBe('"pages";q=20;w=60');
  expect(refused.headers.get("Cache-Control")).toBe("no-store");
  expect(refused.headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(refused.headers.get("Strict-Transport-Security")).toContain("max-age");
  expect(await refused.text()).toMatch(/^Too many page requests .* Try again in \d\d seconds\.\n$/);
  expect((await ask("192.0.2.2", "/leaderboard")).status).toBe(200);
});

test("counts a /64 network as one client, and every method", async () => {
  const ask = await startService();
  const asked = (nth: number) =>
    ask(`2001:db8::${nth + 1}`, "/dashboard", { method: nth % 2 ? "POST" : "HEAD" });
  expect(await countPages(25, asked)).toBe(20);
});

test("counts a picture as ten pages", async () => {
  const ask = await startService();
  for (const path of ["/opengraph-image-1a2b3c?4d5e", "/pictures/agents/0x1"]) {
    expect((await ask("192.0.2.3", path)).status).toBe(200);
  }
  expect((await ask("192.0.2.3", "/")).status).toBe(429);
});

test("counts prefetches separately if Next treats them as prefetches", async () => {
  const ask = await startService();
  const ahead = { headers: { RSC: "1", "Next-Router-Prefetch": "1" } };
  expect(await countPages(110, () => ask("192.0.2.5", "/agents/0x1", ahead))).toBe(100);
  const whole = [
    { RSC: "1" },
    { "Next-Router-Prefetch": "1" },
    { RSC: "1", "Next-Router-Prefetch": "2" },
  ];
  const asked = (nth: number) =>
    ask("192.0.2.5", "/leaderboard", { headers: whole[nth % 3] ?? {} });
  expect(await countPages(25, asked)).toBe(20);
});

test("does not count build files, health checks and calls of an Inngest server", async () => {
  const ask = await startService();
  for (const path of ["/_next/static/chunks/a.js", "/api/health", "/api/inngest?fnId=a"]) {
    expect(await countPages(25, () => ask("192.0.2.4", path))).toBe(25);
  }
  expect(await countPages(25, () => ask("192.0.2.4", "/"))).toBe(20);
});
