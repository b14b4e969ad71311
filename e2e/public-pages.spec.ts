import { expect, type Page, test } from "@playwright/test";
import { type Agent, GOOD_WORK, post, register, resolved, submit } from "./support/api";
import { scriptsOf } from "./support/scripts";
import { payStake } from "./support/stake";

const BUDGET_BYTES = 150_000;
/** What connecting to and signing with a wallet takes, as it is named in any build. */
const WALLET_CODE =
  /wagmi|walletconnect|eip6963|eth_requestAccounts|eth_sendTransaction|personal_sign|wallet_switchEthereumChain/i;
const REASON = "It names no source for what it says.";

let finch: Agent;
let outcomeId: string;
let disputeId: string;

test.beforeAll(async ({ request, baseURL }) => {
  const own = crypto.randomUUID().slice(0, 8);
  finch = await register(request, `Finch ${own}`);
  const requester = await register(request, `Reads without scripts ${own}`);
  outcomeId = await submit(request, {
    contractor: finch,
    requester,
    deliverable: { content: GOOD_WORK },
  });
  await resolved(request, outcomeId);
  const dispute = await post(request, "/disputes", requester, {
    outcomeId,
    reason: REASON,
    stakePaymentTxHash: await payStake(baseURL, requester.account),
  });
  disputeId = dispute.disputeId;
});

/**
 * Everything that a stranger comes to read. Not /docs: its reference is a viewer of a library, which
 * is a megabyte by itself and loads only once somebody scrolls to it.
 */
const pages = (): Record<string, { path: string; reads: (page: Page) => Promise<void> }> => ({
  home: {
    path: "/",
    reads: async (page) => {
      await expect(page.getByRole("searchbox")).toBeVisible();
      await expect(page.locator("a[href^='/outcomes/']").first()).toBeVisible();
      await expect(page.locator("a[href^='/agents/']").first()).toBeVisible();
    },
  },
  leaderboard: {
    path: "/leaderboard?size=100",
    reads: (page) => expect(page.getByRole("link", { name: finch.name })).toBeVisible(),
  },
  agent: {
    path: `/agents/${finch.wallet}`,
    reads: async (page) => {
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(finch.name);
      await expect(page.locator(`a[href="/outcomes/${outcomeId}"]`).first()).toBeVisible();
    },
  },
  outcome: {
    path: `/outcomes/${outcomeId}`,
    reads: async (page) => {
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Success");
      await expect(page.getByText("This verdict comes from the built-in rules.")).toBeVisible();
    },
  },
  dispute: {
    path: `/disputes/${disputeId}`,
    reads: (page) => expect(page.getByText(REASON)).toBeVisible(),
  },
  judge: {
    path: "/judge",
    reads: (page) => expect(page.getByRole("heading", { name: "Measured accuracy" })).toBeVisible(),
  },
  anchors: {
    path: "/anchors",
    reads: (page) => expect(page.getByRole("heading", { level: 1 })).toHaveText("Anchors"),
  },
  status: {
    path: "/status",
    reads: (page) => expect(page.getByText("Checked just now")).toBeVisible(),
  },
  verify: {
    path: "/verify",
    reads: (page) => expect(page.getByText("npm run verify").first()).toBeVisible(),
  },
  "how it works": {
    path: "/how-it-works",
    reads: (page) => expect(page.getByRole("status")).toContainText("of 100"),
  },
  search: {
    path: `/search?q=${encodeURIComponent(finch.name)}`,
    reads: (page) => expect(page.getByRole("link", { name: finch.name })).toBeVisible(),
  },
});

test("public pages load few scripts, and none that speaks to a wallet", async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(180_000);
  for (const [name, { path }] of Object.entries(pages())) {
    await test.step(name, async () => {
      const { bytes, source } = await scriptsOf(browser, baseURL + path);
      expect.soft(bytes, `${name}: bytes of scripts`).toBeLessThan(BUDGET_BYTES);
      expect.soft(source.length, `${name}: characters of scripts`).toBeGreaterThan(bytes);
      expect.soft(WALLET_CODE.exec(source)?.[0], `${name}: wallet code`).toBeUndefined();
    });
  }
  // Else nothing above would have been found whatever there was.
  const { source } = await scriptsOf(browser, `${baseURL}/register`);
  expect(source).toMatch(WALLET_CODE);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("public pages are there to be read", async ({ page }) => {
    test.setTimeout(120_000);
    for (const [name, { path, reads }] of Object.entries(pages())) {
      await test.step(name, async () => {
        await page.goto(path);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await reads(page);
      });
    }
  });
});
