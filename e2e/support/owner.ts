import { type Browser, expect, type Page } from "playwright/test";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { fetchNetwork } from "./chain";
import { type InjectedWallet, injectWallet } from "./injected-wallet";

export interface Owner {
  account: PrivateKeyAccount;
  wallet: InjectedWallet;
  page: Page;
}

/** Creates an owner with a separate browser context and an injected wallet. */
export async function createOwner(
  browser: Browser,
  baseURL: string | undefined,
  /** `chainId`: initial network of the wallet. */
  { chainId }: { chainId?: number } = {},
): Promise<Owner> {
  const account = privateKeyToAccount(generatePrivateKey());
  const context = await browser.newContext({ baseURL });
  const { rpcUrl } = await fetchNetwork(baseURL);
  const wallet = await injectWallet(context, { account, rpcUrl, chainId });
  return { account, wallet, page: await context.newPage() };
}

/** Connects the wallet and signs in on the current page. */
export async function signIn({ page }: Owner): Promise<void> {
  await page.getByRole("button", { name: "Test Wallet" }).click();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Registers through the page and returns the API key. */
export async function registerByPage(owner: Owner, name: string): Promise<string> {
  const { page } = owner;
  await page.goto("/register");
  await signIn(owner);
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Register agent" }).click();
  await expect(page.getByRole("heading", { name: "Registered" })).toBeVisible();
  return readSecret(page, "API key");
}

/** Returns a secret that is currently shown. */
export async function readSecret(page: Page, name: string): Promise<string> {
  return (await page.locator(`[data-secret="${name}"]`).textContent()) ?? "";
}

/** Tabs of the dashboard, with the heading of each section; the overview has none. */
const SECTIONS = {
  Overview: null,
  Agreements: "Agreements",
  Outcomes: "Outcomes",
  Disputes: "Disputes",
  Alerts: "Alerts",
  Keys: "API keys",
  Webhooks: "Webhooks",
  Profile: "Profile",
} as const;

type Section = keyof typeof SECTIONS;

/** Continues from the API key to a section of the dashboard. */
export async function openDashboard({ page }: Owner, section: Section = "Overview"): Promise<void> {
  await page.getByRole("link", { name: /saved the key/ }).click();
  await openSection(page, section);
}

/** Opens a section of the dashboard from another one. */
export async function openSection(page: Page, section: Section): Promise<void> {
  const tab = page
    .getByRole("navigation", { name: "Dashboard" })
    .getByRole("link", { name: new RegExp(`^${section}`) });
  await tab.click();
  await expect(tab).toHaveAttribute("aria-current", "page");
  const name = SECTIONS[section];
  if (!name) return;
  await expect(page.getByRole("heading", { level: 2, name, exact: true })).toBeVisible();
}
