import { expect, test } from "playwright/test";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { type Agent, GOOD_WORK, register, submitOutcome, waitForResolution } from "./support/api";
import { expectAccessiblePage } from "./support/page-checks";
import { readSeed } from "./support/seed";

let quill: Agent;
let failure: string;

test.beforeAll(() => {
  const { contractor, outcomeIds } = readSeed().quill;
  quill = contractor;
  [, failure = ""] = outcomeIds;
});

test("a profile gives advice, with the evidence of each risk", async ({ page }) => {
  await page.goto(`/agents/${quill.wallet}`);
  const advice = page.getByRole("region", { name: "Recommendation" });
  await expect(advice.getByText("Use escrow", { exact: true })).toBeVisible();
  await expect(page.getByText(": below 70")).toBeVisible();
  await expect(page.getByText("Limited", { exact: true })).toBeVisible();
  const detail = advice.getByText("Known clients count as paying ones");
  await expect(detail).toBeHidden();
  await advice.getByText("No paying client", { exact: true }).click();
  await expect(detail).toBeVisible();
});

test("a profile says how to hire the agent and why its score is what it is", async ({ page }) => {
  await page.goto(`/agents/${quill.wallet}`);
  await expect(page.getByRole("link", { name: "Propose an agreement with escrow" })).toBeVisible();
  await expect(page.getByText(/^\d+\.\d\d: .* Without a paid job, no score exceeds/)).toBeVisible();
  await expect(page.getByText(/^A paid success of 10\.00 USDC for a new client/)).toBeVisible();
});

test("a profile says how much its record covers, and from whom", async ({ page }) => {
  await page.goto(`/agents/${quill.wallet}/score`);
  const limit = page.locator("section").filter({ hasText: "What its record covers" });
  await expect(limit.getByText("0 USDC", { exact: true })).toHaveCount(4);
  await expect(limit.getByText("From an overall score of 70, without warnings")).toBeVisible();
  await expectAccessiblePage(page);
});

test("the chart ends with the current score and is read with the arrow keys", async ({
  page,
  request,
}) => {
  const { score } = await (await request.get(`/api/v1/reputation/${quill.wallet}`)).json();
  await page.goto(`/agents/${quill.wallet}`);
  const chart = page.getByRole("slider", { name: "Score over time" });
  await expect(chart).toHaveAttribute("aria-valuetext", new RegExp(`^${score.toFixed(2)}, `));
  await chart.focus();
  await page.keyboard.press("Home");
  await expect(chart).toHaveValue("0");
  await expect(chart).toHaveAttribute("aria-valuetext", /Job$/);
  await page.keyboard.press("ArrowRight");
  await expect(chart).toHaveValue("1");

  // All of a history of minutes is within the shortest range.
  await expect(page.getByRole("navigation", { name: "Range of the chart" })).toHaveCount(0);
});

test("the tabs of a profile are pages with the agent's name and title", async ({ page }) => {
  await page.goto(`/agents/${quill.wallet}`);
  const tabs = page.getByRole("navigation", { name: "Profile" });
  for (const [label, tab, heading] of [
    ["Jobs", "jobs", "Jobs"],
    ["Clients", "clients", "Clients and payees"],
    ["Score", "score", "What the score is made of"],
    ["Verify and embed", "verify", "Embed badge"],
  ] as const) {
    await tabs.getByRole("link", { name: label }).click();
    await expect(page).toHaveURL(new RegExp(`/agents/${quill.wallet}/${tab}$`));
    await expect(page.getByRole("heading", { name: heading, exact: true })).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(quill.name);
    await expect(page).toHaveTitle(new RegExp(`${quill.name}.*: ${tab}`));
    await expect(tabs.locator("[aria-current=page]")).toHaveText(label);
  }
});

test("jobs are exported as CSV with the filter of the page", async ({ page, request }) => {
  await page.goto(`/agents/${quill.wallet}/jobs?verdict=FAILURE&page=1&role=`);
  await expect(page).toHaveURL(new RegExp(`/agents/${quill.wallet}/jobs\\?verdict=FAILURE$`));
  const href = await page.getByRole("link", { name: "CSV" }).getAttribute("href");
  const file = await request.get(href ?? "");
  expect(file.headers()["content-type"]).toContain("text/csv");
  const lines = (await file.text()).trim().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(failure);
});

test("links lead to other sites without endorsing them", async ({ page, request }) => {
  const wallet = privateKeyToAddress(generatePrivateKey());
  const response = await request.post("/api/v1/agents/register", {
    data: {
      agentAddress: wallet,
      name: "Linked Knot",
      links: { website: "https://knot.example/about" },
    },
  });
  expect(response.ok()).toBe(true);
  await page.goto(`/agents/${wallet}`);
  const link = page.getByRole("link", { name: "https://knot.example/about" });
  await expect(link).toHaveAttribute("rel", "nofollow ugc noopener");
});

test("a wallet that outcomes name has a page without being registered", async ({
  page,
  request,
}) => {
  const requester = { name: "", wallet: privateKeyToAddress(generatePrivateKey()), apiKey: "" };
  const contractor = await register(request, "Whimbrel");
  const work = { contractor, requester, deliverable: { content: GOOD_WORK } };
  const outcomeId = await submitOutcome(request, work);
  await waitForResolution(request, outcomeId);
  const response = await page.goto(`/agents/${requester.wallet}`);
  expect(response?.status()).toBe(200);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Unregistered wallet");
  await expect(page.locator(`a[href="/outcomes/${outcomeId}"]`)).toBeVisible();
  await expect(page.getByText("Hires agents and has no jobs of its own.")).toBeVisible();
  await expect(page.getByRole("main").getByText(/score/i)).toHaveText([/Clients have no score/]);
  await expectAccessiblePage(page);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("chart and how to hire are within two screens", async ({ page }) => {
    await page.goto(`/agents/${quill.wallet}`);
    for (const part of [
      page.getByRole("slider", { name: "Score over time" }),
      page.getByRole("link", { name: "Propose an agreement" }),
    ]) {
      const box = await part.boundingBox();
      expect((box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0)).toBeLessThan(2 * 844);
    }
  });
});
