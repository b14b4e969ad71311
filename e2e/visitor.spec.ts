import { expect, test } from "playwright/test";
import { type Agent, GOOD_WORK, register, waitForResolution } from "./support/api";
import { expectAccessiblePage } from "./support/page-checks";
import { readSeed } from "./support/seed";

let quill: Agent;
let success: string;
let failure: string;

test.beforeAll(() => {
  const { contractor, outcomeIds } = readSeed().quill;
  quill = contractor;
  [success = "", failure = ""] = outcomeIds;
});

test("search by name leads to an agent and its outcomes", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Can I rely on this agent?");
  await page.getByRole("searchbox").fill(quill.name.toLowerCase());
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Search" })).toBeFocused();
  await page.getByRole("link", { name: quill.name }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText(quill.name);
  await expect(page.getByText(quill.wallet, { exact: true })).toBeVisible();
  await expect(page.getByText("Unproven wallet")).toBeVisible();
  await expect(page.getByText("Newcomer").first()).toBeVisible();
  await expect(page.getByText("50.0%", { exact: true }).first()).toBeVisible();

  await page.locator(`a[href="/outcomes/${failure}"]`).first().click();
  await expect(page).toHaveURL(new RegExp(`/outcomes/${failure}$`));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Failure Content job");
  await expect(page.getByText(/^The deliverable is empty\. Decided by rule/)).toBeVisible();
  await expect(page.getByRole("link", { name: "a rule on work without text" })).toBeVisible();
});

test("an outcome page shows findings, judge and on-chain record", async ({ page, request }) => {
  const outcome = await waitForResolution(request, success);
  await page.goto(`/outcomes/${success}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Success Content job");
  await expect(page.getByText(/^(1 check|All \d+ checks) passed\.$/)).toBeVisible();
  await expect(page.getByText("Automated checks only; no language model")).toBeVisible();
  await expect(page.getByText("A dispute would repeat it").first()).toBeVisible();
  await expect(page.getByText(GOOD_WORK)).toHaveCount(0);

  await expect(page.getByTitle(outcome.onChainTx)).toBeVisible();
  await page.getByRole("heading", { name: "Records", exact: true }).click();
  await expect(page.getByRole("button", { name: "Copy evidence hash" })).toBeVisible();
  await expect(page.getByText(outcome.taskHash)).toBeVisible();
  await expect(
    page.getByRole("button", { name: "Copy hash of deliverable" }).first(),
  ).toBeVisible();
});

test("the judge page shows the judge, the verdict process and accuracy", async ({ page }) => {
  await page.goto(`/outcomes/${success}`);
  await page.getByRole("link", { name: "automated checks" }).first().click();
  await expect(page).toHaveURL(/\/judge$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The judge");
  await expect(page.getByText("No language model, so it can't assess")).toBeVisible();
  await expect(page.getByText("The rest is not assessed")).toBeVisible();
  // Nothing explains models where none is configured.
  await expect(page.getByRole("img", { name: /how a verdict is made/ })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Measured accuracy" })).toBeVisible();
});

test("keyboard focus is always visible", async ({ page }) => {
  for (const path of ["/", "/leaderboard", `/agents/${quill.wallet}`]) {
    await page.goto(path);
    const focusable = await page
      .locator(":is(a[href], button, input, select, summary, [tabindex='0']):visible")
      .count();
    const seen: string[] = [];
    for (let n = 0; n < focusable; n++) {
      await page.keyboard.press("Tab");
      const focus = await page.evaluate(inspectFocus);
      if (!focus) break;
      expect(focus.isDrawn, `${path}: ${focus.html}`).toBe(true);
      seen.push(focus.html);
    }
    expect(seen.length, path).toBeGreaterThan(10);
    expect(seen[0]).toContain("Skip to content");
  }
});

test("missing pages and empty searches offer a next step", async ({ page }) => {
  for (const [path, title] of [
    ["/agents/0x0000000000000000000000000000000000000001", "No record yet"],
    ["/agents/0x01", "Not a wallet address"],
    ["/leaderboard/nonsense", "No such category"],
    ["/outcomes/nothing", "Job not found"],
    ["/problems/nothing", "Unknown error code"],
    ["/docs/operations/nothing", "No such operation"],
    ["/nowhere", "Page not found"],
  ] as const) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  }
  await page.goto("/search?q=no-such-agent");
  await expect(page.getByText("No results")).toBeVisible();
});

test("how it works shows what typical agents would score", async ({ page }) => {
  await page.goto("/how-it-works");
  const agents = page.locator("section").filter({ hasText: "What agents would score" });
  await expect(agents).toContainText(
    /150 good jobs in a year, half of them for known clients9\d\.\d\d/,
  );
  await expect(agents).toContainText(/The same, then 12 failures this week6\d\.\d\d/);
});

test("the tabs of an agent list clients and filter jobs", async ({ page }) => {
  await page.goto(`/agents/${quill.wallet}/clients`);
  await expect(page.getByText("All work came from one client")).toBeVisible();
  const tabs = page.getByRole("navigation", { name: "Profile" });
  await tabs.getByRole("link", { name: "Jobs", exact: true }).click();
  await expect(page.getByText("No disputes.")).toBeVisible();
  await expect(page.getByText("Unconfirmed", { exact: true })).toHaveCount(3);
  const filters = page.getByRole("form", { name: "Filter" });
  await filters.getByLabel("Original verdict").selectOption("Failure");
  await expect(page).toHaveURL(/verdict=FAILURE/);
  await expect(page.getByText("1 job matches", { exact: true })).toBeVisible();
  await filters.getByLabel("Evidence").selectOption("Known client");
  await expect(page.getByText("No jobs match")).toBeVisible();
  await filters.getByRole("link", { name: "Clear filters" }).click();
  await expect(page.getByText("2 jobs", { exact: true })).toBeVisible();
});

test("an agent's feed has its outcomes, and is not sent twice", async ({ request }) => {
  const path = `/agents/${quill.wallet}/feed.xml`;
  const feed = await request.get(path);
  expect(feed.headers()["content-type"]).toContain("application/atom+xml");
  const text = await feed.text();
  expect(text.match(/<title>(Success|Failure): Content job for /g)?.length).toBeGreaterThanOrEqual(
    2,
  );
  const again = await request.get(path, {
    headers: { "If-None-Match": feed.headers().etag ?? "" },
  });
  expect(again.status()).toBe(304);
  const unknown = await request.get("/agents/0x52908400098527886E0F7030069857D2E4169EE7/feed.xml");
  expect(unknown.status()).toBe(404);
});

test("badge and social picture show the current score", async ({ page, request }) => {
  const badge = await request.get(`/agents/${quill.wallet}/badge.svg`);
  expect(badge.headers()["content-type"]).toContain("image/svg+xml");
  expect(await badge.text()).toContain("Newcomer");
  const again = await request.get(`/agents/${quill.wallet}/badge.svg`, {
    headers: { "If-None-Match": badge.headers().etag ?? "" },
  });
  expect(again.status()).toBe(304);
  const unregistered = await request.get(
    "/agents/0x0000000000000000000000000000000000000001/badge.svg",
  );
  expect(await unregistered.text()).toContain("not registered");

  await page.goto(`/agents/${quill.wallet}`);
  const picture = await page.locator('meta[property="og:image"]').getAttribute("content");
  const drawn = await request.get(new URL(picture ?? "").pathname);
  expect(drawn.headers()["content-type"]).toBe("image/png");
  await expect(page.locator('meta[property="og:image:alt"]')).toHaveAttribute("content", /score/);
  const canonical = page.locator('link[rel="canonical"]');
  await expect(canonical).toHaveAttribute("href", new RegExp(`/agents/${quill.wallet}$`));

  await page.goto("/stats?range=30d");
  await expect(canonical).toHaveAttribute("href", /\/stats$/);
  const unknown = `0x${"1".repeat(40)}`;
  for (const path of ["leaderboard/content", `compare/${quill.wallet},${unknown}`]) {
    expect((await request.get(`/pictures/${path}`)).status(), path).toBe(200);
  }
  expect((await request.get("/pictures/leaderboard/cooking")).status()).toBe(404);

  // Names in every writing system are drawn without fetching fonts.
  for (const name of ["Łukasz Żółw", "Репутация", "Φήμη", "信誉 \u{1F680}"]) {
    const { wallet } = await register(request, name);
    await page.goto(`/agents/${wallet}`);
    const url = await page.locator('meta[property="og:image"]').getAttribute("content");
    const image = await request.get(new URL(url ?? "").pathname);
    expect(image.status(), name).toBe(200);
    expect(await (await request.get(`/agents/${wallet}/badge.svg`)).text()).toContain(name);
  }
});

test("the API reference finds and explains an operation", async ({ page, context }) => {
  const externalRequests: string[] = [];
  context.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "127.0.0.1")
      externalRequests.push(request.url());
  });
  await page.goto("/docs?lang=python");
  await expect(page.getByText("import json, secrets, time, urllib.request")).toBeVisible();
  const nav = page.getByRole("navigation", { name: "API reference" });
  await nav.getByRole("searchbox", { name: "Filter operations" }).fill("/network chain");
  await expect(nav.getByRole("link")).toHaveCount(2);
  await nav.getByRole("link", { name: "The chain that verdicts are recorded on" }).click();
  await expect(page).toHaveURL(/\/docs\/operations\/get-network$/);
  await expectAccessiblePage(page);

  await page.goto("/docs/operations/submit-outcome");
  await expect(page.getByText(/-H "X-API-Key: \$API_KEY"/)).toBeVisible();
  await expect(page.getByRole("link", { name: "payment-used" })).toHaveAttribute(
    "href",
    "/problems/payment-used",
  );
  await page.goto("/problems/payment-used");
  await expect(page.getByText('"instance": "/api/v1/')).toBeVisible();
  await page.getByRole("link", { name: "/outcome Submit an outcome" }).click();
  await expect(page).toHaveURL(/\/docs\/operations\/submit-outcome$/);
  expect((await page.goto("/docs/operations/no-such-operation"))?.status()).toBe(404);
  expect(externalRequests).toEqual([]);
});

/** Runs in the page. Returns the focused element and whether its outline is visible, or null. */
function inspectFocus() {
  const on = document.activeElement;
  if (!on || on === document.body) return null;
  // Visually hidden controls show focus on their label.
  const isDrawn = [on, on.closest("label")].some((element) => {
    if (!element) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2 && width * height > 4;
  });
  return { isDrawn, html: on.outerHTML.slice(0, 200) };
}
