import { type Browser, expect, type Page } from "@playwright/test";
import { createTestClient, createWalletClient, type Hex, http, parseAbi } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { type InjectedWallet, injectWallet } from "./injected-wallet";

export interface Owner {
  account: PrivateKeyAccount;
  wallet: InjectedWallet;
  page: Page;
}

interface Network {
  rpcUrl: string;
  usdcAddress: Hex;
}

/** Somebody with a browser of their own and a wallet in it. */
export async function newOwner(
  browser: Browser,
  baseURL: string | undefined,
  { chainId, account = privateKeyToAccount(generatePrivateKey()) }: NewOwner = {},
): Promise<Owner> {
  const context = await browser.newContext({ baseURL });
  const { rpcUrl } = await networkOf(baseURL);
  const wallet = await injectWallet(context, { account, rpcUrl, chainId });
  return { account, wallet, page: await context.newPage() };
}

interface NewOwner {
  /** Network that the wallet is on at first. */
  chainId?: number;
  account?: PrivateKeyAccount;
}

/** Connects the wallet and signs in with it, on a page that asks for that. */
export async function signIn({ page }: Owner): Promise<void> {
  await page.getByRole("button", { name: "Test Wallet" }).click();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Registers by the page, up to the key that is shown once. */
export async function registerByPage(owner: Owner, name: string): Promise<string> {
  const { page } = owner;
  await page.goto("/register");
  await signIn(owner);
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Register agent" }).click();
  await expect(page.getByRole("heading", { name: "Registered" })).toBeVisible();
  return shownSecret(page, "API key");
}

/** A secret while it is shown. */
export async function shownSecret(page: Page, name: string): Promise<string> {
  return (await page.locator(`[data-secret="${name}"]`).textContent()) ?? "";
}

/** Goes to the dashboard from the key. */
export async function toDashboard({ page }: Owner): Promise<void> {
  await page.getByRole("link", { name: /saved the key/ }).click();
  await expect(page.getByRole("heading", { name: "API keys" })).toBeVisible();
}

/** Gives a wallet ether and 10 test USDC, by the local chain's node. */
export async function fundWallet(baseURL: string | undefined, address: Hex): Promise<void> {
  const { rpcUrl, usdcAddress } = await networkOf(baseURL);
  const node = createTestClient({ chain: foundry, mode: "anvil", transport: http(rpcUrl) });
  const minter = privateKeyToAccount(generatePrivateKey());
  for (const rich of [address, minter.address]) {
    await node.setBalance({ address: rich, value: 10n ** 18n });
  }
  const client = createWalletClient({ account: minter, chain: foundry, transport: http(rpcUrl) });
  await client.writeContract({
    address: usdcAddress,
    abi: parseAbi(["function mint(address to, uint256 amount)"]),
    functionName: "mint",
    args: [address, 10_000_000n],
  });
}

async function networkOf(baseURL: string | undefined): Promise<Network> {
  return (await fetch(`${baseURL}/api/v1/network`)).json();
}
