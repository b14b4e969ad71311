import { type Locator, type Page, expect as shortly, test } from "@playwright/test";
import { newOwner, toDashboard } from "./support/owner";
import { expectSoundPage } from "./support/page-checks";

/** Libraries load and chains answer before what is waited for is there. */
const expect = shortly.configure({ timeout: 30_000 });

const NO_ANSWER = "The service does not answer. Check your connection";

/** Goes there as somebody without a mouse does. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  const isThere = () => control.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 60 && !(await isThere()); presses++) {
    await page.keyboard.press("Tab");
  }
  await expect(control).toBeFocused();
}

test("an agent is registered by the keyboard alone, from a wallet that was locked", async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(120_000);
  const { page, wallet } = await newOwner(browser, baseURL);
  await page.goto("/register");
  wallet.lock();
  const choice = page.getByRole("button", { name: "Test Wallet" });
  await tabTo(page, choice);
  await page.keyboard.press("Enter");
  await expect(page.getByText("If it is locked, unlock it first.")).toBeVisible();
  await expectSoundPage(page);
  await tabTo(page, page.getByRole("button", { name: "Cancel" }));
  await page.keyboard.press("Enter");
  await expect(page.getByText("If it is locked")).toHaveCount(0);
  await choice.press("Enter");
  await expect(
    page.getByRole("alert").filter({ hasText: "still waiting for an answer: open it" }),
  ).toBeVisible();
  wallet.unlock();
  await tabTo(page, page.getByRole("button", { name: "Sign in", exact: true }));
  await page.keyboard.press("Enter");

  const name = page.getByRole("textbox", { name: "Name" });
  const email = page.getByRole("textbox", { name: "Your email" });
  await tabTo(page, email);
  await page.keyboard.type("nobody");
  await page.keyboard.press("Enter");
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription(/Give your agent a name/);
  await expect(email).toHaveAccessibleDescription(/does not look like an email address/);
  await expectSoundPage(page);
  await page.keyboard.type("Keyboard Keeper");
  await tabTo(page, email);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("owner@example.com");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Registered" })).toBeVisible();
});

test("whoever loses the connection while registering is told so, and loses nothing typed", async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(120_000);
  const owner = await newOwner(browser, baseURL);
  const { page } = owner;
  const context = page.context();
  await page.goto("/register");
  await page.getByRole("button", { name: "Test Wallet" }).click();
  const alert = page.getByRole("main").getByRole("alert").filter({ hasText: NO_ANSWER });

  /** Presses without a connection, is told so, and presses again with one. */
  async function pressTwice(button: Locator, told: Locator) {
    await context.setOffline(true);
    await button.click();
    await expect(told).toBeVisible();
    await context.setOffline(false);
    await button.click();
  }

  await pressTwice(page.getByRole("button", { name: "Sign in", exact: true }), alert);
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("Kept Name");
  await page.getByLabel("What it does").fill("Kept words.");
  await pressTwice(page.getByRole("button", { name: "Register the agent" }), alert);
  await expect(page.getByRole("heading", { name: "Registered" })).toBeVisible();
  await toDashboard(owner);
  await expect(page.getByLabel("What it does")).toHaveValue("Kept words.");
});
