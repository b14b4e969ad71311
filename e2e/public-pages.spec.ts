import { expect, test } from "playwright/test";
import { listExamples, PAGES } from "@/components/site/pages";
import { type Agent, GOOD_WORK, post, seedOutcomes } from "./support/api";
import { payStake } from "./support/chain";
import { expectAccessiblePage } from "./support/page-checks";
import {
  ACCOUNT_BUDGET_BYTES,
  openWithScripts,
  readLayoutShift,
  WALLET_CODE,
} from "./support/page-load";
import { slowDown } from "./support/slow-page";

/** Includes 116 kB of React and of the client of Next. */
const BUDGET_BYTES = 140_000;
/** The browser draws the tables and charts of a profile, whose HTML would be three times as large. */
const PROFILE_BUDGET_BYTES = 150_000;
/** Up to 0.1 counts as good. On a busy machine, a line may move by a pixel or two. */
const MAX_LAYOUT_SHIFT = 0.01;
const REASON = "It names no source for what it says.";

test.describe.configure({ mode: "parallel" });

let finch: Agent;
let outcomeIds: string[];
let records: { agent: string; outcome: string; dispute: string };

test.beforeAll(async ({ request, baseURL }, { workerIndex }) => {
  // Each worker has agents of its own.
  const names = {
    contractor: `Finch ${workerIndex}`,
    requester: `Public Page Requester ${workerIndex}`,
  };
  const seed = await seedOutcomes(request, names, [GOOD_WORK, " "]);
  finch = seed.contractor;
  outcomeIds = seed.outcomeIds;
  const { disputeId } = await post(request, "/disputes", seed.requester, {
    outcomeId: outcomeIds[0],
    reason: REASON,
    stakePaymentTxHash: await payStake(baseURL, seed.requester.account),
  });
  records = {
    agent: `/agents/${finch.wallet}`,
    outcome: `/outcomes/${outcomeIds[0]}`,
    dispute: `/disputes/${disputeId}`,
  };
});

/** Each worker checks every second page. */
for (const half of [0, 1]) {
  test(`pages are accessible, small and free of wallet code, half ${half + 1}`, async ({
    browser,
    baseURL,
  }) => {
    test.setTimeout(600_000);
    const examples = PAGES.flatMap((sitePage) =>
      listExamples(sitePage, records).map((path) => ({ path, isOwnerPage: sitePage.isOwnerPage })),
    );
    for (const { path, isOwnerPage } of examples.filter((_, at) => at % 2 === half)) {
      await test.step(path, async () => {
        const { page, bytes, source } = await openWithScripts(browser, baseURL + path);
        if (isOwnerPage) {
          // Proves that the pattern detects wallet code at all.
          expect.soft(source, path).toMatch(WALLET_CODE);
          expect.soft(bytes, `${path}: bytes of scripts`).toBeLessThan(ACCOUNT_BUDGET_BYTES);
        } else {
          expect.soft(WALLET_CODE.exec(source)?.[0], `${path}: wallet code`).toBeUndefined();
          const budget = path.startsWith(records.agent) ? PROFILE_BUDGET_BYTES : BUDGET_BYTES;
          expect.soft(bytes, `${path}: bytes of scripts`).toBeLessThan(budget);
          expect.soft(source.length, `${path}: characters of scripts`).toBeGreaterThan(bytes);
        }
        const shift = await readLayoutShift(page);
        expect.soft(shift, `${path}: layout shift`).toBeLessThan(MAX_LAYOUT_SHIFT);
        await expectAccessiblePage(page);
        await page.context().close();
      });
    }
  });
}

test("nothing moves while a short page arrives", async ({ browser, baseURL }) => {
  const slow = await slowDown(`${baseURL}/leaderboard/trading`);
  const { page } = await openWithScripts(browser, slow.url);
  await expect(page.getByText("No trading agents yet")).toBeVisible();
  expect(await readLayoutShift(page)).toBeLessThan(MAX_LAYOUT_SHIFT);
  await page.context().close();
  slow.close();
});

test("other states of pages are accessible", async ({ page }) => {
  const paths = [
    `/outcomes/${outcomeIds[1]}`,
    `${records.agent}?verdict=FAILURE&backing=claimed`,
    `/search?q=${encodeURIComponent(finch.name)}`,
    "/nowhere",
  ];
  for (const path of paths) {
    await test.step(path, async () => {
      await page.goto(path);
      await expectAccessiblePage(page);
    });
  }
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("public pages show their content", async ({ page }) => {
    const agentLink = page.getByRole("link", { name: finch.name });
    const headline = page.getByRole("heading", { level: 1 });
    const expectations: Record<string, () => Promise<void>> = {
      "/": async () => {
        await expect(page.getByRole("searchbox")).toBeVisible();
        await expect(page.locator("a[href^='/outcomes/']").first()).toBeVisible();
        await expect(page.locator("a[href^='/agents/']").first()).toBeVisible();
      },
      "/leaderboard?size=100": () => expect(agentLink).toBeVisible(),
      "/leaderboard/trading": () => expect(page.getByText("No trading agents yet")).toBeVisible(),
      [`/search?q=${encodeURIComponent(finch.name)}`]: () => expect(agentLink).toBeVisible(),
      [records.agent]: async () => {
        await expect(headline).toHaveText(finch.name);
        await expect(page.locator(`a[href="${records.outcome}"]`).first()).toBeVisible();
      },
      [records.outcome]: async () => {
        await expect(headline).toHaveText(/: success for /);
        await expect(page.getByText("Automated checks only; no language model")).toBeVisible();
      },
      [records.dispute]: () => expect(page.getByText(REASON)).toBeVisible(),
      "/judge": () =>
        expect(page.getByRole("heading", { name: "Measured accuracy" })).toBeVisible(),
      "/anchors": () => expect(headline).toHaveText("Anchors"),
      "/status": () => expect(page.getByText("Checked just now")).toBeVisible(),
      "/verify": () => expect(page.getByText("npm run verify").first()).toBeVisible(),
      "/how-it-works": () => expect(page.getByRole("status")).toContainText("of 100"),
      "/docs": () =>
        expect(page.getByText("/reputation/{walletAddress}", { exact: true })).toBeVisible(),
      "/docs/operations/submit-outcome": () =>
        expect(page.getByText("payment-not-ready")).toBeVisible(),
    };
    for (const [path, expectContent] of Object.entries(expectations)) {
      await test.step(path, async () => {
        await page.goto(path);
        await expect(headline).toBeVisible();
        await expectContent();
      });
    }
  });
});
