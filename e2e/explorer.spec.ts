import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { type Agent, GOOD_WORK, register, resolved, submit } from "./support/api";
import { expectSoundPage } from "./support/page-checks";

let wren: Agent;
let heron: Agent;
let outcomeId: string;

test.beforeAll(async ({ request }) => {
  const own = crypto.randomUUID().slice(0, 8);
  wren = await register(request, `=Wren ${own}`);
  heron = await register(request, `Heron ${own}`);
  outcomeId = await submit(request, {
    contractor: wren,
    requester: heron,
    deliverable: { content: GOOD_WORK },
  });
  await resolved(request, outcomeId);
});

/** Presses a key that asks for the search, once the page says that it listens. */
async function askForSearch(page: Page, key: string) {
  await expect(page.locator("[aria-keyshortcuts]")).toBeVisible();
  await page.keyboard.press(key);
  await expect(page.getByRole("combobox", { name: /^Search agents/ })).toBeFocused();
}

test("searches from anywhere by keyboard: names, addresses, ids and transactions", async ({
  page,
  request,
}) => {
  const { onChainTx } = await resolved(request, outcomeId);
  await page.goto("/judge");
  const field = page.getByRole("combobox", { name: /^Search agents/ });

  await askForSearch(page, "/");
  await expect(page.getByRole("option", { name: "Leaderboard" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(field).toHaveCount(0);

  await askForSearch(page, "Control+k");
  await page.keyboard.type(heron.wallet.toLowerCase());
  await expect(page.getByRole("option")).toHaveCount(2);
  await expect(page.getByRole("option", { name: heron.name })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("option", { name: "content: success" })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await expectSoundPage(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/outcomes/${outcomeId}$`));

  for (const q of [outcomeId, onChainTx]) {
    await page.goto("/leaderboard");
    await askForSearch(page, "/");
    await field.fill(q);
    await expect(page.getByRole("option").first()).toContainText("Outcome");
    await page.keyboard.press("Escape");
    await page.goto(`/search?q=${q}`);
    await expect(
      page.getByRole("link", { name: "Outcome of a content task" }).first(),
    ).toBeVisible();
  }
});

test("types a slash where text is asked for", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("searchbox").fill("a");
  await page.getByRole("searchbox").press("/");
  await expect(page.getByRole("searchbox")).toHaveValue("a/");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("narrows and sorts the leaderboard in its address, and takes it along", async ({ page }) => {
  await page.goto("/leaderboard");
  await page.getByLabel("Category").selectOption("content");
  await page.getByLabel("Active").selectOption("Last 7 days");
  await page.getByLabel("Sort by").selectOption("Latest activity");
  await page.getByLabel("Rows per page").selectOption("100");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/category=content.*activeDays=7.*sort=activity.*size=100/);
  await expect(page.getByRole("link", { name: wren.name })).toBeVisible();
  await expect(page.getByLabel("Sort by")).toHaveValue("activity");

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  const csv = await readFile(await (await download).path(), "utf8");
  expect(csv).toContain(`"'${wren.name}","${wren.wallet}"`);
  const json = await page.request.get("/leaderboard/export?format=json&category=content&size=100");
  expect((await json.json()).content.map(({ name }: { name: string }) => name)).toContain(
    wren.name,
  );

  await page.getByLabel("Minimum score").fill("99.5");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("No agents match")).toBeVisible();
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(page.getByLabel("Minimum score")).toHaveValue("");
  await page.getByText("How is this ranked?").click();
  await expect(page.getByText("100 × quality × confidence")).toBeVisible();
});

test("sees verdicts and counts on the open home page as they come", async ({ page, request }) => {
  await page.goto("/");
  const counted = page.getByRole("listitem").filter({ hasText: "Submitted" });
  const before = Number(/(\d+)\s*outcome/.exec((await counted.textContent()) ?? "")?.[1]);
  const second = await submit(request, {
    contractor: heron,
    requester: wren,
    deliverable: { content: " " },
  });
  const row = page.getByRole("listitem").filter({ has: page.locator(`a[href$="${second}"]`) });
  await expect(row).toContainText("Failure", { timeout: 30_000 });
  await expect(page.getByText(`New verdict: failure for ${heron.name}`)).toBeAttached();
  await expect(counted).toContainText(`${before + 1} outcomes`);
});

test("is told on the open home page while the service does not answer", async ({ page }) => {
  await page.goto("/");
  await page.route("**/api/trpc/explorer.pulse*", (route) => route.abort());
  await expect(page.getByText("Reconnecting…")).toBeVisible();
  await page.unroute("**/api/trpc/explorer.pulse*");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
});

test("chooses colours, and every page has them from its first byte on", async ({ page }) => {
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

test("runs no script but the service's own, and none is held back", async ({ page }) => {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text());
  });
  for (const path of [
    "/",
    "/leaderboard",
    "/search?q=wren",
    `/agents/${wren.wallet}`,
    "/nowhere",
  ]) {
    const answer = await page.goto(path);
    const policy = answer?.headers()["content-security-policy"] ?? "";
    expect(policy, path).toMatch(/script-src 'self' 'nonce-[^']+';/);
    await askForSearch(page, "/");
  }
  expect(complaints).toEqual([]);
  // What markup or a script would do that found its way into a page.
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

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("finds the navigation in a menu", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("button", { name: "Menu" }).click();
    const menu = page.getByRole("navigation", { name: "Menu" });
    await menu.getByRole("link", { name: "Leaderboard" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Leaderboard");
    await expect(menu).toBeHidden();
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("filters and searches all the same", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Search", exact: true }).click();
    await page.getByRole("searchbox").fill(heron.wallet);
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page.getByRole("link", { name: heron.name })).toBeVisible();
    await page.goto("/leaderboard");
    await page.getByLabel("Category").selectOption("trading");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page.getByText("No agents match")).toBeVisible();
  });
});
