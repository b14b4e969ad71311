import { expect } from "playwright/test";
import { DASHBOARD_SECTIONS, getSectionPath } from "@/components/account/dashboard-sections";
import { test } from "./support/owner";
import { expectAccessiblePage } from "./support/page-checks";
import {
  ACCOUNT_BUDGET_BYTES,
  disableCache,
  MAX_LAYOUT_SHIFT,
  openWithScripts,
  readLayoutShift,
  WALLET_METHODS,
} from "./support/page-load";

test("the dashboard is small and steady, and loads no wallet code", async ({
  createSignedInOwner,
  request,
}) => {
  const { page } = await createSignedInOwner("Small Dashboard");
  await disableCache(page);
  for (const { section } of DASHBOARD_SECTIONS) {
    const path = getSectionPath(section);
    await test.step(path, async () => {
      const { bytes, source } = await openWithScripts(page, request, path);
      await expect(page).toHaveURL(new RegExp(`${path}$`));
      expect.soft(bytes, `${path}: bytes of scripts`).toBeLessThan(ACCOUNT_BUDGET_BYTES);
      expect.soft(WALLET_METHODS.exec(source)?.[0], `${path}: wallet code`).toBeUndefined();
      const shift = await readLayoutShift(page);
      expect.soft(shift, `${path}: layout shift`).toBeLessThan(MAX_LAYOUT_SHIFT);
      await expectAccessiblePage(page);
    });
  }
});

test("only a visitor from another site is asked for a session that the page could not see", async ({
  page,
  baseURL,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("agents.account.me")) asked.push(request.url());
  });
  await page.goto("/sign-in");
  await expect(page.getByText("No wallet found")).toBeVisible();
  expect(asked).toEqual([]);
  await page.goto(`data:text/html,<a href="${baseURL}/sign-in">Sign in</a>`);
  await page.getByRole("link").click();
  await expect.poll(() => asked.length).toBe(1);
});
