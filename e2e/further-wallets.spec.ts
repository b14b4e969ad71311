import { type Page, expect as shortly, test } from "@playwright/test";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { newOwner } from "./support/owner";
import { expectSoundPage } from "./support/page-checks";
import { phoneWallet } from "./support/phone-wallet";
import { Relay } from "./support/relay";
import { type SecondService, secondService } from "./support/second-service";
import { playWalletConnect } from "./support/wallet-connect-hosts";

/** Libraries load and chains answer before what is waited for is there. */
const expect = shortly.configure({ timeout: 30_000 });

const LOCAL_CHAIN = 31_337;

/** What a page asks of others, and whose code it runs. */
function watch(page: Page) {
  const hosts = new Set<string>();
  const code = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  page.on("websocket", (socket) => hosts.add(new URL(socket.url()).host));
  page.on("response", async (response) => {
    if (response.request().resourceType() !== "script") return;
    const text = await response.text().catch(() => "");
    if (text.includes("relay.walletconnect.org")) code.add("WalletConnect");
    if (text.includes("keys.coinbase.com")) code.add("Base Account");
  });
  return { hosts, code };
}

test("where nothing further is configured, only the browser's wallets are offered", async ({
  browser,
  baseURL,
}) => {
  const { page } = await newOwner(browser, baseURL);
  const { hosts, code } = watch(page);
  await page.goto("/");
  const policy = (path: string) =>
    page.request.get(path).then((answer) => answer.headers()["content-security-policy"] ?? "");
  expect(await policy("/register")).not.toMatch(/walletconnect|coinbase|https:/);
  // By a link too a page of owners comes with a policy of its own.
  await page.getByRole("banner").getByRole("link", { name: "Register" }).click();
  const choices = page.getByRole("main").getByRole("listitem").getByRole("button");
  await expect(choices).toHaveText([/^Test Wallet/]);
  const entered = await page.evaluate(() => performance.getEntriesByType("navigation")[0]?.name);
  expect(entered).toBe(`${baseURL}/register`);

  await choices.click();
  await expect(page.getByRole("heading", { name: "Sign in with your wallet" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect([...hosts]).toEqual([new URL(baseURL ?? "").host]);
  expect([...code]).toEqual([]);
});

test.describe("where WalletConnect is configured", () => {
  let service: SecondService;
  test.beforeAll(async () => {
    test.setTimeout(120_000);
    service = await secondService({ WALLETCONNECT_PROJECT_ID: "0123456789abcdef0123456789abcdef" });
  });
  test.afterAll(() => service.stop());

  test("somebody with a wallet on the phone signs in with it", async ({ context, page }) => {
    test.setTimeout(120_000);
    const relay = new Relay();
    await playWalletConnect(context, relay);
    const account = privateKeyToAccount(generatePrivateKey());
    const phone = await phoneWallet(relay, account, LOCAL_CHAIN);
    const { hosts, code } = watch(page);
    await page.goto(`${service.url}/register`);
    const choice = page.getByRole("button", { name: "WalletConnect" });
    await expect(choice).toBeVisible();
    await page.waitForLoadState("networkidle");
    expect([...hosts]).toEqual([new URL(service.url).host]);
    expect([...code]).toEqual([]);
    await expectSoundPage(page);

    await choice.click();
    const drawn = page.getByRole("img", { name: "WalletConnect pairing code" });
    await expect(drawn).toBeVisible();
    await expect.poll(() => [...code]).toEqual(["WalletConnect"]);
    await expectSoundPage(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(drawn).toHaveCount(0);

    phone.declineNext();
    await choice.click();
    await phone.scan(await shownLink(page));
    await expect(page.getByRole("alert").filter({ hasText: "You declined" })).toBeVisible();
    await choice.click();
    await phone.scan(await shownLink(page));

    await expect(page.getByText("in WalletConnect")).toBeVisible();
    phone.declineNext();
    const signIn = page.getByRole("button", { name: "Sign in", exact: true });
    await signIn.click();
    await expect(page.getByRole("alert").filter({ hasText: "You declined" })).toBeVisible();
    await signIn.click();
    await expect(page.getByRole("textbox", { name: "Name" })).toBeVisible();
    // Sockets to the relay, which is played here, are not seen; any other would be.
    expect([...hosts].sort()).toEqual([new URL(service.url).host, "verify.walletconnect.org"]);
    await phone.close();
  });
});

/** The link under the code that a page shows. */
async function shownLink(page: Page): Promise<string> {
  const link = page.getByRole("link", { name: "open a wallet app on this device" });
  return (await link.getAttribute("href")) ?? "";
}

test("a Base Account opens in its own window once it is chosen, and not before", async ({
  context,
  page,
}) => {
  await context.route(/^https:\/\/keys\.coinbase\.com\//, (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>Base Account</title>" }),
  );
  // As the service makes the page on Base, where it is configured; here the chain is a local one.
  await page.route("**/register", async (route) => {
    const made = await route.fetch();
    const body = (await made.text()).replaceAll(
      String.raw`\"baseAccount\":false`,
      String.raw`\"baseAccount\":true`,
    );
    await route.fulfill({ response: made, body });
  });
  const { hosts, code } = watch(page);
  await page.goto("/register");
  const choice = page.getByRole("button", { name: "Base Account" });
  await expect(choice).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect([...code]).toEqual([]);

  const [window] = await Promise.all([page.waitForEvent("popup"), choice.click()]);
  expect(window.url()).toMatch(/^https:\/\/keys\.coinbase\.com\/connect\?/);
  await expect.poll(() => [...code]).toEqual(["Base Account"]);
  await expect(page.getByText("Continue in the Base Account window")).toBeVisible();
  await expectSoundPage(page);
  await window.close();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Continue in the Base Account window")).toHaveCount(0);
  await expect(choice).toBeEnabled();
  expect([...hosts]).toEqual([new URL(page.url()).host]);
});
