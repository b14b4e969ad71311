import { expect } from "playwright/test";
import { MAIL_PORT } from "@/playwright.config";
import { startMailServer } from "@/server/testing/http/mail-server";
import { GOOD_WORK, register, submitOutcome } from "./support/api";
import { openDashboard, signIn, test } from "./support/owner";
import { expectAccessiblePage } from "./support/page-checks";
import { readSeed } from "./support/seed";

test("an owner watches agents and confirms an address; one click ends the mail", async ({
  createSignedInOwner,
  request,
}) => {
  const mailServer = await startMailServer(MAIL_PORT);
  const { page } = await createSignedInOwner("Watching Agent");
  await page.goto(`/agents/${readSeed().quill.contractor.wallet}`);
  await page.getByRole("link", { name: "Watch", exact: true }).click();
  await expect(page.getByRole("link", { name: "Watching" })).toBeVisible();
  await page.getByRole("link", { name: "Watching" }).click();
  await expect(page.getByRole("button", { name: "Stop watching Quill" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Watch agent" })).toHaveCount(0);

  await page.getByRole("textbox", { name: "E-mail address" }).fill("not an address");
  await page.getByRole("button", { name: "Add address" }).click();
  await expect(page.getByText("must be an e-mail address")).toBeVisible();
  await page.getByRole("textbox", { name: "E-mail address" }).fill("owner@example.com");
  await page.getByRole("button", { name: "Add address" }).click();
  await expect(page.getByText("Confirm your address")).toBeVisible();
  await expectAccessiblePage(page);

  await expect.poll(() => mailServer.mails.length).toBe(1);
  const [mail] = mailServer.mails;
  // Without its origin: the service's public URL has another host name than the tests' pages.
  const link = mail?.text.match(/\/email\?action=confirm\S+/)?.[0] ?? "";
  // As a mail scanner does.
  expect((await request.get(link)).status()).toBe(200);
  await page.reload();
  await expect(page.getByText("Confirm your address")).toBeVisible();
  await page.goto(link);
  await expect(page.getByText("Alerts of Watching Agent")).toContainText("owner@example.com");
  await expectAccessiblePage(page);
  await page.getByRole("button", { name: "Confirm this address" }).click();
  await expect(page.getByText("Address confirmed")).toBeVisible();
  await page.getByRole("link", { name: "Alerts", exact: true }).click();
  await expect(page.getByText("Alerts are on.")).toBeVisible();

  const oneClick = mail?.headers["list-unsubscribe"]?.replace(/[<>]/g, "") ?? "";
  const response = await request.post(oneClick, { form: { "List-Unsubscribe": "One-Click" } });
  expect([response.status(), await response.text()]).toEqual([200, "Unsubscribed.\n"]);
  await page.reload();
  await expect(page.getByRole("button", { name: "Add address" })).toBeVisible();
  await page.goto(link);
  await expect(page.getByText("This link is no longer valid")).toBeVisible();
  await mailServer.close();
});

test("a visitor without an agent watches one after registering", async ({ createOwner }) => {
  const owner = await createOwner();
  const { page } = owner;
  await page.goto(`/agents/${readSeed().quill.contractor.wallet}`);
  await page.getByRole("link", { name: "Watch", exact: true }).click();
  await signIn(owner);
  await expect(page).toHaveURL(/\/register\?section=alerts&watch=0x/);
  await page.getByRole("textbox", { name: "Name" }).fill("New Watcher");
  await page.getByRole("button", { name: "Register agent" }).click();
  await page.getByRole("link", { name: /saved the key/ }).click();
  await page.getByRole("button", { name: "Watch agent" }).click();
  await expect(page.getByRole("button", { name: "Stop watching Quill" })).toBeVisible();
});

test("a visitor who watches an agent signs in first", async ({ createSignedInOwner }) => {
  const owner = await createSignedInOwner("Late Watcher");
  const { account, page } = owner;
  await page.context().clearCookies();
  await page.goto(`/agents/${account.address}`);
  await page.getByRole("link", { name: "Watch", exact: true }).click();
  await expect(page).toHaveURL(/\/sign-in\?section=alerts&watch=0x/);
  await signIn(owner);
  await page.getByRole("button", { name: "Watch agent" }).click();
  await expect(page.getByRole("button", { name: "Stop watching Late Watcher" })).toBeVisible();
});

test("an outcome that the agent submits appears on the open page, with its verdict", async ({
  createSignedInOwner,
  request,
}) => {
  const { page, agent } = await createSignedInOwner("Patient Owner");
  await openDashboard(page);
  await page.getByRole("link", { name: "Submit your first job" }).click();
  await expect(page.locator("pre")).toContainText(agent.wallet);
  await submitOutcome(request, {
    contractor: agent,
    requester: await register(request, "Prompt Client"),
    deliverable: { content: GOOD_WORK },
  });
  const announcement = page.getByText(/^Success, \+\d+\.\d\d: .?Write a JavaScript/);
  await expect(announcement).toBeAttached();
  const row = page.getByRole("listitem").filter({ hasText: "Prompt Client" });
  await expect(row).toContainText("Success");
  await expect(row.getByRole("link", { name: /^\+\d+\.\d\d$/ })).toBeInViewport();
  await expect(announcement).toHaveCount(0);
});

test("registration says what it needs without JavaScript", async ({ request }) => {
  // In the text, because Chromium shows no <noscript> where tests turn JavaScript off.
  const html = await (await request.get("/register")).text();
  expect(html).toMatch(/<noscript>.*needs JavaScript and a wallet.*<\/noscript>/s);
});
