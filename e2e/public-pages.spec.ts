import { expect, test } from "playwright/test";
import { expectAccessiblePage } from "./support/page-checks";
import {
  ACCOUNT_BUDGET_BYTES,
  disableCache,
  MAX_LAYOUT_SHIFT,
  openWithScripts,
  readLayoutShift,
  WALLET_CODE,
} from "./support/page-load";
import { readSeed } from "./support/seed";
import { listSignedOutPages } from "./support/site-pages";
import { slowDown } from "./support/slow-page";

/** Includes 116 kB of React and of the client of Next, which every page of its App Router loads. */
const BUDGET_BYTES = 138_000;
/** The browser draws the tables and charts of a profile, whose HTML would be three times as large. */
const PROFILE_BUDGET_BYTES = 150_000;
/** Parts of the sweep over all pages, so that both workers end at about the same time. */
const PARTS = 6;

let name: string;
let agent: string;
let outcomeIds: string[];
let dispute: string;

test.beforeAll(() => {
  const { finch } = readSeed();
  name = finch.contractor.name;
  outcomeIds = finch.outcomeIds;
  agent = `/agents/${finch.contractor.wallet}`;
  dispute = `/disputes/${finch.disputeId}`;
});

for (let part = 0; part < PARTS; part++) {
  test(`pages are accessible, small and free of wallet code, part ${part + 1}`, async ({
    page,
    request,
  }) => {
    await disableCache(page);
    const pages = listSignedOutPages(readSeed());
    for (const { path, isOwnerPage } of pages.filter((_, at) => at % PARTS === part)) {
      await test.step(path, async () => {
        const { bytes, source } = await openWithScripts(page, request, path);
        if (isOwnerPage) {
          // Proves that the pattern detects wallet code at all.
          expect.soft(source, path).toMatch(WALLET_CODE);
          expect.soft(bytes, `${path}: bytes of scripts`).toBeLessThan(ACCOUNT_BUDGET_BYTES);
        } else {
          expect.soft(WALLET_CODE.exec(source)?.[0], `${path}: wallet code`).toBeUndefined();
          const budget = path.startsWith(agent) ? PROFILE_BUDGET_BYTES : BUDGET_BYTES;
          expect.soft(bytes, `${path}: bytes of scripts`).toBeLessThan(budget);
          expect.soft(source.length, `${path}: characters of scripts`).toBeGreaterThan(bytes);
        }
        const shift = await readLayoutShift(page);
        expect.soft(shift, `${path}: layout shift`).toBeLessThan(MAX_LAYOUT_SHIFT);
        await expectAccessiblePage(page);
      });
    }
  });
}

test("nothing moves while a short page arrives", async ({ page, baseURL }) => {
  const slow = await slowDown(`${baseURL}/leaderboard/trading`);
  await page.goto(slow.url, { waitUntil: "networkidle" });
  await expect(page.getByText("No trading agents yet")).toBeVisible();
  expect(await readLayoutShift(page)).toBeLessThan(MAX_LAYOUT_SHIFT);
  slow.close();
});

test("other states of pages are accessible", async ({ page }) => {
  const paths = [
    `/outcomes/${outcomeIds[1]}`,
    `${agent}/jobs?verdict=FAILURE&backing=claimed`,
    `/search?q=${encodeURIComponent(name)}`,
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
    const agentLink = page.getByRole("link", { name: name });
    const headline = page.getByRole("heading", { level: 1 });
    const expectations: Record<string, () => Promise<void>> = {
      "/": async () => {
        await expect(page.getByRole("searchbox")).toBeVisible();
        await expect(page.getByText(/^Judged by .* rejected \d/)).toBeVisible();
        await expect(page.locator("a[href^='/outcomes/']").first()).toBeVisible();
        await expect(page.locator("a[href^='/agents/']").first()).toBeVisible();
      },
      "/leaderboard?size=100": () => expect(agentLink).toBeVisible(),
      "/leaderboard/trading": () => expect(page.getByText("No trading agents yet")).toBeVisible(),
      [`/search?q=${encodeURIComponent(name)}`]: () => expect(agentLink).toBeVisible(),
      [agent]: async () => {
        await expect(headline).toHaveText(name);
        await expect(page.locator(`a[href="/outcomes/${outcomeIds[0]}"]`).first()).toBeVisible();
      },
      [`/outcomes/${outcomeIds[0]}`]: async () => {
        await expect(headline).toHaveText(/^Success/);
        await expect(page.getByText("Automated checks only; no language model")).toBeVisible();
      },
      [dispute]: () => expect(page.getByText("It names no source for what it says.")).toBeVisible(),
      "/judge": () =>
        expect(page.getByRole("heading", { name: "Measured accuracy" })).toBeVisible(),
      "/anchors": () => expect(headline).toHaveText("Known clients"),
      "/status": () => expect(page.getByText("Checked just now")).toBeVisible(),
      "/verify": () => expect(page.getByText("npm run verify").first()).toBeVisible(),
      "/how-it-works": () => expect(page.getByText("3 good jobs for 3 strangers")).toBeVisible(),
      "/docs": () =>
        expect(page.getByRole("link", { name: "Read the reputation of a wallet" })).toBeVisible(),
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
