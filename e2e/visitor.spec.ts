import { readdirSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { type Agent, GOOD_WORK, register, resolved, submit } from "./support/api";
import { expectSoundPage } from "./support/page-checks";

let quill: Agent;
let harbor: Agent;
let success: string;
let failure: string;

test.beforeAll(async ({ request }) => {
  // A name of its own each time: a worker that starts anew registers anew.
  quill = await register(request, `Quill of the Visitor ${crypto.randomUUID().slice(0, 8)}`);
  harbor = await register(request, "Harbor <b>Studio</b>");
  const work = { contractor: quill, requester: harbor };
  success = await submit(request, { ...work, deliverable: { content: GOOD_WORK } });
  failure = await submit(request, { ...work, deliverable: { content: "  " } });
  await resolved(request, success);
  await resolved(request, failure);
});

test("finds an agent by name and reads why it stands where it does", async ({ page }) => {
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
  await expect(page.getByText("50%")).toBeVisible();

  await page.getByRole("link", { name: "content", exact: true }).first().click();
  await expect(page).toHaveURL(new RegExp(`/outcomes/${failure}$`));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Failure");
  const defect = page.getByRole("listitem").filter({ hasText: "The deliverable is empty." });
  await expect(defect.getByText("Defect")).toBeVisible();
  await expect(page.getByText("No language model was called.")).toBeVisible();
});

test("reads of a successful outcome what was found, by whom, and where it is recorded", async ({
  page,
  request,
}) => {
  const outcome = await resolved(request, success);
  await page.goto(`/outcomes/${success}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Success");
  await expect(page.getByText("Rule-based check; no language model was used")).toBeVisible();
  await expect(page.getByText("This verdict comes from the built-in rules.")).toBeVisible();
  await expect(page.getByText(outcome.onChainTx)).toBeVisible();
  await expect(page.getByText(GOOD_WORK)).toHaveCount(0);

  const evidenceHash = page.getByRole("button", { name: "Copy evidence hash" });
  await expect(evidenceHash).toHaveCount(1);
  await page.getByText("Stored data").press("Enter");
  await expect(evidenceHash).toHaveCount(2);
  await expect(
    page.getByRole("button", { name: "Copy hash of deliverable" }).first(),
  ).toBeVisible();
});

test("reads of the judge which it is, how a verdict is made, and what was measured", async ({
  page,
}) => {
  await page.goto(`/outcomes/${success}`);
  await page.getByRole("link", { name: "builtin-rules/v1" }).first().click();
  await expect(page).toHaveURL(/\/judge$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The judge");
  await expect(page.getByText("No language model is configured.")).toBeVisible();
  await expect(page.getByRole("img", { name: /how a verdict is made/ })).toHaveCount(1);
  await expect(page.getByRole("heading", { name: "Measured accuracy" })).toBeVisible();
});

test("finds an agent on the leaderboard by category, and nobody where nobody is", async ({
  page,
}) => {
  await page.goto("/leaderboard");
  await page.getByLabel("Category").selectOption("content");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/category=content/);
  await expect(page.getByRole("link", { name: quill.name })).toBeVisible();
  await page.goto("/leaderboard?category=trading");
  await expect(page.getByText("No agents match")).toBeVisible();
});

test("sees what others typed as text, not as markup", async ({ page }) => {
  await page.goto(`/agents/${harbor.wallet}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Harbor <b>Studio</b>");
});

test("moves by keyboard and always sees where", async ({ page }) => {
  for (const path of ["/", "/leaderboard", `/agents/${quill.wallet}`]) {
    await page.goto(path);
    const reachable = await page
      .locator(":is(a[href], button, input, select, summary, [tabindex='0']):visible")
      .count();
    const seen: string[] = [];
    for (let n = 0; n < reachable; n++) {
      await page.keyboard.press("Tab");
      const focus = await page.evaluate(lookAtFocus);
      if (!focus) break;
      expect(focus.isDrawn, `${path}: ${focus.html}`).toBe(true);
      seen.push(focus.html);
    }
    expect(seen.length, path).toBeGreaterThan(10);
    expect(seen[0]).toContain("Skip to content");
  }
});

test("is told what to do where there is nothing", async ({ page }) => {
  for (const path of [
    "/agents/0x0000000000000000000000000000000000000001",
    "/outcomes/nothing",
    "/nowhere",
  ]) {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  }
  await page.goto("/search?q=nobody-is-called-this");
  await expect(page.getByText("No results")).toBeVisible();
});

test("meets sound pages everywhere", async ({ page }) => {
  test.setTimeout(300_000);
  const paths = [
    "/",
    "/leaderboard",
    "/search?q=quill",
    "/search?q=nobody-is-called-this",
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
  expect(routes().filter((route) => !paths.some((path) => isOf(path, route)))).toEqual([
    // Looked at in its own journey.
    "/disputes/[id]",
  ]);
  for (const path of paths) {
    await test.step(path, async () => {
      await page.goto(path);
      await expectSoundPage(page);
    });
  }
});

/** Runs in the page: what has the focus, and whether an outline shows it; null where nothing has. */
function lookAtFocus() {
  const on = document.activeElement;
  if (!on || on === document.body) return null;
  // A control that is not drawn itself is shown by its label.
  const isDrawn = [on, on.closest("label")].some((element) => {
    if (!element) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2 && width * height > 4;
  });
  return { isDrawn, html: on.outerHTML.slice(0, 200) };
}

/** Every page there is, as its folder has it: `/agents/[wallet]`. */
function routes(): string[] {
  return readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)page\.tsx$/.test(file))
    .map((file) => `/${file}`.replace(/\/\([^)]+\)/g, "").replace(/\/page\.tsx$/, "") || "/")
    .sort();
}

function isOf(path: string, route: string): boolean {
  const [bare = ""] = path.split("?");
  return new RegExp(`^${route.replace(/\[\w+\]/g, "[^/]+")}$`).test(bare);
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("reads everything all the same", async ({ page }) => {
    await page.goto("/leaderboard");
    await page.getByRole("link", { name: quill.name }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(quill.name);
    await page.goto(`/outcomes/${success}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Success");
  });
});
