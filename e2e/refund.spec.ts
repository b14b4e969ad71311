import { expect } from "playwright/test";
import { post, register, waitForResolution } from "./support/api";
import { fundWallet, getUsdcBalance, sendUsdc } from "./support/chain";
import { openDashboard, test } from "./support/owner";
import { expectAccessiblePage } from "./support/page-checks";

test("a contractor refunds a payment from the dashboard despite interruptions", async ({
  createSignedInOwner,
  baseURL,
  request,
}) => {
  const owner = await createSignedInOwner("Honest Contractor", { chainId: 1 });
  const { page, wallet, account, agent } = owner;
  await fundWallet(baseURL, account.address);
  const client = await register(request, "Paying Client");
  await fundWallet(baseURL, client.account.address);
  const paymentTxHash = await sendUsdc(baseURL, client.account, account.address, 3_250_000n);
  const { outcomeId } = await post(request, "/outcome", agent, {
    contractorAgentAddress: account.address,
    requesterAgentAddress: client.wallet,
    taskDescription: "Describe in two sentences what a reputation is good for.",
    taskCategory: "content",
    valueUsdc: 20,
    paymentTxHash,
  });
  await waitForResolution(request, outcomeId);
  const before = await getUsdcBalance(baseURL, client.account.address);

  await openDashboard(page, "Jobs");
  const button = page.getByRole("button", { name: /^Refund: / });
  await button.press("Enter");
  const form = page.getByRole("form", { name: "Refund the payment" });
  await expect(form).toContainText("It returns 3.25 USDC to Paying Client");
  await expect(form).toContainText("The job no longer counts in your score");
  await expect(form).toContainText(/Deadline.* left/);
  await expectAccessiblePage(page);

  const submit = form.getByRole("button", { name: "Refund 3.25 USDC" });
  wallet.declineNext();
  await submit.press("Enter");
  await expect(form.getByRole("alert")).toContainText("You declined");

  // The transfer succeeds but its report fails: a reload must lose nothing.
  await page.route("**/api/trpc/outcomes.refund*", (route) => route.abort());
  await submit.click();
  await expect(form.getByRole("alert")).toContainText("The service is not responding.");
  await page.unroute("**/api/trpc/outcomes.refund*");
  await page.reload();
  await expect(form.getByText("Payment sent, not submitted yet")).toBeVisible();
  await expectAccessiblePage(page);
  await form.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Refund submitted" })).toBeVisible();
  await expect(page.getByText("Payment refunded", { exact: true })).toBeVisible({
    timeout: 30_000,
  });
  expect(wallet.requests.filter((method) => method === "eth_sendTransaction")).toHaveLength(2);
  expect((await getUsdcBalance(baseURL, client.account.address)) - before).toBe(3_250_000n);
  await page.reload();
  await expect(page.getByText("Payment refunded", { exact: true })).toBeVisible();
  await expect(button).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Dispute: / })).toHaveCount(0);
  await expectAccessiblePage(page);

  await page.goto(`/outcomes/${outcomeId}`);
  const headline = page.getByRole("heading", { level: 1 });
  await expect(headline).toContainText(/^Refunded/);
  await expect(page.getByText("The verdict was failure.")).toBeVisible();
  await expect(page.getByText(/so it no longer counts\.?$/)).toBeVisible();
  const step = page.getByRole("listitem").filter({ hasText: "from the contractor to the client" });
  await expect(step).toContainText("3.25 USDC from the contractor to the client, recorded");
  await page.getByRole("heading", { name: "Records", exact: true }).click();
  await expect(page.getByText("Refund of 3.25 USDC", { exact: true })).toBeVisible();
  await expect(page.getByText("Refund on chain (record 0 of the transaction)")).toBeVisible();
  await expectAccessiblePage(page);
  await page.goto(`/agents/${account.address}`);
  await expect(page.getByText("Refunded", { exact: true })).toBeVisible();
  await expectAccessiblePage(page);
});
