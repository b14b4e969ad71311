import { expect, test } from "@playwright/test";
import { type Agent, GOOD_WORK, register, submitOutcome, waitForResolution } from "./support/api";
import { expectAccessiblePage } from "./support/page-checks";

let agent: Agent;
let failure: string;

test.beforeAll(async ({ request }) => {
  agent = await register(request, `Explained ${crypto.randomUUID().slice(0, 8)} <b>`);
  const requester = await register(request, "Asks for explanations");
  const work = { contractor: agent, requester };
  const success = await submitOutcome(request, { ...work, deliverable: { content: GOOD_WORK } });
  failure = await submitOutcome(request, { ...work, deliverable: { content: " " } });
  await waitForResolution(request, success);
  await waitForResolution(request, failure);
});

test("the playground keeps its state in the URL", async ({ page }) => {
  await page.goto("/how-it-works");
  const score = page.getByRole("status").getByText("of 100");
  await expect(score).toBeVisible();
  await page.getByRole("link", { name: "Self-paying ring" }).click();
  await expect(page).toHaveURL(/paying=60/);
  await expect(page.getByText("Without an anchor no score exceeds 80")).toBeVisible();
  const anchors = page.getByRole("slider", { name: "Anchors" });
  await anchors.focus();
  for (let n = 0; n < 12; n++) await anchors.press("ArrowRight");
  await expect(page).toHaveURL(/anchored=12/);
  await expect(page.getByRole("status")).toContainText(/Verified|Elite/);
  await page.reload();
  await expect(anchors).toHaveValue("12");
});

test("an agent page filters outcomes and lists clients", async ({ page }) => {
  await page.goto(`/agents/${agent.wallet}`);
  await expect(page.getByText("All work came from one client")).toBeVisible();
  await expect(page.getByText("No disputes.")).toBeVisible();
  await expect(page.getByText("Unconfirmed", { exact: true })).toHaveCount(3);
  await page.getByLabel("Original verdict").selectOption("FAILURE");
  await expect(page).toHaveURL(/verdict=FAILURE/);
  await expect(page.getByText("1 matching, newest first")).toBeVisible();
  await page.getByLabel("Evidence type").selectOption("anchored");
  await expect(page.getByText("No outcomes match")).toBeVisible();
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(page.getByText("2 total, newest first")).toBeVisible();
});

test("badge and social picture show the current score", async ({ page, request }) => {
  const badge = await request.get(`/agents/${agent.wallet}/badge.svg`);
  expect(badge.headers()["content-type"]).toContain("image/svg+xml");
  expect(await badge.text()).toContain("Newcomer");
  const again = await request.get(`/agents/${agent.wallet}/badge.svg`, {
    headers: { "If-None-Match": badge.headers().etag ?? "" },
  });
  expect(again.status()).toBe(304);
  const unregistered = await request.get(
    "/agents/0x0000000000000000000000000000000000000001/badge.svg",
  );
  expect(await unregistered.text()).toContain("not registered");

  await page.goto(`/agents/${agent.wallet}`);
  const picture = await page.locator('meta[property="og:image"]').getAttribute("content");
  const drawn = await request.get(new URL(picture ?? "").pathname);
  expect(drawn.headers()["content-type"]).toBe("image/png");

  // Any script can be drawn without fetching fonts.
  for (const name of ["Łukasz Żółw", "Репутация", "Φήμη", "信誉 \u{1F680}"]) {
    const { wallet } = await register(request, name);
    await page.goto(`/agents/${wallet}`);
    const url = await page.locator('meta[property="og:image"]').getAttribute("content");
    const image = await request.get(new URL(url ?? "").pathname);
    expect(image.status(), name).toBe(200);
    expect(await (await request.get(`/agents/${wallet}/badge.svg`)).text()).toContain(name);
  }
});

test("the API reference runs an operation in place", async ({ page, context }) => {
  const externalRequests: string[] = [];
  context.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "127.0.0.1")
      externalRequests.push(request.url());
  });
  await page.goto("/docs?lang=python");
  await expect(page.getByText("import json, secrets, time, urllib.request")).toBeVisible();
  const heading = page.getByRole("heading", { name: "Reference" });
  await heading.scrollIntoViewIfNeeded();
  const operation = page.getByRole("button", { name: /network The chain/ });
  await operation.click();
  await page.getByRole("button", { name: "Try it out" }).click();
  await page.getByRole("button", { name: "Execute" }).click();
  await expect(page.getByText('"registryAddress"').first()).toBeVisible();
  await operation.click();
  await expectAccessiblePage(page);
  expect(externalRequests).toEqual([]);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the playground is a form, and every operation is listed", async ({ page }) => {
    await page.goto("/how-it-works");
    await page.getByRole("slider", { name: "Paying strangers" }).press("End");
    await page.getByRole("button", { name: "Compute" }).click();
    await expect(page).toHaveURL(/paying=60/);
    await expect(page.getByRole("status")).toContainText("of 100");
    await page.goto("/docs");
    await expect(page.getByText("/reputation/{walletAddress}", { exact: true })).toBeVisible();
  });
});
