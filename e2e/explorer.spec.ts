import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { expect, type Page, test } from "playwright/test";
import { type Agent, GOOD_WORK, submitOutcome, waitForResolution } from "./support/api";
import { serveLocally } from "./support/local-server";
import { expectAccessiblePage } from "./support/page-checks";
import { readSeed } from "./support/seed";

let wren: Agent;
let heron: Agent;

test.beforeAll(() => {
  const { contractor, requester } = readSeed().wren;
  wren = contractor;
  heron = requester;
});

/** Opens the search dialog with a shortcut once the page listens for it. */
async function openSearch(page: Page, key: string) {
  await expect(page.locator("[aria-keyshortcuts]")).toBeVisible();
  await page.keyboard.press(key);
  await expect(page.getByRole("textbox", { name: /^Search agents/ })).toBeFocused();
}

test("keyboard search finds names, addresses, IDs and transactions", async ({ page, request }) => {
  // No other test adds outcomes of these agents.
  const { requester, outcomeIds } = readSeed().linnet;
  const [outcomeId = ""] = outcomeIds;
  const { onChainTx } = await waitForResolution(request, outcomeId);
  await page.goto("/judge");
  const field = page.getByRole("textbox", { name: /^Search agents/ });
  const hits = page.getByRole("list", { name: "Results" }).getByRole("link");

  await openSearch(page, "/");
  await expect(hits.filter({ hasText: "Code review" })).toHaveAttribute(
    "href",
    "/leaderboard/code-review",
  );
  await page.keyboard.press("Escape");
  await expect(field).toHaveCount(0);

  await openSearch(page, "Control+k");
  await page.keyboard.type(requester.wallet.toLowerCase());
  await expect(hits).toHaveCount(2);
  await expect(hits.first()).toContainText(requester.name);
  await page.keyboard.press("ArrowDown");
  await expect(hits.filter({ hasText: "Content job" })).toBeFocused();
  await expectAccessiblePage(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/outcomes/${outcomeId}$`));

  for (const q of [outcomeId, onChainTx]) {
    await page.goto("/leaderboard");
    await openSearch(page, "/");
    await field.fill(q);
    await expect(hits.first()).toContainText("Job");
    await page.keyboard.press("Escape");
  }
  await page.goto(`/search?q=${outcomeId}`);
  await expect(page).toHaveURL(new RegExp(`/outcomes/${outcomeId}$`));
  // A transaction can record several verdicts; the search page then lists the latest.
  await page.goto(`/search?q=${onChainTx}`);
  await expect(
    page
      .getByRole("heading", { name: /^Records$|\d jobs$/ })
      .or(page.getByText(onChainTx))
      .first(),
  ).toBeAttached();
});

test("letters typed right after the shortcut are not lost", async ({ page }) => {
  await page.goto("/judge");
  await expect(page.locator("[aria-keyshortcuts]")).toBeVisible();
  await page.keyboard.type("/heron");
  await expect(page.getByRole("textbox", { name: /^Search agents/ })).toHaveValue("heron");
});

test("a slash typed in a text field does not open the search", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("searchbox").fill("a");
  await page.getByRole("searchbox").press("/");
  await expect(page.getByRole("searchbox")).toHaveValue("a/");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("the leaderboard keeps filter and order in the URL and in exports", async ({ page }) => {
  await page.goto("/leaderboard");
  const chips = page.getByRole("navigation", { name: "Categories" });
  await chips.getByRole("link", { name: "content" }).click();
  await expect(page).toHaveURL(/\/leaderboard\/content$/);
  await page.getByRole("columnheader", { name: "Active" }).getByRole("link").click();
  await expect(page).toHaveURL(/sort=activity/);
  const filters = page.getByRole("form", { name: "Filter" });
  await filters.getByLabel("Active in 30 days").check();
  await expect(page).toHaveURL(/\/leaderboard\/content\?(?=.*activeDays=30)/);
  await expect(page.getByRole("link", { name: wren.name })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Active" })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
  await expect(page.getByRole("columnheader", { name: "Score" })).not.toHaveAttribute("aria-sort");

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: /CSV/ }).click();
  const csv = await readFile(await (await download).path(), "utf8");
  expect(csv).toContain(`"'${wren.name}","${wren.wallet}"`);
  await filters.getByLabel("Tier").selectOption("Elite");
  await expect(page).toHaveURL(/tier=ELITE/);
  await expect(page.getByText(/^0 of \d+ agents?$/)).toBeVisible();
  await expect(page.getByText("No agents match")).toBeVisible();
  await expectAccessiblePage(page);
  await filters.getByRole("link", { name: "Clear filters" }).click();
  await expect(page).toHaveURL(/\/leaderboard\/content\?sort=activity$/);
});

test("the leaderboard counts pages from 1 and has no page after the last", async ({ page }) => {
  await page.goto("/leaderboard?size=1");
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page).toHaveURL(/\/leaderboard\?size=1&page=2$/);
  await expect(page.locator('a[rel="prev"]')).toHaveAttribute("href", "/leaderboard?size=1");
  await expect(page.getByRole("table").getByRole("rowheader")).toHaveCount(1);
  for (const path of ["/leaderboard?page=100000", "/leaderboard/knitting"]) {
    expect((await page.goto(path))?.status(), path).toBe(404);
  }
  await page.goto("/leaderboard/content?page=1&tier=");
  await expect(page).toHaveURL(/\/leaderboard\/content$/);
});

test("the open home page shows new verdicts and counts", async ({ page, request }) => {
  await page.goto("/");
  const jobs = page
    .getByRole("term")
    .filter({ hasText: "Jobs" })
    .locator("xpath=following-sibling::dd");
  const readCount = async () =>
    Number(/[\d,]+/.exec((await jobs.textContent()) ?? "")?.[0].replace(",", ""));
  const before = await readCount();
  const second = await submitOutcome(request, {
    contractor: heron,
    requester: wren,
    deliverable: { content: " " },
  });
  const row = page.getByRole("row").filter({ has: page.locator(`a[href$="${second}"]`) });
  await expect(row).toContainText("Failure", { timeout: 30_000 });
  await expect(page.getByText(/^\d+ new verdicts?$/)).toBeAttached();
  await expect.poll(readCount).toBeGreaterThan(before);
});

test("the open home page reports when the service is not responding", async ({ page }) => {
  await page.goto("/");
  await page.route("**/api/trpc/explorer.siteStats*", (route) => route.abort());
  await expect(page.getByText("Reconnecting…")).toBeVisible();
  await page.unroute("**/api/trpc/explorer.siteStats*");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
});

test("an open page shows the verdict once it is recorded", async ({ page, request }) => {
  // Delays the deliverable, and so the judge, until the pending page has been checked.
  const pending: ServerResponse[] = [];
  const documents = await serveLocally((_, response) => void pending.push(response));
  const work = {
    contractor: wren,
    requester: heron,
    deliverable: { url: `${documents.url}/report.txt` },
  };
  await page.goto(`/outcomes/${await submitOutcome(request, work)}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Being judged/);
  await expect(page.getByRole("status")).toContainText("Most verdicts are on chain");

  await expect.poll(() => pending.length).toBeGreaterThan(0);
  for (const response of pending) {
    response.writeHead(200, { "content-type": "text/plain" }).end(GOOD_WORK);
  }
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Success/, {
    timeout: 30_000,
  });
  await expect(page.getByRole("link", { name: wren.name })).toBeVisible();
  documents.close();
});

test("the chosen theme is rendered by the server", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await expect(page.locator("[aria-keyshortcuts]")).toBeVisible();
  const system = page.getByRole("radio", { name: "System theme" });
  await system.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByRole("radio", { name: "Dark theme" })).toBeChecked();
  const dark = await paper();
  expect(dark).not.toBe(light);
  const html = await (await page.goto("/judge"))?.text();
  expect(html).toContain('data-theme="dark"');
  expect(await paper()).toBe(dark);
  await expect(page.locator("[aria-keyshortcuts]")).toBeVisible();
  await page.getByRole("radio", { name: "Dark theme" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(system).toBeChecked();
  expect(await paper()).toBe(light);
});

test("only the service's scripts run, without policy violations", async ({ page }) => {
  const violations: string[] = [];
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text());
  });
  for (const path of [
    "/",
    "/leaderboard",
    "/search?q=wren",
    `/agents/${wren.wallet}`,
    "/nowhere",
  ]) {
    const response = await page.goto(path);
    const policy = response?.headers()["content-security-policy"] ?? "";
    expect(policy, path).toMatch(/script-src 'self'( '(nonce|sha256)-[^']+')+;/);
    await openSearch(page, "/");
  }
  expect(violations).toEqual([]);
  // Imitates injected markup and scripts.
  const ran = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.injected = true";
    const image = document.createElement("img");
    image.setAttribute("onerror", "window.injected = true");
    const failed = new Promise((resolve) => image.addEventListener("error", resolve));
    image.src = "data:image/png,none";
    document.body.append(script, image);
    await failed;
    return "injected" in window;
  });
  expect(ran).toBe(false);
});

test("agents are compared side by side", async ({ page }) => {
  await page.goto(`/compare?agents=${wren.wallet},nonsense`);
  await expect(page.getByRole("status")).toContainText("agents=nonsense");
  await page.getByRole("searchbox").fill(heron.name);
  await page.getByRole("button", { name: "Find agent" }).click();
  await page
    .getByRole("link", { name: `Add ${heron.name}` })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`agents=${wren.wallet},${heron.wallet}$`));
  const table = page.getByRole("table", { name: "Agents side by side" });
  await expect(table.getByRole("columnheader")).toHaveCount(2);
  await expect(table.getByRole("row").filter({ hasText: /^Counted jobs/ })).toBeVisible();
  const chart = page.getByRole("slider", { name: "Scores over time" });
  await chart.press("End");
  await expect(chart).toHaveAttribute("aria-valuetext", new RegExp(`${wren.name}.*${heron.name}`));
  await expect(page.getByRole("button", { name: "Share" })).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole("link", { name: `Remove ${wren.name}` }).click();
  await expect(page).toHaveURL(new RegExp(`agents=${heron.wallet}$`));
});

test("the leaderboard and the comparison answer for a sum and a category", async ({ page }) => {
  await page.goto("/leaderboard/content?tier=GOLD");
  await expect(page.getByRole("status")).toContainText("tier=GOLD");
  const value = page.getByLabel(/^Job value/);
  await value.fill("300");
  await value.press("Enter");
  await expect(page).toHaveURL(/\/leaderboard\/content\?valueUsdc=300$/);
  const counts = /to hire for 300 USDC, paid under an agreement; \d+ with escrow only/;
  await expect(page.getByText(counts)).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Use escrow" }).first()).toBeVisible();
  await expect(value).toBeFocused();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect(value).toHaveValue("");
  await page.goto(`/compare?agents=${wren.wallet}`);
  await value.fill("300");
  await value.press("Enter");
  await expect(page).toHaveURL(/agents=0x\w{40}&valueUsdc=300$/);
  await page.getByLabel("Category").selectOption("Content");
  await expect(page).toHaveURL(/agents=0x\w{40}&valueUsdc=300&category=content$/);
  const answer = "This agent has not shown enough evidence for 300 USDC of content yet.";
  await expect(page.getByText(answer)).toBeVisible();
  await expectAccessiblePage(page);
  await page.goto(`/agents/${wren.wallet}?valueUsdc=300&category=content`);
  await expect(page.getByText(/^For 300 USDC of content: Use escrow$/)).toBeVisible();
  await openSearch(page, "/");
  await page.keyboard.type("content 300 USDC");
  const first = page.getByRole("list", { name: "Results" }).getByRole("link").first();
  await expect(first).toContainText("300 USDC of content");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/leaderboard\/content\?valueUsdc=300$/);
  await page.goto("/search?q=$300+of+content");
  await expect(page.getByRole("heading", { name: /300 USDC of content$/ })).toBeVisible();
});

test("agents ticked on the leaderboard are compared", async ({ page }) => {
  await page.goto("/leaderboard/content?sort=name&size=100");
  const compare = page.getByRole("button", { name: "Compare", exact: true });
  const tick = (name: string) =>
    page.getByRole("checkbox", { name: `Compare \u2068${name}\u2069` });
  await expect(compare).toBeHidden();
  await tick(wren.name).press("Enter");
  await expect(page).toHaveURL(/\/leaderboard\/content/);
  await tick(wren.name).press("Space");
  await tick(readSeed().quill.contractor.name).click();
  await compare.press("Enter");
  await expect(page).toHaveURL(/\/compare\?agents=0x\w{40},0x\w{40}&category=content$/);
  await expect(page.getByRole("columnheader")).toHaveCount(2);
});

test("results are two links from a list's start, and a new page begins at its heading", async ({
  page,
}) => {
  await page.goto("/leaderboard");
  for (const name of ["Skip to content", "Skip to results"]) {
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name })).toBeFocused();
    await page.keyboard.press("Enter");
  }
  await page.keyboard.press("Tab");
  await expect(page.getByRole("columnheader", { name: "Agent" }).getByRole("link")).toBeFocused();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link").nth(2).click();
  await expect(page.getByRole("heading", { level: 1, name: "Stats" })).toBeFocused();
});

test("boxes that are ticked before the scripts arrive stay ticked", async ({ page }) => {
  let release = () => {};
  const arrival = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/_next/static/**/*.js", async (route) => {
    await arrival;
    await route.continue();
  });
  await page.goto("/leaderboard", { waitUntil: "commit" });
  const box = page.getByRole("checkbox").first();
  await box.check();
  release();
  await expect(page.locator("[aria-keyshortcuts]")).toBeVisible();
  await expect(box).toBeChecked();
});

test("a printed outcome has its records with whole hashes, and no navigation", async ({ page }) => {
  await page.goto(`/outcomes/${readSeed().wren.outcomeIds[0]}`);
  const navigation = page.getByRole("navigation", { name: "Main" });
  await expect(navigation).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(navigation).toBeHidden();
  await expect(page.getByText(/^0x[0-9a-f]{64}$/).last()).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("the navigation is in a menu", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("button", { name: "Menu" }).click();
    const menu = page.getByRole("navigation", { name: "Main" });
    await menu.getByRole("link", { name: "Leaderboard" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Leaderboard");
    await expect(menu).toBeHidden();
  });

  test("the leaderboard's filters leave room for agents, whose rows are low", async ({ page }) => {
    await page.goto("/leaderboard");
    const rows = page.getByRole("row").filter({ has: page.getByRole("rowheader") });
    const box = await rows.first().boundingBox();
    expect(box?.height).toBeLessThan(88);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(844);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("filters and search work", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Search", exact: true }).click();
    await page.getByRole("searchbox").fill(heron.wallet);
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page).toHaveURL(new RegExp(`/agents/${heron.wallet}$`));
    await page.goto("/leaderboard");
    await page.getByLabel("Tier").selectOption("Elite");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page).toHaveURL(/\/leaderboard\?tier=ELITE$/);
    await expect(page.getByText(/^0 of \d+ agents?$/)).toBeVisible();
    await page.getByRole("link", { name: "Clear filters" }).click();
    await expect(page).toHaveURL(/\/leaderboard$/);
  });
});
