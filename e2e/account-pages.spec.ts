import { expect, test } from "playwright/test";
import { DASHBOARD_SECTIONS, getSectionPath } from "@/components/account/dashboard-sections";
import { createOwner, openDashboard, registerByPage } from "./support/owner";
import { expectAccessiblePage } from "./support/page-checks";
import {
  ACCOUNT_BUDGET_BYTES,
  openWithScripts,
  readLayoutShift,
  WALLET_METHODS,
} from "./support/page-load";

test("the dashboard is small and steady, and loads no wallet code", async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(180_000);
  const owner = await createOwner(browser, baseURL);
  await registerByPage(owner, "Small Dashboard");
  await openDashboard(owner);
  // Without the wallet's cookie, as on another day.
  const { cookies } = await owner.page.context().storageState();
  const session = cookies.filter(({ httpOnly }) => httpOnly);
  for (const { section } of DASHBOARD_SECTIONS) {
    const path = getSectionPath(section);
    await test.step(path, async () => {
      const { page, bytes, source } = await openWithScripts(browser, `${baseURL}${path}`, {
        storageState: { cookies: session, origins: [] },
      });
      await expect(page).toHaveURL(new RegExp(`${path}$`));
      expect.soft(bytes, `${path}: bytes of scripts`).toBeLessThan(ACCOUNT_BUDGET_BYTES);
      expect.soft(WALLET_METHODS.exec(source)?.[0], `${path}: wallet code`).toBeUndefined();
      // On a busy machine, a line may move by a pixel or two.
      expect.soft(await readLayoutShift(page), `${path}: layout shift`).toBeLessThan(0.01);
      await expectAccessiblePage(page);
      await page.context().close();
    });
  }
});
