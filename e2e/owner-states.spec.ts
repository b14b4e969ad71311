import { expect as baseExpect, type Locator, type Page } from "playwright/test";
import { GOOD_WORK, register, submitOutcome, waitForResolution } from "./support/api";
import { fundWallet, takeEther } from "./support/chain";
import { WALLET_DISABLED_KEY } from "./support/injected-wallet";
import { openDashboard, openSection, test } from "./support/owner";
import { expectAccessiblePage } from "./support/page-checks";

/** Longer than the default, because libraries have to load and chain nodes to respond. */
const expect = baseExpect.configure({ timeout: 30_000 });

const NO_RESPONSE = "The service is not responding. Check your connection";

/** Tabs until the control has focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  const isFocused = () => control.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 60 && !(await isFocused()); presses++) {
    await page.keyboard.press("Tab");
  }
  await expect(control).toBeFocused();
}

test("an agent registers by keyboard alone after unlocking the wallet", async ({ createOwner }) => {
  const { page, wallet } = await createOwner();
  await page.goto("/register");
  wallet.lock();
  const choice = page.getByRole("button", { name: "Test Wallet" });
  await tabTo(page, choice);
  await page.keyboard.press("Enter");
  await expect(page.getByText("If it is locked, unlock it first.")).toBeVisible();
  await expectAccessiblePage(page);
  await tabTo(page, page.getByRole("button", { name: "Cancel" }));
  await page.keyboard.press("Enter");
  await expect(page.getByText("If it is locked")).toHaveCount(0);
  await choice.press("Enter");
  await expect(
    page.getByRole("alert").filter({ hasText: "still waiting for an answer" }),
  ).toBeVisible();
  wallet.unlock();
  await tabTo(page, page.getByRole("button", { name: "Sign in", exact: true }));
  await page.keyboard.press("Enter");

  const name = page.getByRole("textbox", { name: "Name" });
  await tabTo(page, page.getByRole("button", { name: "Register agent" }));
  await page.keyboard.press("Enter");
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription(/must not be empty/);
  await expectAccessiblePage(page);
  await page.keyboard.type("Keyboard Keeper");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Registered" })).toBeVisible();
});

test("every form reports a lost connection and keeps its input", async ({ createOwner }) => {
  const { page } = await createOwner();
  const context = page.context();
  await page.goto("/register");
  await page.getByRole("button", { name: "Test Wallet" }).click();
  const alert = page.getByRole("main").getByRole("alert").filter({ hasText: NO_RESPONSE });

  /** Clicks offline, expects the error, and clicks again online. */
  async function clickOfflineThenOnline(button: Locator, error: Locator) {
    await context.setOffline(true);
    await button.click();
    await expect(error).toBeVisible();
    await context.setOffline(false);
    await button.click();
  }

  const signIn = page.getByRole("button", { name: "Sign in", exact: true });
  await expect(signIn).toBeVisible();
  await clickOfflineThenOnline(signIn, alert);
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("Kept Name");
  await clickOfflineThenOnline(page.getByRole("button", { name: "Register agent" }), alert);
  await expect(page.getByRole("heading", { name: "Registered" })).toBeVisible();
  await openDashboard(page, "Profile");
  await expect(name).toHaveValue("Kept Name");

  const section = (title: string) => page.getByRole("region", { name: title, exact: true });
  const errorIn = (title: string) =>
    section(title).getByRole("alert").filter({ hasText: NO_RESPONSE });
  await openSection(page, "API keys");
  await clickOfflineThenOnline(
    page.getByRole("button", { name: "Create key" }),
    errorIn("API keys"),
  );
  await expect(page.getByRole("heading", { name: "New API key" })).toBeVisible();

  await openSection(page, "Webhooks");
  const url = page.getByLabel("Endpoint URL");
  await url.fill("http://127.0.0.1:1024/kept");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Create webhook" }).click();
  await expect(errorIn("Webhooks")).toBeVisible();
  await expect(url).toHaveValue("http://127.0.0.1:1024/kept");
  await context.setOffline(false);
  await page.getByRole("button", { name: "Create webhook" }).click();
  await expect(page.getByRole("heading", { name: "signing secret" })).toBeVisible();

  await openSection(page, "Profile");
  await name.fill("Kept Name Again");
  await clickOfflineThenOnline(page.getByRole("button", { name: "Save" }), errorIn("Profile"));
  await expect(page.getByText("Saved. Your public profile is updated.")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 }).first()).toHaveText("Kept Name Again");

  await context.setOffline(true);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("main").getByRole("alert").first()).toContainText(NO_RESPONSE);
  await context.setOffline(false);
});

test("a disabled, misconfigured or offline wallet pays no stake and the statement is kept", async ({
  createSignedInOwner,
  baseURL,
  request,
}) => {
  const owner = await createSignedInOwner("Careful Staker", { chainId: 1 });
  const { page, wallet, account, agent } = owner;
  await fundWallet(baseURL, account.address);
  await takeEther(baseURL, account.address);
  const requester = await register(request, "Other Party");
  const reported = { requester, submitter: requester, deliverable: { content: " " } };
  const outcomeId = await submitOutcome(request, { contractor: agent, ...reported });
  await waitForResolution(request, outcomeId);

  await openDashboard(page, "Jobs");
  await page.evaluate((key) => localStorage.setItem(key, "off"), WALLET_DISABLED_KEY);
  await page.reload();
  const dispute = page.getByRole("button", { name: /^Dispute: / });
  await dispute.click();
  await expect(page.getByText("No wallet found")).toBeVisible();
  await expectAccessiblePage(page);
  const statement = page.getByLabel("Why is the verdict wrong?");
  await statement.fill("It names no sources.");
  await page.evaluate((key) => localStorage.removeItem(key), WALLET_DISABLED_KEY);
  await page.reload();

  // The form opens again, with the draft.
  await expect(statement).toHaveValue("It names no sources.");
  const pay = page.getByRole("button", { name: "Pay 0.50 USDC and open the dispute" });
  await expect(page.getByText("Your words decide nothing here.")).toBeVisible();
  await expect(page.getByText("Not enough ether for gas")).toBeVisible();
  await expect(pay).toBeDisabled();
  await expectAccessiblePage(page);
  await page.getByRole("button", { name: "Get test ether and USDC" }).click();
  await expect(pay).toBeEnabled();
  // Code would decide the same again: nothing is paid without what the verdict didn't have.
  await pay.click();
  const deliverable = page.getByLabel("Your deliverable");
  await expect(deliverable).toHaveAccessibleDescription(/without it, the verdict stays/);
  await expect(deliverable).toBeFocused();
  expect(wallet.requests).not.toContain("eth_sendTransaction");
  await deliverable.fill(GOOD_WORK);
  await page.context().setOffline(true);
  await pay.click();
  // Offline, either the chain read or the code for it fails first.
  const offlineError = /node is not responding|could not be loaded/;
  await expect(page.getByRole("alert").filter({ hasText: offlineError })).toBeVisible();
  await expect(statement).toHaveValue("It names no sources.");
  expect(wallet.requests).not.toContain("eth_sendTransaction");
  await expectAccessiblePage(page);
  await page.context().setOffline(false);
  await pay.click();
  await expect(page.getByRole("status").filter({ hasText: "Dispute opened" })).toBeVisible();
  await openSection(page, "Disputes");
  await expect(page.getByText("Waiting for the other party")).toBeVisible();
  expect(wallet.requests.filter((method) => method === "eth_sendTransaction")).toHaveLength(1);
});
