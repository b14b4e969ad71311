import { once } from "node:events";
import { connect } from "node:net";
import { expect } from "playwright/test";
import { type Agent, waitForResolution } from "./support/api";
import { serveLocally } from "./support/local-server";
import { openDashboard, readSecret, test } from "./support/owner";
import { readSeed } from "./support/seed";
import {
  ALL_ATTACKS,
  ATTACKS,
  expectInert,
  HOSTILE_URL,
  submitHostile,
  watchViolations,
} from "./support/untrusted-input";

let agents: Agent[];
let outcomes: string[];
let disputeId: string;

test.beforeAll(() => {
  const { hostile } = readSeed();
  agents = hostile.agents;
  outcomes = hostile.outcomeIds;
  disputeId = hostile.disputeId;
});

test("every page renders untrusted input as text", async ({ page }) => {
  await watchViolations(page);
  const paths = [
    "/",
    "/leaderboard?size=100",
    "/anchors",
    "/status",
    `/disputes/${disputeId}`,
    `/outcomes/${outcomes[0]}`,
    `/outcomes/${outcomes[1]}`,
    ...[ALL_ATTACKS, ...ATTACKS.slice(0, 2)].map((text) => `/search?q=${encodeURIComponent(text)}`),
    ...["nowhere", "agents", "problems"].map(
      (folder) => `/${folder}/${encodeURIComponent(ALL_ATTACKS)}`,
    ),
    `/leaderboard?tier=${encodeURIComponent(ATTACKS[1] ?? "")}&page=${encodeURIComponent("<b>")}`,
  ];
  for (const path of paths) {
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
      await expectInert(page);
    });
  }
  for (const { wallet, name } of agents) {
    await test.step(`/agents/${wallet}`, async () => {
      await page.goto(`/agents/${wallet}`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
      await expect(page).toHaveTitle(new RegExp(name.slice(0, 8).replace(/[^\w<]/g, ".")));
      await expectInert(page);
    });
  }
});

test("the search dialog renders untrusted names as text", async ({ page }) => {
  await watchViolations(page);
  await page.goto("/");
  const search = page.getByRole("textbox", { name: /^Search agents/ });
  // Set once the page listens for shortcuts.
  await expect(page.locator("[aria-keyshortcuts]")).toBeVisible();
  await page.keyboard.press("Control+k");
  for (const attack of ATTACKS.slice(0, 3)) {
    await search.fill(attack.slice(0, 30));
    await expect(
      page.getByRole("list", { name: "Results" }).getByRole("link").first(),
    ).toBeVisible();
    await expectInert(page);
  }
});

test("badges and pictures with hostile names run no scripts", async ({ page, request }) => {
  await watchViolations(page);
  for (const { wallet, name } of agents) {
    await page.goto(`/agents/${wallet}/badge.svg`);
    const drawn = await page.evaluate(() => ({
      ran: (window as unknown as { __hostile?: number }).__hostile ?? null,
      elements: [...new Set([...document.querySelectorAll("*")].map(({ localName }) => localName))],
      title: document.querySelector("title")?.textContent,
    }));
    expect(drawn.ran).toBeNull();
    expect(drawn.elements.sort()).toEqual(["g", "path", "rect", "svg", "text", "title"]);
    expect(drawn.title?.slice(0, 11)).toBe(`\u2068${name.slice(0, 10)}`);
    const profile = await (await request.get(`/agents/${wallet}`)).text();
    const [, address = ""] = /property="og:image" content="([^"]+)"/.exec(profile) ?? [];
    const { pathname, search } = new URL(address);
    const picture = await request.get(pathname + search);
    expect(picture.headers()["content-type"]).toBe("image/png");
  }
});

test("exported names are not spreadsheet formulas", async ({ request }) => {
  const exported = await request.get("/exports/leaderboard?format=csv&size=100");
  expect(exported.headers()).toMatchObject({
    "content-disposition": 'attachment; filename="standing-leaderboard.csv"',
    "x-content-type-options": "nosniff",
  });
  const csv = await exported.text();
  expect(csv).toContain("\"'=HYPERLINK(");
  expect(csv).not.toMatch(/(^|[,;\t])"?[=+@]/m);
});

test("the dashboard renders untrusted input as text and shows secrets only once", async ({
  createSignedInOwner,
  request,
}) => {
  const { page, agent } = await createSignedInOwner(ATTACKS[1] ?? "");
  await watchViolations(page);
  const outcomeId = await submitHostile(request, agent, agents[1] as Agent);
  await waitForResolution(request, outcomeId);
  await openDashboard(page, "Webhooks");
  const endpoint = await serveLocally((_, response) => void response.writeHead(204).end());
  await page
    .getByLabel("Endpoint URL")
    .fill(HOSTILE_URL.replace("http://127.0.0.1:1024", endpoint.url));
  await page.getByRole("button", { name: "Create webhook" }).click();
  await expect(page.getByRole("heading", { name: "signing secret" })).toBeVisible();
  const secret = await readSecret(page, "signing secret");
  await page.getByText("Test and deliveries").click();
  await page.getByRole("button", { name: "Send a ping" }).click();
  await expect(page.locator("span").filter({ hasText: "Delivered" })).toBeVisible();
  await expectInert(page);
  endpoint.close();

  const session = (await page.context().cookies()).find(({ name }) => name.endsWith("session"));
  expect(session).toMatchObject({ httpOnly: true, sameSite: "Strict" });
  for (const path of [
    "/dashboard",
    "/dashboard/outcomes",
    "/",
    `/agents/${agent.wallet}`,
    `/outcomes/${outcomeId}`,
  ]) {
    const response = await page.goto(path);
    await expectInert(page);
    const sent = (await response?.text()) ?? "";
    for (const hidden of [agent.apiKey, secret, session?.value ?? "?"])
      expect(sent).not.toContain(hidden);
  }
});

test("another site cannot act as the signed-in owner", async ({ createSignedInOwner, baseURL }) => {
  const { page } = await createSignedInOwner("Faithful Owner");
  const calls = ["agents.account.signOut", "agents.keys.rotate", "agents.keys.create"];
  const attacker = await serveLocally((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><title>evil</title>
      <form method=post enctype=text/plain action="${baseURL}/api/trpc/${calls[0]}"><input name='{"a":"' value='"}'></form>
      <iframe src="${baseURL}/dashboard"></iframe><script src="${baseURL}/api/trpc/agents.account.me"></script>`);
  });
  await page.goto(attacker.url.replace("127.0.0.1", "localhost"));
  const responses = await page.evaluate(
    async ({ base, paths }) =>
      Promise.all(
        paths.flatMap((path) =>
          (["cors", "no-cors"] as const).map((mode) =>
            fetch(`${base}/api/trpc/${path}`, {
              method: "POST",
              mode,
              credentials: "include",
              body: "{}",
            }).then(
              ({ type }) => type,
              () => "unreadable",
            ),
          ),
        ),
      ),
    { base: baseURL, paths: calls },
  );
  expect(responses).toEqual(calls.flatMap(() => ["unreadable", "unreadable"]));
  const posted = page.waitForResponse(/signOut/);
  await page.evaluate(() => document.forms[0]?.submit());
  expect((await posted).status()).toBe(403);
  const own = await page.context().newPage();
  await own.goto("/dashboard");
  await expect(own.getByRole("heading", { level: 1 }).first()).toHaveText("Faithful Owner");
  await own.goto("/dashboard/keys");
  await expect(own.getByRole("button", { name: /^Revoke the key/ })).toHaveCount(1);
  attacker.close();
});

test("every kind of response has its security headers", async ({ page, request }) => {
  await page.goto("/");
  const script = await page.locator("script[src]").first().getAttribute("src");
  const style = await page.locator("link[rel=stylesheet]").first().getAttribute("href");
  const [wallet] = agents.map((agent) => agent.wallet);
  const pages = ["/", "/leaderboard", `/agents/${wallet}`, "/dashboard", "/docs", "/nowhere"];
  const files = [
    script,
    style,
    "/icon.svg",
    `/agents/${wallet}/badge.svg`,
    `/pictures/agents/${wallet}`,
  ];
  const data = [
    "/exports/leaderboard?format=csv",
    "/api/health",
    "/api/v1/network",
    "/api/v1/nowhere",
    "/api/v1/outcome",
    "/api/v1/openapi.json",
    "/api/v1/ledger",
    "/api/trpc/nowhere",
    "/api/trpc/agents.account.me",
    "/api/metrics",
  ];
  for (const path of [...pages, ...files, ...data]) {
    const response = await request.get(path ?? "");
    const headers = response.headers();
    expect(headers["x-content-type-options"], path ?? "").toBe("nosniff");
    expect(headers["content-security-policy"], path ?? "").toContain("frame-ancestors 'none'");
    expect(headers["access-control-allow-credentials"], path ?? "").toBeUndefined();
    expect(headers["x-powered-by"], path ?? "").toBeUndefined();
    // HSTS must not be sent over http.
    expect(headers["strict-transport-security"], path ?? "").toBeUndefined();
    if (!path?.startsWith("/_next/")) expect(headers["referrer-policy"], path ?? "").toBeTruthy();
  }
  for (const path of pages) {
    expect((await request.get(path)).headers()).toMatchObject({
      "x-frame-options": "DENY",
      "referrer-policy": "strict-origin-when-cross-origin",
      "cross-origin-opener-policy": "same-origin-allow-popups",
      "permissions-policy": "camera=(), microphone=(), geolocation=()",
    });
  }
});

test("malformed request lines do not crash the process", async ({ request, baseURL }) => {
  const { hostname, port } = new URL(baseURL ?? "");
  const targets = [
    "//",
    "///evil.example",
    "*",
    "/%",
    "/%00",
    "/%ff%fe",
    "/..%2f..%2f..%2fetc/passwd",
    "/_next/static/../../../package.json",
    "/_next/image?url=http://169.254.169.254/&w=64&q=75",
    "/_next/data/x/y.json",
    "http://[",
    "http://evil.example/api/v1/network",
    "/\\evil.example",
    "/api/trpc/%",
    "/api/trpc/a,b,c?batch=1&input={",
    "/agents/%ff/badge.svg",
    "/leaderboard?page=%",
    `/search?q=${"%".repeat(5_000)}`,
  ];
  const send = async (method: string, target: string) => {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    let response = "";
    socket.setEncoding("latin1").on("data", (part) => {
      response += part;
    });
    socket.write(
      `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
    await once(socket, "close");
    expect(response, `${method} ${target}`).not.toContain("root:");
    expect(response, `${method} ${target}`).not.toMatch(/at .*\.(js|ts|mjs):\d+/);
    expect(response.slice(9, 12), `${method} ${target}`).toMatch(/^[234]\d\d$/);
  };
  for (const method of ["GET", "POST", "OPTIONS", "PROPFIND"]) {
    await Promise.all(targets.map((target) => send(method, target)));
  }
  expect((await request.get("/api/health")).status()).toBe(200);
});
