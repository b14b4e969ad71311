import { expect } from "playwright/test";
import { privateKeyToAccount } from "viem/accounts";
import { startSession } from "./support/api";
import { openDashboard, test } from "./support/owner";
import { expectAccessiblePage } from "./support/page-checks";
import { readSeed } from "./support/seed";

// In a file of its own, as files run in the order of their names: by then the deadline has passed.
test("a client reports a delivery that is missing", async ({ createOwner }) => {
  test.setTimeout(300_000);
  const { agreementId, clientKey } = readSeed().undelivered;
  const account = privateKeyToAccount(clientKey);
  const { page } = await createOwner({ account, isConnected: true });
  await startSession(page.context().request, account);
  await page.goto(`/agreements/${agreementId}`);
  const report = page.getByRole("button", { name: "Report non-delivery" });
  await expect(report).toBeVisible({ timeout: 200_000 });
  await expectAccessiblePage(page);
  await report.click();
  await expect(page.getByText("Failure", { exact: true }).first()).toBeVisible({
    timeout: 40_000,
  });
  await openDashboard(page, "Agreements");
  await expect(page.getByText("Not delivered")).toBeVisible();
});
