import { hash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createHstsHeader } from "@/server/rest/response";
import { listen } from "@/server/testing/http/listen";
import type { ServePage } from "./compressed-files";
import { cachePages, PAGE_TTL_MS, type PublicPages } from "./page-cache";
import { createPageLimit } from "./page-limit";
import { createRequestHandler } from "./request-handler";

const PUBLIC = /^\/(leaderboard|verify|missing|moved|broken|cut|cookie|slow|many|large-\d)?$/;
const nothing = { serve: async () => {} };

/** Requests that the pages received since the test began. */
let rendered: Pick<IncomingMessage, "url" | "headers">[];
let now = 1;
let limit = createPageLimit({ PUBLIC_READS_PER_MINUTE: 1_000, TRUSTED_PROXIES: 0 });

const pagePolicy = {
  ownerPages: { connect: [], frame: [] },
  verifyPage: { connect: ["https://node.example"], frame: [] },
  headers: createHstsHeader({ PUBLIC_URL: "https://a.example" }),
};

/** Renders like Next: scripts of its own carry the nonce of the request's policy. */
const pages: ServePage = async (req, res) => {
  rendered.push({ url: req.url, headers: req.headers });
  const path = req.url?.split("?", 1)[0];
  if (path === "/cut") return void res.writeHead(200).write("<p>", () => res.destroy());
  if (path === "/slow") now += PAGE_TTL_MS / 2;
  if (path === "/cookie") res.setHeader("Set-Cookie", "standing_session=secret");
  if (path === "/moved") res.setHeader("Location", "/leaderboard");
  const nonce = /'nonce-([^']+)'/.exec(String(req.headers["content-security-policy"]))?.[1];
  res.writeHead(
    path === "/missing" ? 404 : path === "/moved" ? 307 : path === "/broken" ? 500 : 200,
    {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "private, no-store",
      "X-Frame-Options": "DENY",
      Link: `</a.css>; rel=preload; as="style"; nonce="${nonce}"`,
    },
  );
  res.end(
    [
      `<html><script nonce="${nonce}" src="/a.js" async=""></script>`,
      `<p>${rendered.length} ${req.headers.cookie ?? ""} ${"x".repeat(2_000)}</p>`,
      '<script>injected()</script><script nonce="x">injected()</script>',
      `<p title="<script nonce='${nonce}'>">`,
      `<!-- <script nonce="${nonce}">comment()</script> -->`,
      `<script nonce="${nonce}" id="first">first()</script>`,
      `<script nonce="${nonce}">data = {"nonce":"${nonce}"}</script></html>`,
      path === "/many" ? `<script nonce="${nonce}">more()</script>`.repeat(30) : "",
      path?.startsWith("/large") ? "x".repeat(6_000_000) : "",
    ].join("\n"),
  );
};
const publicPages: PublicPages = {
  findParameters: (path) => (PUBLIC.test(path) ? ["a", "b"] : null),
  variant: { cookie: "theme", values: ["light", "dark"] },
};
const server = createServer(
  createRequestHandler(
    { rest: nothing as never, trpc: nothing, metrics: nothing as never },
    pages,
    pagePolicy,
    (req) => limit(req),
    (served) => cachePages(served, publicPages, () => now),
  ),
);

const { port, close } = await listen(server);
afterAll(close);
beforeEach(() => {
  rendered = [];
  // What earlier tests left behind has expired.
  now += 2 * PAGE_TTL_MS;
});

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  html: string;
}

async function visit(path: string, headers: Record<string, string> = {}, method = "GET") {
  const sent = request({ port, path, method, headers, agent: false }).end();
  const [res] = (await once(sent, "response")) as [IncomingMessage];
  const body = await buffer(res).catch(() => Buffer.from("cut off"));
  const answer: Answer = {
    status: res.statusCode ?? 0,
    headers: res.headers,
    body,
    html: body.toString(),
  };
  return answer;
}

const getScriptPolicy = ({ headers }: Answer) =>
  /script-src ([^;]*)/.exec(String(headers["content-security-policy"]))?.[1];

test("renders a page once for all visitors, and again when it is too old", async () => {
  const answers = await Promise.all([visit("/"), visit("/"), visit("/")]);
  now += PAGE_TTL_MS - 1;
  answers.push(await visit("/"));
  expect(new Set(answers.map(({ html }) => html)).size).toBe(1);
  expect(rendered.length).toBe(1);
  now += 2;
  expect((await visit("/")).html).not.toBe(answers[0]?.html);
  expect(rendered.length).toBe(2);
});

test("counts the age of a page from the start of its rendering", async () => {
  await visit("/slow");
  now += PAGE_TTL_MS / 2 + 1;
  await visit("/slow");
  expect(rendered.length).toBe(2);
});

test("allows the scripts that Next wrote, by hash, and no injected one", async () => {
  const page = await visit("/");
  const policy = String(rendered[0]?.headers["content-security-policy"]);
  const nonce = /'nonce-([\w-]+)'/.exec(policy)?.[1] ?? "";
  expect(nonce).toHaveLength(22);
  expect(page.html).not.toContain(nonce);
  expect(JSON.stringify(page.headers)).not.toContain(nonce);
  const trusted = ["first()", 'data = {"nonce":""}'];
  for (const text of trusted) expect(page.html).toContain(`>${text}</script>`);
  const hashes = trusted.map((text) => `'sha256-${hash("sha256", text, "base64")}'`);
  expect(getScriptPolicy(page)).toBe(["'self'", ...hashes].join(" "));
});

test("renders for a request that carries nothing of the visitor's", async () => {
  await visit("/", {
    Host: "a.example",
    Cookie: "a=1; theme=dark; wallet=0x1",
    Authorization: "Bearer secret",
    "User-Agent": "me",
    "X-Forwarded-For": "192.0.2.1",
    "Next-Action": "x",
  });
  const { "content-security-policy": _, connection: __, ...headers } = rendered[0]?.headers ?? {};
  expect(headers).toEqual({ host: "a.example", cookie: "theme=dark" });
});

test.each([
  ["with a session", "/", { Cookie: "theme=dark; standing_session=a" }],
  ["with a session over https", "/", { Cookie: "__Host-standing_session=a" }],
  ["of an account", "/dashboard", {}],
  ["of Next's router", "/?_rsc=1", { RSC: "1" }],
  ["that posts", "/", {}, "POST"],
])("does not share the response to a request %s", async (_, path, headers, method = "GET") => {
  const shared = await visit(path === "/dashboard" ? "/" : path.slice(0, 1));
  const first = await visit(path, headers, method);
  const second = await visit(path, headers, method);
  expect(rendered.length).toBe(3);
  expect(new Set([shared, first, second].map(({ html }) => html)).size).toBe(3);
  expect(getScriptPolicy(first)).toMatch(/^'self' 'nonce-[^']+'$/);
  expect(first.headers["cache-control"]).toBe("private, no-store");
  expect((await visit("/")).html).toBe(shared.html);
});

test("does not share a response that sets a cookie", async () => {
  await visit("/cookie");
  const again = rendered.length;
  await visit("/cookie");
  expect(rendered.length).toBeGreaterThan(again);
  expect(rendered.at(-1)?.headers["user-agent"]).toBe(undefined);
});

test("does not share a page with more inline scripts than a header should list", async () => {
  expect(getScriptPolicy(await visit("/many"))).toMatch(/^'self' 'nonce-[^']+'$/);
});

test("shares redirects and missing pages, but no error of the server", async () => {
  const visitTwice = async (path: string) => [await visit(path), await visit(path)] as const;
  const [moved, movedAgain] = await visitTwice("/moved");
  expect(moved).toMatchObject({ status: 307, headers: { location: "/leaderboard" } });
  expect(movedAgain.html).toBe(moved.html);
  const [missing, missingAgain] = await visitTwice("/missing");
  expect(missing.status).toBe(404);
  expect(missingAgain.html).toBe(missing.html);
  const [broken, brokenAgain] = await visitTwice("/broken");
  expect([broken.status, brokenAgain.status]).toEqual([500, 500]);
  expect(brokenAgain.html).not.toBe(broken.html);
  const [cut, cutAgain] = await visitTwice("/cut");
  expect([cut.html, cutAgain.html]).toEqual(["cut off", "cut off"]);
});

test("distinguishes host, theme and query, but not other cookies or the order of the query", async () => {
  const groups = [
    [
      await visit("/"),
      await visit("/", { Cookie: "a=1" }),
      await visit("/", { Cookie: "theme=x" }),
    ],
    [await visit("/", { Cookie: "theme=dark" }), await visit("/", { Cookie: "a=1; theme=dark" })],
    [await visit("/", { Host: "b.example" })],
    [await visit("/?a=1&b=2"), await visit("/?b=2&a=1")],
    [await visit("/?a=1&b=3")],
    [await visit("/?a=1&b=2?c")],
    [await visit("/?a=%26b=2")],
  ].map((answers) => new Set(answers.map(({ html }) => html)));
  expect(groups.map(({ size }) => size)).toEqual([1, 1, 1, 1, 1, 1, 1]);
  expect(rendered.length).toBe(groups.length);
});

test("renders a page once for all parameters that it does not read", async () => {
  const same = [
    await visit("/"),
    await visit("/?utm_source=x"),
    await visit("/?c=1&c=2"),
    await visit("/?A=1"),
  ];
  expect(new Set(same.map(({ html }) => html)).size).toBe(1);
  const once = [await visit("/?a=1"), await visit("/?c=1&a=1")];
  expect(new Set(once.map(({ html }) => html)).size).toBe(1);
  expect(rendered.map(({ url }) => url)).toEqual(["/", "/?a=1"]);
});

test("passes on what a form repeats, but no more than a form would", async () => {
  await visit("/?a=1&a=2&b=0&a=3&a=4&a=5");
  await visit("/?a=1&a=2&b=0&a=3&a=4&a=6");
  expect(rendered.map(({ url }) => url)).toEqual(["/?a=1&a=2&a=3&a=4&b=0"]);
});

test("sends the coding that the client accepts, and a 304 if it has the page", async () => {
  const plain = await visit("/");
  const brotli = await visit("/", { "Accept-Encoding": "gzip, br" });
  const gzip = await visit("/", { "Accept-Encoding": "gzip" });
  expect(brotliDecompressSync(brotli.body).toString()).toBe(plain.html);
  expect(gunzipSync(gzip.body).toString()).toBe(plain.html);
  expect([plain, brotli, gzip].map(({ headers }) => headers["content-encoding"])).toEqual([
    undefined,
    "br",
    "gzip",
  ]);
  const tag = String(plain.headers.etag);
  expect([brotli.headers.etag, gzip.headers.etag]).toEqual([tag, tag]);
  const known = await visit("/", { "If-None-Match": tag });
  expect(known).toMatchObject({ status: 304, html: "" });
  expect(getScriptPolicy(known)).toBe(getScriptPolicy(plain));
  expect((await visit("/", { "If-None-Match": '"other"' })).status).toBe(200);
  const head = await visit("/", { "Accept-Encoding": "br" }, "HEAD");
  expect(head).toMatchObject({ status: 200, html: "" });
  expect(head.headers["content-length"]).toBe(String(brotli.body.length));
  expect(rendered.length).toBe(1);
});

test("keeps the page's headers, those of every response and the policy of its path", async () => {
  const { headers } = await visit("/verify");
  expect(headers).toMatchObject({
    "strict-transport-security": "max-age=31536000",
    "x-frame-options": "DENY",
    "content-type": "text/html; charset=utf-8",
    "cache-control": "private, no-cache, no-transform",
    vary: "Accept, Accept-Encoding, Cookie, RSC",
    link: '</a.css>; rel=preload; as="style"; nonce=""',
  });
  expect(headers["content-security-policy"]).toContain("connect-src 'self' https://node.example;");
});

test("holds a bounded number of bytes", async () => {
  for (const path of ["/large-1", "/large-2", "/large-3", "/large-1"]) await visit(path);
  expect(rendered.map(({ url }) => url)).toEqual(["/large-1", "/large-2", "/large-3", "/large-1"]);
});

test("counts shared pages against the limit", async () => {
  limit = createPageLimit({ PUBLIC_READS_PER_MINUTE: 2, TRUSTED_PROXIES: 0 });
  const answers = [await visit("/"), await visit("/"), await visit("/")];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
});
