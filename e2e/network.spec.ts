import { expect, test } from "playwright/test";
import { type Agent, GOOD_WORK, submitOutcome } from "./support/api";
import { expectAccessiblePage } from "./support/page-checks";
import { readSeed } from "./support/seed";

let contractor: Agent;
let requester: Agent;
let failure: string;

test.beforeAll(() => {
  const { quill } = readSeed();
  contractor = quill.contractor;
  requester = quill.requester;
  [, failure = ""] = quill.outcomeIds;
});

test("jobs are narrowed by menus, with a clean URL, and cleared again", async ({ page }) => {
  await page.goto("/outcomes");
  await page.getByLabel("Verdict").selectOption("Failure");
  await expect(page).toHaveURL(/\/outcomes\?verdict=FAILURE$/);
  const row = page.getByRole("row").filter({ has: page.locator(`a[href$="${failure}"]`) });
  await expect(row.getByRole("link", { name: contractor.name, exact: true })).toBeVisible();
  await expect(row.getByRole("link", { name: requester.name, exact: true })).toBeVisible();
  await expectAccessiblePage(page);

  await page.goto("/outcomes?minValueUsdc=1000000&verdict=&page=1");
  await expect(page).toHaveURL(/\/outcomes\?minValueUsdc=1000000$/);
  await expect(page.getByText("No jobs match")).toBeVisible();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(page).toHaveURL(/\/outcomes$/);
});

test("a submitted outcome appears in the list while it is open", async ({ page, request }) => {
  await page.goto("/outcomes");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  const { wren } = readSeed();
  const work = { ...wren, deliverable: { content: GOOD_WORK } };
  const outcomeId = await submitOutcome(request, work);
  await expect(page.locator(`a[href$="${outcomeId}"]`)).toBeVisible({ timeout: 20_000 });
});

test("a page after the last one does not exist", async ({ page }) => {
  for (const path of ["/outcomes", "/disputes", "/search"]) {
    const response = await page.goto(`${path}?page=9999`);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Page 9,999 doesn't exist");
  }
  await page.getByRole("link", { name: /^Go to page / }).click();
  await expect(page.getByRole("table").getByRole("rowheader").first()).toBeVisible();
});

test("agents are found by a part of their name", async ({ page }) => {
  await page.goto("/agents");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("All agents");
  await page.getByRole("searchbox").fill(contractor.name.slice(0, 5));
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(page).toHaveURL(/\/search\?q=/);
  await expect(page.getByRole("rowheader").filter({ hasText: contractor.name })).toBeVisible();
});

test("charts show a period's value by keyboard", async ({ page }) => {
  await page.goto("/stats?range=30d");
  const chart = page.getByRole("figure").filter({ hasText: "Jobs" }).first();
  const slider = chart.getByRole("slider", { name: "Jobs by period" });
  await slider.focus();
  const none = /: 0 successes, 0 failures(, 0 not assessed)?$/;
  await expect(slider).toHaveAttribute("aria-valuetext", /: \d+ successes, \d+ failures/);
  await expect(slider).not.toHaveAttribute("aria-valuetext", none);
  await slider.press("ArrowLeft");
  await expect(chart.getByText(none)).toBeVisible();
  await slider.press("End");
  await slider.press("Enter");
  await expect(page).toHaveURL(/\/outcomes\?from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/);
  const found = page.getByRole("row").filter({ has: page.locator(`a[href$="${failure}"]`) });
  await expect(found).toBeVisible();
  const csv = await (await page.request.get("/exports/outcomes?verdict=FAILURE")).text();
  expect(csv).toContain(failure);
  await page.getByLabel(/^Recorded from/).uncheck();
  await expect(page).toHaveURL(/\/outcomes\?to=/);
});
