import { expect } from "playwright/test";
import { GOOD_WORK, post, register, TASK, waitForResolution } from "./support/api";
import { fundWallet, payStake } from "./support/chain";
import { openDashboard, openSection, test } from "./support/owner";
import { expectAccessiblePage } from "./support/page-checks";

test("a contractor supplies its deliverable in a dispute", async ({
  createSignedInOwner,
  baseURL,
  request,
}) => {
  const { page, account, agent } = await createSignedInOwner("Wronged Contractor");
  await fundWallet(baseURL, account.address);
  const requester = await register(request, "Silent Requester");
  const job = {
    contractorAgentAddress: agent.wallet,
    requesterAgentAddress: requester.wallet,
    taskDescription: TASK,
    taskCategory: "content",
    valueUsdc: 20,
  };
  const failed = await post(request, "/outcome", requester, { ...job, deliverableContent: "" });
  const passed = await post(request, "/outcome", agent, {
    ...job,
    taskCategory: "research",
    deliverableContent: GOOD_WORK,
  });
  await waitForResolution(request, failed.outcomeId);
  await waitForResolution(request, passed.outcomeId);

  await openDashboard(page, "Jobs");
  const dispute = page.getByRole("button", { name: /^Dispute: / });
  const rows = page.getByRole("listitem");
  await expect(rows.filter({ hasText: "Research" }).filter({ has: dispute })).toHaveCount(0);
  await dispute.click();
  // No reason is given: code would not weigh it. Nor is a win forecast that only checks could prove.
  await expect(page.getByLabel("Why is the verdict wrong? (optional)")).toBeVisible();
  await expect(page.getByText("Only your own deliverable can change it")).toBeVisible();
  const form = page.getByRole("form", { name: "Dispute this verdict" });
  await expect(form.getByText(/ points/)).toHaveCount(0);
  await expect(page.getByText("the operator of this service keeps it")).toBeVisible();
  await expect(page.getByText(/UTC, 7 days left$/)).toBeVisible();
  await expect(page.getByText(/^They have .* to answer$/)).toBeVisible();
  await expect(page.getByText("You don't win by default.")).toBeVisible();
  await page.getByLabel("Your deliverable").fill(GOOD_WORK);
  await expectAccessiblePage(page);
  await page.getByRole("button", { name: "Pay 0.50 USDC and open the dispute" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Dispute opened" })).toBeVisible({
    timeout: 30_000,
  });
  await openSection(page, "Disputes");
  await expect(page.getByText("Waiting for the other party")).toBeVisible();

  await page.getByText("Deliverable supplied by the contractor").click();
  await expect(page.getByText(GOOD_WORK)).toBeVisible();
  await expectAccessiblePage(page);

  const { disputeId } = await (await request.get(`/api/v1/outcome/${failed.outcomeId}`)).json();
  await page.goto(`/disputes/${disputeId}`);
  await expect(page.getByText("The contractor supplied a text as its deliverable.")).toBeVisible();
  await expect(page.getByText("No statement.")).toBeVisible();
  await expect(page.locator("body")).not.toContainText(GOOD_WORK);
  await post(request, `/disputes/${disputeId}/stake`, requester, {
    statement: "I never saw it.",
    stakePaymentTxHash: await payStake(baseURL, requester.account),
  });
  await expect(page.getByRole("heading", { name: /won: failure overturned to / })).toBeVisible({
    timeout: 40_000,
  });
  await page.getByText("Full reasoning").click();
  await expect(page.getByText("the deliverable that the contractor supplied")).toBeVisible();
  await expectAccessiblePage(page);
});
