import { json } from "node:stream/consumers";
import { expect } from "playwright/test";
import { shortenHex } from "@/components/ui/format";
import { GOOD_WORK } from "./support/api";
import { submitDisputable } from "./support/disputes";
import { serveLocally } from "./support/local-server";
import { openDashboard, openSection, readSecret, signIn, test } from "./support/owner";
import { expectAccessiblePage } from "./support/page-checks";
import { readSeed } from "./support/seed";

test("an owner registers, manages keys, a webhook and the profile, and signs out", async ({
  createOwner,
  baseURL,
  request,
}) => {
  const owner = await createOwner();
  const { page } = owner;
  await page.goto("/");
  await page.getByRole("link", { name: "Register", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await signIn(owner);
  const { contractor } = readSeed().quill;
  await page.getByRole("textbox", { name: "Name" }).fill(contractor.name.toUpperCase());
  const warning = page.getByRole("status").filter({ hasText: "Another agent has this name" });
  await expect(warning).toContainText(`${shortenHex(contractor.wallet)} (Newcomer)`);
  await expectAccessiblePage(page);
  await page.getByRole("textbox", { name: "Name" }).fill("Ledger Reader");
  await expect(warning).toHaveCount(0);
  await page.getByRole("button", { name: "Register agent" }).click();
  await expect(page.getByRole("heading", { name: "Registered" })).toBeVisible();
  const key = await readSecret(page, "API key");
  await expectAccessiblePage(page);
  const listKeys = (apiKey: string) =>
    request.get("/api/v1/agents/me/keys", { headers: { "X-API-Key": apiKey } });
  expect((await listKeys(key)).status()).toBe(200);

  await page.getByRole("link", { name: /saved the key/ }).click();
  const command = page.locator("pre");
  for (const part of [`${baseURL}/api/v1/outcome`, owner.account.address]) {
    await expect(command).toContainText(part);
  }
  await openSection(page, "Overview");
  await expect(page.getByText(key)).toHaveCount(0);
  for (const path of ["/register", "/sign-in"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/dashboard$/);
  }
  await expectAccessiblePage(page);
  await page.goto("/sign-in?section=webhooks");
  await expect(page).toHaveURL(/\/dashboard\/webhooks$/);

  const received: string[] = [];
  const endpoint = await serveLocally(async (request, response) => {
    received.push(((await json(request)) as { event: string }).event);
    response.writeHead(204).end();
  });
  const hookUrl = `${endpoint.url}/hooks`;
  await page.getByRole("button", { name: "Create webhook" }).click();
  const url = page.getByLabel("Endpoint URL");
  await expect(url).toBeFocused();
  await expect(url).toHaveAccessibleDescription(/must be an absolute http or https URL/);
  await url.fill(hookUrl);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "signing secret" })).toBeFocused();
  expect(await readSecret(page, "signing secret")).toMatch(/^whsec_/);
  await page.getByText("Test and deliveries").click();
  await page.getByRole("button", { name: "Send a ping" }).click();
  await expect(page.locator("span").filter({ hasText: "Delivered" })).toBeVisible();
  expect(received).toEqual(["ping"]);
  await page.getByRole("button", { name: /^Redeliver ping / }).click();
  await expect.poll(() => received).toEqual(["ping", "ping"]);
  const secret = await readSecret(page, "signing secret");
  await expect(page.getByText("Active: all events")).toBeVisible();
  await page.getByText("Edit", { exact: true }).click();
  const edit = page.getByRole("form", { name: `Edit ${hookUrl}` });
  await edit.getByLabel("Retry failed deliveries").selectOption("For 24 hours");
  await edit.getByLabel("Score changed").uncheck();
  await expectAccessiblePage(page);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/^Active: /)).not.toContainText("Score changed");
  await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);
  await page.getByRole("button", { name: `Rotate secret ${hookUrl}` }).click();
  await page.getByRole("button", { name: "Rotate it" }).click();
  await expect(page.getByText(/webhook-signature holds a signature of each/)).toBeVisible();
  const rotated = page.locator('[data-secret="signing secret"]');
  await expect(rotated.first()).not.toHaveText(secret);
  endpoint.close();

  await openSection(page, "API keys");
  await page.getByLabel("Name of a new key").fill("production");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("heading", { name: "New API key" })).toBeFocused();
  await expect(page.getByText("production", { exact: true })).toBeVisible();
  expect((await listKeys(await readSecret(page, "API key"))).status()).toBe(200);
  const revoke = page.getByRole("button", { name: `Revoke the key ending in ${key.slice(-4)}` });
  await revoke.click();
  await page.keyboard.press("Escape");
  await expect(revoke).toBeFocused();
  await revoke.click();
  await page.getByRole("button", { name: "Revoke it" }).click();
  await expect(revoke).toHaveCount(0);
  expect((await listKeys(key)).status()).toBe(401);
  await expectAccessiblePage(page);

  await openSection(page, "Profile");
  const name = page.getByRole("textbox", { name: "Name" });
  const website = page.getByRole("textbox", { name: "Website" });
  await name.fill("");
  await website.fill("reader.example");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(name).toHaveAccessibleDescription(/must not be empty/);
  await expect(name).toBeFocused();
  await expect(website).toHaveAccessibleDescription(/must be an absolute http or https URL/);
  await name.fill("Ledger Reader II");
  await website.fill("https://reader.example/about");
  await expectAccessiblePage(page);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1 }).first()).toHaveText("Ledger Reader II");

  const signInPage = page.getByRole("heading", { level: 1, name: "Sign in" });
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(signInPage).toBeVisible();
  await expectAccessiblePage(page);
  await page.reload();
  await expect(signInPage).toBeVisible();
  // The wallet is still connected.
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard\/profile$/);
});

test("declining in the wallet or being on a wrong network loses no input", async ({
  createOwner,
}) => {
  const owner = await createOwner({ chainId: 1 });
  const { page, wallet } = owner;
  await page.goto("/register");
  await expectAccessiblePage(page);
  wallet.declineNext();
  await signIn(owner);
  await expect(page.getByRole("alert").filter({ hasText: "You declined" })).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Name" })).toBeVisible();

  await page.route("**/api/trpc/agents.account.register*", (route) => route.abort());
  await page.getByRole("textbox", { name: "Name" }).fill("Kept Name");
  await page.getByRole("button", { name: "Register agent" }).click();
  await expect(page.getByText("The service is not responding.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("Kept Name");
  await page.unroute("**/api/trpc/agents.account.register*");
  await page.getByRole("button", { name: "Register agent" }).click();
  await expect(page.getByRole("heading", { name: "Registered" })).toBeVisible();
});

test("without a wallet the page explains how to get one", async ({ page }) => {
  await page.goto("/dashboard");
  await expect(page.getByText("No wallet found")).toBeVisible();
});

test("an owner takes over the unverified registration of their wallet", async ({
  createOwner,
  request,
}) => {
  const owner = await createOwner();
  const { page, account } = owner;
  const response = await request.post("/api/v1/agents/register", {
    headers: { "X-Wallet-Address": account.address },
    data: { agentAddress: account.address, name: "Name Squatter" },
  });
  const { apiKey } = await response.json();
  await page.goto("/dashboard");
  await signIn(owner);
  await expect(page).toHaveURL(/\/register$/);
  await expect(page.getByText("Your wallet is already registered, but not verified")).toBeVisible();
  await expect(page.getByText("Name Squatter")).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole("textbox", { name: "Name" }).fill("Rightful Owner");
  await page.getByRole("button", { name: "Register agent" }).click();
  await expect(page.getByText("The previous registration has ended")).toBeVisible();
  const keys = await request.get("/api/v1/agents/me/keys", { headers: { "X-API-Key": apiKey } });
  expect(keys.status()).toBe(401);
});

test("both parties of a dispute pay stakes from their dashboards and see the result", async ({
  createSignedInOwner,
  baseURL,
  request,
}) => {
  const [contractor, requester] = await Promise.all([
    createSignedInOwner("Disputed Contractor"),
    createSignedInOwner("Disputing Requester"),
  ]);
  const parties = [contractor, requester] as const;
  await submitDisputable({ contractor, requester }, { baseURL, request });
  await openDashboard(contractor.page, "Jobs");
  await openDashboard(requester.page, "Disputes");

  // The payment succeeds but its report fails: a reload must lose neither payment nor text.
  const { page } = contractor;
  await page.getByRole("button", { name: /^Dispute: / }).click();
  await expect(page.getByText("Only your own deliverable can change it")).toBeVisible();
  await page.getByLabel("Why is the verdict wrong?").fill("It was delivered.");
  await page.getByLabel("Your deliverable").fill(GOOD_WORK);
  contractor.wallet.declineNext();
  const pay = page.getByRole("button", { name: "Pay 0.50 USDC and open the dispute" });
  await pay.click();
  await expect(page.getByText("You declined")).toBeVisible();
  await page.route("**/api/trpc/disputes.open*", (route) => route.abort());
  await pay.click();
  await expect(page.getByText("The service is not responding.")).toBeVisible();
  await page.unroute("**/api/trpc/disputes.open*");
  await page.reload();
  await expect(page.getByText("Stake paid, not submitted yet")).toBeVisible();
  await expect(page.getByLabel("Why is the verdict wrong?")).toHaveValue("It was delivered.");
  await expect(page.getByLabel("Your deliverable")).toHaveValue(GOOD_WORK);
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Dispute opened" })).toBeVisible();
  await openSection(page, "Disputes");
  await expect(page.getByText("Waiting for the other party")).toBeVisible();
  expect(
    contractor.wallet.requests.filter((method) => method === "eth_sendTransaction"),
  ).toHaveLength(2);

  await requester.page.reload();
  const row = requester.page.getByRole("listitem").filter({ hasText: "You can answer" });
  await expect(row.getByText(/\d+ minutes? left/)).toBeVisible();
  await expect(row.getByText("It was delivered.")).toBeVisible();
  await requester.page.getByText("Answer all the same").click();
  await requester.page.getByLabel("Your statement").fill("I never saw it.");
  await requester.page.getByRole("button", { name: "Pay 0.50 USDC and answer" }).click();

  await expect(page.getByText("Won", { exact: true })).toBeVisible({ timeout: 40_000 });
  await expect(requester.page.getByText("Lost", { exact: true })).toBeVisible({ timeout: 10_000 });
  await expect(requester.page.getByText("stake forfeited")).toBeVisible();
  await expect(page.getByText("stake returned")).toBeVisible({ timeout: 30_000 });
  for (const party of parties) await expectAccessiblePage(party.page);
});
