import pLimit from "p-limit";
import { expect, test } from "playwright/test";
import type { Agent } from "./support/api";
import { readSeed } from "./support/seed";

/** Documents that lead programs, crawlers and language models to everything else. */
const DOCUMENTS = {
  "/llms.txt": "text/plain; charset=utf-8",
  "/llms-full.txt": "text/plain; charset=utf-8",
  "/docs.md": "text/markdown; charset=utf-8",
  "/docs/operations/submit-outcome.md": "text/markdown; charset=utf-8",
  "/docs/operations/on-outcome-resolved.md": "text/markdown; charset=utf-8",
  "/openapi.json": "application/json",
  "/.well-known/api-catalog": /^application\/linkset\+json/,
  "/.well-known/security.txt": "text/plain; charset=utf-8",
  "/robots.txt": "text/plain; charset=utf-8",
  "/sitemap.xml": "application/xml",
  "/sitemaps/pages.xml": "application/xml",
  "/sitemaps/agents-1.xml": "application/xml",
};

let agent: Agent;
let outcomeId: string;
/** URL of the service in its documents, which is another name of the same host. */
let site: string;

test.beforeAll(async ({ request }) => {
  const { linnet } = readSeed();
  agent = linnet.contractor;
  outcomeId = linnet.outcomeIds[0] ?? "";
  const robots = await (await request.get("/robots.txt")).text();
  site = /^Sitemap: (.+)\/sitemap\.xml$/m.exec(robots)?.[1] ?? "";
});

test("every document is served, and every link in it leads somewhere", async ({ request }) => {
  const linked = new Set<string>();
  for (const [path, type] of Object.entries(DOCUMENTS)) {
    const response = await request.get(path);
    expect.soft(response.status(), path).toBe(200);
    expect.soft(response.headers()["content-type"], path).toMatch(type);
    for (const path of findPaths(await response.text())) linked.add(path);
  }
  expect(linked.size).toBeGreaterThan(50);
  const limit = pLimit(4);
  await limit.map(linked, async (link) => {
    // An endpoint without GET, such as MCP, says so by 405.
    expect.soft([200, 405], link).toContain((await request.get(link)).status());
  });
});

/** Returns the paths of the links to this service, without those that have a placeholder. */
function findPaths(text: string): string[] {
  const links = text.match(/https?:\/\/[^\s"'<>()`\]\\]+/g) ?? [];
  return links
    .filter((link) => link.startsWith(`${site}/`) && !link.includes("{"))
    .map((link) => link.slice(site.length).replace(/[.,:;]+$/, ""));
}

test("the API catalog names the type that each document is served as", async ({ request }) => {
  const { linkset } = await (await request.get("/.well-known/api-catalog")).json();
  const links: { href: string; type?: string }[] = linkset.flatMap((context: object) =>
    Object.values(context).filter(Array.isArray).flat(),
  );
  const typed = links.filter(({ type }) => type !== undefined);
  expect(typed.length).toBeGreaterThan(3);
  for (const { href, type = "" } of typed) {
    const { "content-type": served = "" } = (await request.get(href)).headers();
    expect.soft(served.split(";", 1)[0], href).toBe(type);
  }
});

test("a well-known name that is not served gets a problem instead of a page", async ({
  request,
}) => {
  const names = ["agent.json", "agent-card.json", "mcp.json", "ai-plugin.json", "x402"];
  for (const name of [...names, "oauth-protected-resource/mcp", "oauth-authorization-server"]) {
    const response = await request.get(`/.well-known/${name}`, {
      headers: { Accept: "text/html" },
    });
    expect.soft(response.status(), name).toBe(404);
    expect.soft(response.headers()["content-type"], name).toBe("application/problem+json");
    const problem = { code: "not-found", instance: `/.well-known/${name}` };
    expect.soft(await response.json(), name).toMatchObject(problem);
  }
});

test("no proxy may rewrite a page", async ({ request }) => {
  for (const path of ["/", "/sign-in", "/status", "/agents/nobody"]) {
    const response = await request.get(path, { headers: { Accept: "text/html" } });
    expect.soft(response.headers()["cache-control"], path).toMatch(/^private, .*, no-transform$/);
  }
});

test("the page of an operation is Markdown for clients that ask for it", async ({ request }) => {
  const get = async (path: string, accept: string) => {
    const response = await request.get(`/docs/operations/${path}`, { headers: { Accept: accept } });
    const { "content-type": type, vary } = response.headers();
    return {
      status: response.status(),
      type: type?.split(";", 1)[0],
      vary,
      text: await response.text(),
    };
  };
  const page = await get("submit-outcome", "text/html");
  expect(page).toMatchObject({ status: 200, type: "text/html" });
  const alternate = /<link rel="alternate" type="text\/markdown" href="([^"]+)"/.exec(
    page.text,
  )?.[1];
  expect(alternate).toMatch(/\/docs\/operations\/submit-outcome\.md$/);
  const markdown = await get("submit-outcome", "text/markdown, text/html, */*");
  expect(markdown).toMatchObject({ status: 200, type: "text/markdown" });
  // Caches may keep it, unlike the page.
  expect(markdown.vary).toMatch(/\bAccept\b/);
  expect((await get("submit-outcome.md", "*/*")).text).toBe(markdown.text);
  const unknown = await get("no-such-operation.md", "*/*");
  expect(unknown).toMatchObject({ status: 404, type: "application/problem+json" });
  expect(JSON.parse(unknown.text).instance).toBe("/docs/operations/no-such-operation.md");
});

test("pages name the documents in headers", async ({ request }) => {
  const { link } = (await request.get("/")).headers();
  expect(link).toContain('</openapi.json>; rel="service-desc"');
  expect(link).toContain('</llms.txt>; rel="describedby"');
});

test("the sitemap lists agents, and none twice", async ({ request }) => {
  const sitemap = await (await request.get("/sitemaps/agents-1.xml")).text();
  const urls = sitemap.match(/(?<=<loc>)[^<]+/g) ?? [];
  expect(new Set(urls).size).toBe(urls.length);
  expect((await request.get("/sitemaps/agents-9.xml")).status()).toBe(404);
  expect((await request.get("/sitemaps/other.xml")).status()).toBe(404);
});

test("badges and embeds show an agent and an outcome on other sites", async ({ request }) => {
  const badge = await (await request.get(`/agents/${agent.wallet}/badge.svg`)).text();
  expect(badge).toMatch(/>\w+ \d+\.\d\d</);
  const embed = async (path: string) =>
    (await request.get(`/oembed?url=${encodeURIComponent(site + path)}`)).json();
  const profile = await embed(`/agents/${agent.wallet}`);
  expect(profile).toMatchObject({ version: "1.0", type: "rich", provider_name: "Standing" });
  expect(profile.html).toContain("Linnet &lt;Agent&gt;");
  expect((await embed(`/outcomes/${outcomeId}`)).title).toContain("success");
  const statuses = ["/oembed", "/oembed?url=https://example.com", "/oembed?url=x&format=xml"].map(
    async (path) => (await request.get(path)).status(),
  );
  expect(await Promise.all(statuses)).toEqual([400, 404, 501]);
});
