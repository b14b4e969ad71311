import { expect as baseExpect, type Page } from "playwright/test";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import type { WalletConnectors } from "@/server/chain/schema";
import { getAllowedOrigins } from "@/server/http/page-policy";
import { test } from "./support/owner";
import { expectAccessiblePage } from "./support/page-checks";
import { startPhoneWallet } from "./support/phone-wallet";
import { mockWalletConnect, Relay } from "./support/wallet-connect";

/** Longer than the default, because libraries have to load and chain nodes to respond. */
const expect = baseExpect.configure({ timeout: 30_000 });

const LOCAL_CHAIN = 31_337;

/** Records the hosts that a page contacts and the wallet libraries that it loads. */
function watchRequests(page: Page) {
  const hosts = new Set<string>();
  const libraries = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  page.on("websocket", (socket) => hosts.add(new URL(socket.url()).host));
  page.on("response", async (response) => {
    if (response.request().resourceType() !== "script") return;
    const text = await response.text().catch(() => "");
    if (text.includes("relay.walletconnect.org")) libraries.add("WalletConnect");
    if (text.includes("keys.coinbase.com")) libraries.add("Base Account");
  });
  return { hosts, libraries };
}

test("only browser wallets are offered by default", async ({ createOwner, baseURL }) => {
  const { page } = await createOwner();
  const { hosts, libraries } = watchRequests(page);
  await page.goto("/");
  const policy = (path: string) =>
    page.request.get(path).then((response) => response.headers()["content-security-policy"] ?? "");
  expect(await policy("/register")).not.toMatch(/walletconnect|coinbase|https:/);
  // A link to an owner page is a full page load, with that page's policy.
  await page.getByRole("banner").getByRole("link", { name: "Register" }).click();
  const choices = page.getByRole("main").getByRole("listitem").getByRole("button");
  await expect(choices).toHaveText([/^Test Wallet/]);
  const loadedUrl = await page.evaluate(() => performance.getEntriesByType("navigation")[0]?.name);
  expect(loadedUrl).toBe(`${baseURL}/register`);

  await choices.click();
  await expect(page.getByRole("heading", { name: "Sign in with your wallet" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect([...hosts]).toEqual([new URL(baseURL ?? "").host]);
  expect([...libraries]).toEqual([]);
});

test("an owner signs in with a phone wallet", async ({ context, page, baseURL }) => {
  await offerWallets(page, { walletConnectProjectId: "0123456789abcdef0123456789abcdef" });
  const { host } = new URL(baseURL ?? "");
  const relay = new Relay();
  await mockWalletConnect(context, relay);
  const account = privateKeyToAccount(generatePrivateKey());
  const phone = await startPhoneWallet(relay, account, LOCAL_CHAIN);
  const { hosts, libraries } = watchRequests(page);
  await page.goto("/register");
  const choice = page.getByRole("button", { name: "WalletConnect" });
  await expect(choice).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect([...hosts]).toEqual([host]);
  expect([...libraries]).toEqual([]);
  await expectAccessiblePage(page);

  await choice.click();
  const qrCode = page.getByRole("img", { name: "WalletConnect pairing code" });
  await expect(qrCode).toBeVisible();
  await expect.poll(() => [...libraries]).toEqual(["WalletConnect"]);
  await expectAccessiblePage(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(qrCode).toHaveCount(0);

  phone.declineNext();
  await choice.click();
  await phone.scan(await readPairingLink(page));
  await expect(page.getByRole("alert").filter({ hasText: "You declined" })).toBeVisible();
  await choice.click();
  await phone.scan(await readPairingLink(page));

  await expect(page.getByText("in WalletConnect")).toBeVisible();
  phone.declineNext();
  const signIn = page.getByRole("button", { name: "Sign in", exact: true });
  await signIn.click();
  await expect(page.getByRole("alert").filter({ hasText: "You declined" })).toBeVisible();
  await signIn.click();
  await expect(page.getByRole("textbox", { name: "Name" })).toBeVisible();
  // Sockets to the mocked relay are not reported; any other would be.
  expect([...hosts].sort()).toEqual([host, "verify.walletconnect.org"]);
  await phone.close();
});

/** Returns the pairing link under the QR code. */
async function readPairingLink(page: Page): Promise<string> {
  const link = page.getByRole("link", { name: "open a wallet app on this device" });
  return (await link.getAttribute("href")) ?? "";
}

test("Base Account loads and opens its window only once chosen", async ({ context, page }) => {
  await context.route(/^https:\/\/keys\.coinbase\.com\//, (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>Base Account</title>" }),
  );
  // The service offers it on Base only.
  await offerWallets(page, { baseAccount: true });
  const { hosts, libraries } = watchRequests(page);
  await page.goto("/register");
  const choice = page.getByRole("button", { name: "Base Account" });
  await expect(choice).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect([...libraries]).toEqual([]);

  const [window] = await Promise.all([page.waitForEvent("popup"), choice.click()]);
  expect(window.url()).toMatch(/^https:\/\/keys\.coinbase\.com\/connect\?/);
  await expect.poll(() => [...libraries]).toEqual(["Base Account"]);
  await expect(page.getByText("Continue in the Base Account window")).toBeVisible();
  await expectAccessiblePage(page);
  await window.close();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Continue in the Base Account window")).toHaveCount(0);
  await expect(choice).toBeEnabled();
  expect([...hosts]).toEqual([new URL(page.url()).host]);
});

/** Changes the wallets that the register page offers and may connect to, as the settings would. */
async function offerWallets(page: Page, wallets: Partial<WalletConnectors>): Promise<void> {
  const none: WalletConnectors = { walletConnectProjectId: null, baseAccount: false };
  const write = (connectors: WalletConnectors) =>
    JSON.stringify(JSON.stringify(connectors)).slice(2, -2);
  const offered = { ...none, ...wallets };
  const { connect, frame } = getAllowedOrigins({ rpcUrl: null, connectors: offered });
  await page.route("**/register", async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    const headers = response.headers();
    const policy = headers["content-security-policy"] ?? "";
    await route.fulfill({
      response,
      body: html.replaceAll(write(none), write(offered)),
      headers: {
        ...headers,
        "content-security-policy": policy
          .replace(/connect-src [^;]+/, `$& ${connect.join(" ")}`)
          .replace(/frame-src [^;]+/, `frame-src ${frame.join(" ") || "'none'"}`),
      },
    });
  });
}
