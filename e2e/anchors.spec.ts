import { expect, test } from "playwright/test";
import { runAnchors } from "./support/api";
import { expectAccessiblePage } from "./support/page-checks";
import { readSeed } from "./support/seed";

test("pages show known clients, the reason for a score change and the verify command", async ({
  page,
}) => {
  const { contractor, requester } = readSeed().anchored;
  await page.goto("/");
  await page.getByRole("link", { name: "Known clients" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Known clients");
  await expect(page.getByRole("link", { name: requester.name })).toBeVisible();
  await expect(page.getByText("A customer")).toBeVisible();
  await page.getByRole("link", { name: requester.name }).click();
  await expect(page.getByRole("link", { name: /^Known client since / })).toBeVisible();
  await expect(page.getByText("A customer")).toBeVisible();

  await page.goto(`/agents/${contractor.wallet}/score`);
  await expect(page.getByRole("heading", { name: "Why it moved" })).toBeVisible();
  await expect(page.getByText("A success worth 2.00 USDC for a new known client")).toBeVisible();
  await expectAccessiblePage(page);
  await page.goto(`/agents/${contractor.wallet}/verify`);
  await page.getByRole("link", { name: "Verify this agent" }).click();
  const command = await page
    .getByText(/npm run verify -- --url/)
    .first()
    .textContent();
  expect(command).toContain(contractor.wallet);

  expect(await runAnchors("revoke", requester.wallet)).toContain("is revoked: record");
  // Visitors share a page for two seconds.
  await expect(async () => {
    await page.goto("/anchors");
    expect(await page.getByText(/^Revoked/).count()).toBe(1);
    const state = page.getByRole("cell").filter({ hasText: /^Revoked/ });
    expect(await state.textContent()).toMatch(/^Revoked[A-Z][a-z]{2} \d+, 20\d\d$/);
  }).toPass({ timeout: 20_000 });
  await page.getByRole("link", { name: requester.name }).click();
  await page.getByRole("link", { name: /^Listing as a known client ended on / }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Known clients");
  await expectAccessiblePage(page);
});
