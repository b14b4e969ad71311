import { DASHBOARD_SECTIONS, getSectionPath } from "@/components/account/dashboard-sections";
import { test } from "./support/owner";
import { expectAccessiblePageInAllViews } from "./support/page-checks";
import { readSeed } from "./support/seed";
import { listSignedOutPages } from "./support/site-pages";

/** Few enough pages each for the time limit of a test. */
const PARTS = 12;

for (let part = 0; part < PARTS; part++) {
  test(`pages are accessible in all views, part ${part + 1}`, async ({ page }) => {
    const pages = listSignedOutPages(readSeed());
    for (const { path } of pages.filter((_, at) => at % PARTS === part)) {
      await test.step(path, async () => {
        await page.goto(path, { waitUntil: "networkidle" });
        await expectAccessiblePageInAllViews(page);
      });
    }
  });
}

for (const { section, label } of DASHBOARD_SECTIONS) {
  test(`the dashboard's section ${label} is accessible in all views`, async ({
    createSignedInOwner,
  }) => {
    const { page } = await createSignedInOwner(`Owner of ${label}`);
    await page.goto(getSectionPath(section), { waitUntil: "networkidle" });
    await expectAccessiblePageInAllViews(page);
  });
}
