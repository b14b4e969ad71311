import { expect, test } from "playwright/test";
import {
  type Agent,
  GOOD_WORK,
  register,
  runAnchors,
  submitOutcome,
  waitForResolution,
} from "./support/api";
import { expectAccessiblePage } from "./support/page-checks";

let contractor: Agent;
let requester: Agent;

test.beforeAll(async ({ request }) => {
  const suffix = crypto.randomUUID().slice(0, 8);
  contractor = await register(request, `Checked Contractor ${suffix}`);
  requester = await register(request, `Anchored Requester ${suffix}`, { isVerified: true });
});

test("pages show anchors, the reason for a score change and the verify command", async ({
  page,
  request,
}) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Anchors" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Anchors");
  await expect(page.getByText("No anchors yet")).toBeVisible();
  await expectAccessiblePage(page);

  expect(runAnchors("add", requester.wallet, "--reason", "A customer")).toContain(
    "Recorded: record",
  );
  const outcomeId = await submitOutcome(request, {
    contractor,
    requester,
    deliverable: { content: GOOD_WORK },
  });
  await waitForResolution(request, outcomeId);

  await page.goto("/anchors");
  await expect(page.getByRole("link", { name: requester.name })).toBeVisible();
  await expect(page.getByText("A customer")).toBeVisible();
  await expectAccessiblePage(page);

  await page.goto(`/agents/${contractor.wallet}/score`);
  await expect(page.getByRole("heading", { name: "Why it moved" })).toBeVisible();
  await expect(page.getByText(/success of 20\.00 USDC for a new client/)).toBeVisible();
  await expectAccessiblePage(page);
  await page.goto(`/agents/${contractor.wallet}/verify`);
  const command = await page
    .getByText(/npm run verify -- --url/)
    .first()
    .textContent();
  expect(command).toContain(contractor.wallet);
  await expectAccessiblePage(page);

  expect(runAnchors("revoke", requester.wallet)).toContain("is revoked: record");
  await page.goto("/anchors");
  await expect(page.getByText(/^Revoked/)).toBeVisible();
  await expectAccessiblePage(page);
});
