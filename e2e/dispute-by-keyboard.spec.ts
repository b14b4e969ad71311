import { expect, type Page } from "playwright/test";
import { GOOD_WORK } from "./support/api";
import { submitDisputable } from "./support/disputes";
import { test } from "./support/owner";

/** Presses Tab until the focus is on what `name` describes, and returns how often. */
async function tabTo(page: Page, name: RegExp, most = 60): Promise<number> {
  for (let presses = 1; presses <= most; presses++) {
    await page.keyboard.press("Tab");
    const focused = page.locator(":focus");
    const texts = await focused.evaluateAll((elements) =>
      elements.flatMap((element) => [
        element.getAttribute("aria-label") ?? "",
        element.textContent ?? "",
        ...[...((element as HTMLInputElement).labels ?? [])].map((label) => label.textContent),
      ]),
    );
    if (texts.some((text) => name.test((text ?? "").trim()))) return presses;
  }
  throw new Error(`${name} has no focus after ${most} tabs on ${page.url()}`);
}

/** Follows a link or presses a button by the keyboard. */
async function enter(page: Page, name: RegExp): Promise<number> {
  const presses = await tabTo(page, name);
  await page.keyboard.press("Enter");
  return presses;
}

test("both parties play a dispute by keyboard, from the profile to the ruling", async ({
  createSignedInOwner,
  baseURL,
  request,
}) => {
  const [contractor, requester] = await Promise.all([
    createSignedInOwner("Keyboard Contractor"),
    createSignedInOwner("Keyboard Client"),
  ]);
  const outcomeId = await submitDisputable({ contractor, requester }, { baseURL, request });

  const { page } = contractor;
  await page.goto(`/agents/${contractor.agent.wallet}`);
  // Marks of direction surround the name.
  await enter(page, /^Failure: .Keyboard Contractor/);
  await page.waitForURL(`/outcomes/${outcomeId}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await enter(page, /^Dispute the failure$/);
  await expect(page.getByRole("form", { name: "Dispute this verdict" })).toBeVisible();
  await expect(page.getByText("which has 10.00 USDC")).toBeVisible();
  // The link leads to the form, not to the top of the list.
  expect(await tabTo(page, /^Your deliverable/)).toBe(1);
  await page.keyboard.type(GOOD_WORK);
  await tabTo(page, /^Why is the verdict wrong/);
  await page.keyboard.type("It was delivered.");
  await enter(page, /^Pay 0.50 USDC/);
  const opened = page.getByRole("status").filter({ hasText: "Dispute opened" });
  await expect(opened).toBeFocused({ timeout: 60_000 });
  expect(await enter(page, /^Follow the dispute$/)).toBe(1);
  await expect(page.getByText("Waiting for the other party")).toBeVisible();
  await enter(page, /^Write a JavaScript function/);
  await expect(page.getByText(/^code checks the deliverable|: code checks/)).toBeVisible();

  const other = requester.page;
  await other.goto("/dashboard");
  await enter(other, /Answer the dispute/);
  // Code decides, so the page asks for no answer, and takes one.
  await expect(other.getByText("no answer of yours can improve the result")).toBeVisible();
  await expect(other.getByRole("form", { name: "Answer the dispute" })).toBeHidden();
  expect(await enter(other, /^Answer all the same$/)).toBe(1);
  await expect(other.getByText("which has 10.00 USDC")).toBeVisible();
  expect(await tabTo(other, /^Your statement/)).toBe(1);
  await other.keyboard.type("I never saw it.");
  await enter(other, /^Pay 0.50 USDC/);
  const answered = other.getByRole("status").filter({ hasText: "Answer submitted" });
  await expect(answered).toBeFocused({ timeout: 60_000 });

  // Both pages follow the dispute to its ruling.
  await expect(page.getByRole("heading", { name: /won: failure overturned/ })).toBeVisible({
    timeout: 60_000,
  });
  await enter(page, /^Full reasoning$/);
  await expect(page.getByText("the deliverable that the contractor supplied")).toBeVisible();
  await expect(other.getByText("Lost", { exact: true })).toBeVisible({ timeout: 60_000 });
});
