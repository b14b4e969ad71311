import { expect, test } from "@playwright/test";
import { createPublicClient, createWalletClient, type Hex, http, parseAbi } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { post, register, resolved } from "./support/api";
import { fundWallet, newOwner, registerByPage, toDashboard } from "./support/owner";
import { expectSoundPage } from "./support/page-checks";

const USDC = parseAbi([
  "function transfer(address to, uint256 amount)",
  "function balanceOf(address owner) view returns (uint256)",
]);

test("a contractor returns a payment from the dashboard, whatever comes in between", async ({
  browser,
  baseURL,
  request,
}) => {
  test.setTimeout(180_000);
  const owner = await newOwner(browser, baseURL, { chainId: 1 });
  const { page, wallet, account } = owner;
  const apiKey = await registerByPage(owner, "Honest Contractor");
  await fundWallet(baseURL, account.address);
  const client = await register(request, "Paying Client");
  await fundWallet(baseURL, client.account.address);
  const paymentTxHash = await pay(client.account, account.address, 3_250_000n);
  const contractor = { name: "Honest Contractor", wallet: account.address, apiKey };
  const { outcomeId } = await post(request, "/outcome", contractor, {
    contractorAgentAddress: account.address,
    requesterAgentAddress: client.wallet,
    taskDescription: "Describe in two sentences what a reputation is good for.",
    taskCategory: "content",
    valueUsdc: 20,
    paymentTxHash,
  });
  await resolved(request, outcomeId);
  const before = await usdcOf(client.wallet);

  await toDashboard(owner);
  const button = page.getByRole("button", { name: /^Return payment of content/ });
  await button.press("Enter");
  const form = page.getByRole("form", { name: "Return the payment" });
  await expect(form).toContainText("You return 3.25 USDC to your client");
  await expect(form).toContainText("another network (chain 1)");
  await expectSoundPage(page);
  await form.getByRole("button", { name: "Change to Local chain" }).click();
  await expect(form.getByText("another network")).toHaveCount(0);

  const give = form.getByRole("button", { name: "Return 3.25 USDC" });
  wallet.declineNext();
  await give.press("Enter");
  await expect(form.getByRole("alert")).toContainText("You declined");

  // The transfer goes through, its report does not; a reload loses nothing.
  await page.route("**/api/trpc/outcomes.refund*", (route) => route.abort());
  await give.click();
  await expect(form.getByRole("alert")).toContainText("The service does not answer.");
  await page.unroute("**/api/trpc/outcomes.refund*");
  await page.reload();
  await expect(
    page.getByRole("heading", { name: "A payment that you returned was not handed in yet" }),
  ).toBeVisible();
  await expect(button).toHaveCount(0);
  await expectSoundPage(page);
  await form.getByRole("button", { name: "Hand it in" }).click();
  await expect(page.getByRole("status").filter({ hasText: "is returned" })).toBeVisible();
  await expect(page.getByText("Payment returned", { exact: true })).toBeVisible({
    timeout: 30_000,
  });
  expect(wallet.asked.filter((one) => one === "eth_sendTransaction")).toHaveLength(2);
  expect((await usdcOf(client.wallet)) - before).toBe(3_250_000n);
  await page.reload();
  await expect(page.getByText("Payment returned", { exact: true })).toBeVisible();
  await expect(button).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Dispute the verdict/ })).toHaveCount(0);
  await expectSoundPage(page);

  await page.goto(`/outcomes/${outcomeId}`);
  await expect(page.getByText("Payment returned: this outcome counts for nothing.")).toBeVisible();
  await expect(page.getByText("Returned by the contractor")).toBeVisible();
  const step = page.getByRole("listitem").filter({ hasText: "Payment returned" });
  await expect(step).toContainText("3.25 USDC from the contractor to the requester");
  await expect(step).toContainText(/Recorded .*, record 0 of this transaction/);
  await expectSoundPage(page);
  await page.goto(`/agents/${account.address}`);
  await expect(page.getByText("Refunded", { exact: true })).toBeVisible();
  await expectSoundPage(page);

  async function pay(from: PrivateKeyAccount, to: Hex, amount: bigint): Promise<Hex> {
    const { rpcUrl, usdcAddress } = await network();
    const transport = http(rpcUrl);
    const hash = await createWalletClient({
      account: from,
      chain: foundry,
      transport,
    }).writeContract({
      address: usdcAddress,
      abi: USDC,
      functionName: "transfer",
      args: [to, amount],
    });
    await createPublicClient({ chain: foundry, transport }).waitForTransactionReceipt({ hash });
    return hash;
  }

  async function usdcOf(address: string): Promise<bigint> {
    const { rpcUrl, usdcAddress } = await network();
    return createPublicClient({ chain: foundry, transport: http(rpcUrl) }).readContract({
      address: usdcAddress,
      abi: USDC,
      functionName: "balanceOf",
      args: [address as Hex],
    });
  }

  async function network(): Promise<{ rpcUrl: string; usdcAddress: Hex }> {
    return (await fetch(`${baseURL}/api/v1/network`)).json();
  }
});
