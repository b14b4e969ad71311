import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect as baseExpect, type Page, test } from "playwright/test";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { startServiceProcess } from "@/scripts/testing/npm-start";
import { findFreePort } from "@/server/local/process";
import { createOwner } from "./support/owner";
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

test("only browser wallets are offered by default", async ({ browser, baseURL }) => {
  const { page } = await createOwner(browser, baseURL);
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

test.describe("with WalletConnect configured", () => {
  let service: Service;
  test.beforeAll(async () => {
    test.setTimeout(120_000);
    service = await startSecondService({
      WALLETCONNECT_PROJECT_ID: "0123456789abcdef0123456789abcdef",
    });
  });
  test.afterAll(() => service.stop());

  test("an owner signs in with a phone wallet", async ({ context, page }) => {
    test.setTimeout(120_000);
    const relay = new Relay();
    await mockWalletConnect(context, relay);
    const account = privateKeyToAccount(generatePrivateKey());
    const phone = await startPhoneWallet(relay, account, LOCAL_CHAIN);
    const { hosts, libraries } = watchRequests(page);
    await page.goto(`${service.url}/register`);
    const choice = page.getByRole("button", { name: "WalletConnect" });
    await expect(choice).toBeVisible();
    await page.waitForLoadState("networkidle");
    expect([...hosts]).toEqual([new URL(service.url).host]);
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
    expect([...hosts].sort()).toEqual([new URL(service.url).host, "verify.walletconnect.org"]);
    await phone.close();
  });
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
  // Enables Base Account in the page, which the service only does on Base.
  await page.route("**/register", async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(
      String.raw`\"baseAccount\":false`,
      String.raw`\"baseAccount\":true`,
    );
    await route.fulfill({ response, body });
  });
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

interface Service {
  url: string;
  stop(): Promise<void>;
}

/** Starts another service, configured by `env`, next to the one the browser tests share. */
async function startSecondService(env: Record<string, string>): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), "standing-e2e-"));
  // When run as root, Postgres runs as another user who needs access.
  chmodSync(folder, 0o755);
  const port = await findFreePort();
  const service = startServiceProcess({
    PORT: String(port),
    DATA_DIR: join(folder, "data"),
    ...env,
  });
  await service.waitForOutput("Standing is ready");
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      service.child.kill("SIGTERM");
      await service.ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
