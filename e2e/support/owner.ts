import { type BrowserContext, expect, type Page, test as playwrightTest } from "playwright/test";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { DASHBOARD_SECTIONS, getSectionPath } from "@/components/account/dashboard-sections";
import { type PayingAgent, register, startSession } from "./api";
import { fetchNetwork } from "./chain";
import { type InjectedWallet, injectWallet } from "./injected-wallet";

export interface Owner {
  account: PrivateKeyAccount;
  wallet: InjectedWallet;
  page: Page;
}

/** An owner whose agent is registered. */
export interface SignedInOwner extends Owner {
  agent: PayingAgent;
}

interface OwnerOptions {
  /** By default a new one. */
  account?: PrivateKeyAccount;
  /** Initial network of the wallet. */
  chainId?: number;
  /** Whether the wallet was connected on an earlier visit. */
  isConnected?: boolean;
}

interface Fixtures {
  /** Creates an owner with a separate browser context and an injected wallet. */
  createOwner(options?: OwnerOptions): Promise<Owner>;
  /**
   * Creates an owner who has registered an agent and is signed in, by the API instead of the pages.
   * The wallet is connected.
   */
  createSignedInOwner(name: string, options?: OwnerOptions): Promise<SignedInOwner>;
}

/** With owners, whose pages are closed after the test: an open page keeps polling. */
export const test = playwrightTest.extend<Fixtures>({
  createOwner: async ({ browser, baseURL }, use) => {
    const contexts: BrowserContext[] = [];
    await use(
      async ({
        account = privateKeyToAccount(generatePrivateKey()),
        chainId,
        isConnected,
      } = {}) => {
        const context = await browser.newContext({ baseURL });
        contexts.push(context);
        const { rpcUrl } = await fetchNetwork(baseURL);
        const wallet = await injectWallet(context, { account, rpcUrl, chainId, isConnected });
        return { account, wallet, page: await context.newPage() };
      },
    );
    await Promise.all(contexts.map((context) => context.close()));
  },
  createSignedInOwner: ({ createOwner }, use) =>
    use(async (name, options) => {
      const owner = await createOwner({ ...options, isConnected: true });
      const { account, page } = owner;
      // Its cookies are those of the context's pages.
      const { request } = page.context();
      const agent = await register(request, name, { account, isVerified: true });
      await startSession(request, account);
      return { ...owner, agent };
    }),
});

/** Connects the wallet and signs in on the current page. */
export async function signIn({ page }: Owner): Promise<void> {
  await page.getByRole("button", { name: "Test Wallet" }).click();
  await expect(page.getByRole("heading", { name: "Sign in with your wallet" })).toBeFocused();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Returns a secret that is currently shown. */
export async function readSecret(page: Page, name: string): Promise<string> {
  return (await page.locator(`[data-secret="${name}"]`).textContent()) ?? "";
}

type Section = (typeof DASHBOARD_SECTIONS)[number]["label"];

/** Opens a section of the dashboard by a full page load. */
export async function openDashboard(page: Page, section: Section = "Overview"): Promise<void> {
  const { section: segment } = DASHBOARD_SECTIONS.find(({ label }) => label === section) ?? {};
  await page.goto(getSectionPath(segment ?? ""));
  await expectSection(page, section);
}

/** Opens a section of the dashboard from another one. */
export async function openSection(page: Page, section: Section): Promise<void> {
  await getTab(page, section).click();
  await expectSection(page, section);
}

const getTab = (page: Page, section: Section) =>
  page
    .getByRole("navigation", { name: "Dashboard" })
    .getByRole("link", { name: new RegExp(`^${section}`) });

async function expectSection(page: Page, section: Section): Promise<void> {
  await expect(getTab(page, section)).toHaveAttribute("aria-current", "page");
  if (section === "Overview") return;
  await expect(page.getByRole("heading", { level: 2, name: section, exact: true })).toBeVisible();
}
