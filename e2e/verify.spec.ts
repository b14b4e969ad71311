import { expect, test } from "playwright/test";
import type { Agent } from "./support/api";
import { expectAccessiblePage } from "./support/page-checks";
import { readSeed } from "./support/seed";

let linnet: Agent;

test.beforeAll(() => {
  linnet = readSeed().linnet.contractor;
});

test("an agent found by name is verified against the chain", async ({ page }) => {
  await page.goto("/verify");
  await page.getByLabel("Agent name or wallet address").fill(linnet.name);
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(page).toHaveURL(`/verify?agent=${linnet.wallet}`);
  // Reading continues at the result, not at the page's start.
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: linnet.name }).first()).toBeFocused();
  await expect(page.getByText("Everything agrees")).toBeVisible();
  await expect(page.getByText(/^\d+ jobs? compared with \d+ records/)).toBeVisible();
  await expect(page.getByText("Without known clients", { exact: true })).toBeVisible();
  await expect(page.getByText("That verdicts are right")).toBeVisible();
  await expectAccessiblePage(page);
});

test("a part of several names leads to a choice", async ({ page }) => {
  await page.goto("/verify?agent=e");
  await page.getByRole("list", { name: "Agents to verify" }).getByRole("link").first().click();
  await expect(page).toHaveURL(/\/verify\?agent=0x\w{40}$/);
});

test("a wallet without a record agrees with nothing", async ({ page }) => {
  await page.goto(`/verify?agent=0x${"1".repeat(40)}`);
  await expect(page.getByText("No record of this wallet's work")).toBeVisible();
  await expect(page.getByText("Everything agrees")).toHaveCount(0);
});

test("a score that the ledger contradicts is reported with its records", async ({ page }) => {
  await page.route(`**/api/v1/reputation/${linnet.wallet}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), score: 99.5 } });
  });
  await page.goto(`/verify?agent=${linnet.wallet}`);
  // A difference is only reported once a second check finds it again.
  await expect(page.getByText("1 difference")).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole("cell", { name: "99.5", exact: true })).toBeVisible();
  await page.getByText("1 record", { exact: true }).click();
  await expect(page.getByText(/outcome .*, SUCCESS/)).toBeVisible();
  await expectAccessiblePage(page);
});

test("a node that does not respond is an error, not a result, and the reader enters another", async ({
  page,
  request,
}) => {
  const { rpcUrl } = await (await request.get("/api/v1/network")).json();
  await page.route(`${rpcUrl}/**`, (route) => route.abort());
  await page.goto(`/verify?agent=${linnet.wallet}`);
  await expect(page.getByText("The check could not be completed")).toBeVisible();
  await expect(page.getByRole("button", { name: "Check again" })).toBeVisible();
  // Another name of the same node, which the page was not given.
  const own = new URL(rpcUrl);
  own.hostname = own.hostname === "localhost" ? "127.0.0.1" : "localhost";
  await page.getByText("Use your own node").click();
  await page.getByLabel("Your own node").fill(own.href);
  await page.getByRole("button", { name: "Check with this node" }).click();
  await expect(page.getByText("Everything agrees")).toBeVisible();
  await expect(page.getByText(own.host, { exact: true })).toBeVisible();
});
