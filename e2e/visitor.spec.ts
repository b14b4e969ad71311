import { readdirSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { type Agent, GOOD_WORK, register, submitOutcome, waitForResolution } from "./support/api";
import { expectAccessiblePage } from "./support/page-checks";

let quill: Agent;
let harbor: Agent;
let success: string;
let failure: string;

test.beforeAll(async ({ request }) => {
  // A unique name, because a restarted worker registers again.
  quill = await register(request, `Quill of the Visitor ${crypto.randomUUID().slice(0, 8)}`);
  harbor = await register(request, "Harbor <b>Studio</b>");
  const work = { contractor: quill, requester: harbor };
  success = await submitOutcome(request, { ...work, deliverable: { content: GOOD_WORK } });
  failure = await submitOutcome(request, { ...work, deliverable: { content: "  " } });
  await waitForResolution(request, success);
  await waitForResolution(request, failure);
});

test("search by name leads to an agent and its outcomes", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Can I rely on this agent?");
  await page.getByRole("searchbox").fill(quill.name.toLowerCase());
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: quill.name }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText(quill.name);
  await expect(page.getByText(quill.wallet, { exact: true })).toBeVisible();
  await expect(page.getByText("Unverified wallet")).toBeVisible();
  await expect(page.getByText("Newcomer").first()).toBeVisible();
  await expect(page.getByRole("heading", { name: "Score breakdown" })).toBeVisible();
  await expect(page.getByText("50%", { exact: true })).toBeVisible();

  await page.getByRole("link", { name: "content", exact: true }).first().click();
  await expect(page).toHaveURL(new RegExp(`/outcomes/${failure}$`));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Failure");
  const defect = page.getByRole("listitem").filter({ hasText: "The deliverable is empty." });
  await expect(defect.getByText("Defect")).toBeVisible();
  await expect(page.getByText("No language model was called.")).toBeVisible();
});

test("an outcome page shows findings, judge and on-chain record", async ({ page, request }) => {
  const outcome = await waitForResolution(request, success);
  await page.goto(`/outcomes/${success}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Success");
  await expect(page.getByText("Rule-based check; no language model was used")).toBeVisible();
  await expect(page.getByText("This verdict comes from the built-in rules.")).toBeVisible();
  await expect(page.getByText(outcome.onChainTx)).toBeVisible();
  await expect(page.getByText(GOOD_WORK)).toHaveCount(0);

  const evidenceHash = page.getByRole("button", { name: "Copy evidence hash" });
  await expect(evidenceHash).toHaveCount(1);
  await page.getByText("Stored data", { exact: true }).press("Enter");
  await expect(evidenceHash).toHaveCount(2);
  await expect(
    page.getByRole("button", { name: "Copy hash of deliverable" }).first(),
  ).toBeVisible();
});

test("the judge page shows the judge, the verdict process and accuracy", async ({ page }) => {
  await page.goto(`/outcomes/${success}`);
  await page.getByRole("link", { name: "builtin-rules/v1" }).first().click();
  await expect(page).toHaveURL(/\/judge$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The judge");
  await expect(page.getByText("No language model is configured.")).toBeVisible();
  await expect(page.getByRole("img", { name: /how a verdict is made/ })).toHaveCount(1);
  await expect(page.getByRole("heading", { name: "Measured accuracy" })).toBeVisible();
});

test("the leaderboard filters by category, also with no match", async ({ page }) => {
  await page.goto("/leaderboard");
  await page.getByLabel("Category").selectOption("content");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/category=content/);
  await expect(page.getByRole("link", { name: quill.name })).toBeVisible();
  await page.goto("/leaderboard?category=trading");
  await expect(page.getByText("No agents match")).toBeVisible();
});

test("names are rendered as text, not as markup", async ({ page }) => {
  await page.goto(`/agents/${harbor.wallet}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Harbor <b>Studio</b>");
});

test("keyboard focus is always visible", async ({ page }) => {
  for (const path of ["/", "/leaderboard", `/agents/${quill.wallet}`]) {
    await page.goto(path);
    const reachable = await page
      .locator(":is(a[href], button, input, select, summary, [tabindex='0']):visible")
      .count();
    const seen: string[] = [];
    for (let n = 0; n < reachable; n++) {
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
  for (const path of [
    "/agents/0x0000000000000000000000000000000000000001",
    "/outcomes/nothing",
    "/nowhere",
  ]) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  }
  await page.goto("/search?q=no-such-agent");
  await expect(page.getByText("No results")).toBeVisible();
});

test("all pages are accessible and have no overflow", async ({ page }) => {
  test.setTimeout(300_000);
  const paths = [
    "/",
    "/leaderboard",
    "/search?q=quill",
    "/search?q=no-such-agent",
    `/agents/${quill.wallet}`,
    `/outcomes/${success}`,
    `/outcomes/${failure}`,
    `/agents/${quill.wallet}?verdict=FAILURE&backing=claimed`,
    "/leaderboard?category=trading",
    "/anchors",
    "/docs",
    "/register",
    "/dashboard",
    "/judge",
    "/how-it-works",
    "/how-it-works?anchored=0&paying=0&claiming=0",
    "/status",
    "/verify",
    "/problems/rate-limited",
    "/nowhere",
  ];
  expect(listRoutes().filter((route) => !paths.some((path) => matchesRoute(path, route)))).toEqual([
    // Checked in dispute.spec.ts.
    "/disputes/[id]",
  ]);
  for (const path of paths) {
    await test.step(path, async () => {
      await page.goto(path);
      await expectAccessiblePage(page);
    });
  }
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

/** Lists all page routes, such as `/agents/[wallet]`. */
function listRoutes(): string[] {
  return readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)page\.tsx$/.test(file))
    .map((file) => `/${file}`.replace(/\/\([^)]+\)/g, "").replace(/\/page\.tsx$/, "") || "/")
    .sort();
}

function matchesRoute(path: string, route: string): boolean {
  const [bare = ""] = path.split("?");
  return new RegExp(`^${route.replace(/\[\w+\]/g, "[^/]+")}$`).test(bare);
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("pages work", async ({ page }) => {
    await page.goto("/leaderboard");
    await page.getByRole("link", { name: quill.name }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(quill.name);
    await page.goto(`/outcomes/${success}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Success");
  });
});
