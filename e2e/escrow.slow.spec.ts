import { expect } from "playwright/test";
import { propose } from "./support/agreements";
import { getUsdcBalance } from "./support/chain";
import { test } from "./support/owner";
import { expectAccessiblePage } from "./support/page-checks";

/** The service reads the escrow once a minute. */
const SEEN = { timeout: 100_000 };

test("an escrow that the client funds half-way, then fully, pays for the delivery", async ({
  baseURL,
  createSignedInOwner,
  request,
}) => {
  test.setTimeout(300_000);
  const [client, contractor] = await Promise.all([
    createSignedInOwner("Escrow Client"),
    createSignedInOwner("Escrow Contractor"),
  ]);
  const { agreementId } = await propose(
    request,
    { client: client.agent, contractor: contractor.agent },
    { by: client.agent, seconds: 7_200, valueUsdc: 2.5, payment: "escrow" },
  );
  const { page, wallet } = client;
  const { page: theirs } = contractor;
  await theirs.goto(`/agreements/${agreementId}`);
  await theirs.getByRole("button", { name: "Sign and accept" }).click();
  await expect(theirs.getByText("Waiting for the client to fund the escrow")).toBeVisible();
  await expect(theirs.getByRole("button", { name: /^Deliver/ })).toHaveCount(0);
  await expectAccessiblePage(theirs);

  // The client stops after two of four transactions, and goes on after a reload.
  await page.goto(`/agreements/${agreementId}`);
  await expect(page.getByRole("heading", { name: /Your turn: fund the escrow by/ })).toBeVisible();
  await page.getByRole("button", { name: "Get test ether and USDC" }).click();
  await expect(page.getByText("which has 100.00 USDC")).toBeVisible();
  await expectAccessiblePage(page);
  wallet.declineNext(2);
  await page.getByRole("button", { name: "Fund the escrow with 2.50 USDC" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "You declined" })).toBeVisible();
  await page.reload();
  await page.getByRole("button", { name: "Continue funding" }).click();
  await expect(page.getByText("The escrow holds 2.50 USDC")).toBeVisible();
  expect(wallet.requests).toEqual(Array(5).fill("eth_sendTransaction"));
  await page.reload();
  await expect(page.getByText(/^(The escrow holds 2\.50|Escrow: 2\.50) USDC/)).toBeVisible();
  for (const party of [page, theirs]) {
    await expect(party.getByText("Escrow: 2.50 USDC, held until the verdict")).toBeVisible(SEEN);
  }

  await theirs.getByRole("textbox", { name: "Deliverable" }).fill("Trust");
  await theirs.getByRole("button", { name: "Deliver this deliverable" }).click();
  await theirs.getByRole("button", { name: "Deliver it" }).click();
  await theirs.getByRole("button", { name: "Get test ether and USDC" }).click();
  await expect(theirs.getByText("Not enough ether for gas")).toHaveCount(0);
  await expectAccessiblePage(theirs);
  await theirs.getByRole("button", { name: "Submit to the escrow" }).click();
  for (const party of [page, theirs]) {
    await expect(party.getByText("Escrow: 2.50 USDC, released to the contractor")).toBeVisible(
      SEEN,
    );
    await expect(party.getByText("Success", { exact: true }).first()).toBeVisible();
  }
  expect(await getUsdcBalance(baseURL, contractor.account.address)).toBe(102_500_000n);
  expect(await getUsdcBalance(baseURL, client.account.address)).toBe(97_500_000n);
});
