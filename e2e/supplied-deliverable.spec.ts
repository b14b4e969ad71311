import { expect, test } from "@playwright/test";
import { GOOD_WORK, post, register, resolved } from "./support/api";
import { fundWallet, newOwner, registerByPage, toDashboard } from "./support/owner";
import { expectSoundPage } from "./support/page-checks";
import { payStake } from "./support/stake";

test("a contractor supplies its work in a dispute over what the requester submitted", async ({
  browser,
  baseURL,
  request,
}) => {
  test.setTimeout(180_000);
  const contractor = await newOwner(browser, baseURL);
  const apiKey = await registerByPage(contractor, "Wronged Contractor");
  await fundWallet(baseURL, contractor.account.address);
  const worker = { name: "Wronged Contractor", wallet: contractor.account.address, apiKey };
  const requester = await register(request, "Silent Requester");
  const job = {
    contractorAgentAddress: worker.wallet,
    requesterAgentAddress: requester.wallet,
    taskDescription: "Describe in two sentences what a reputation is good for.",
    taskCategory: "content",
    valueUsdc: 20,
  };
  const failed = await post(request, "/outcome", requester, { ...job, deliverableContent: "" });
  const passed = await post(request, "/outcome", worker, {
    ...job,
    taskCategory: "research",
    deliverableContent: GOOD_WORK,
  });
  await resolved(request, failed.outcomeId);
  await resolved(request, passed.outcomeId);

  await toDashboard(contractor);
  const { page } = contractor;
  await page.reload();
  await expect(page.getByRole("button", { name: /^Dispute the verdict on research/ })).toHaveCount(
    0,
  );
  await page.getByRole("button", { name: /^Dispute the verdict on content/ }).click();
  await page.getByLabel("Why is the verdict wrong?").fill("I delivered these two sentences.");
  await page.getByLabel("What you delivered").fill(GOOD_WORK);
  await expectSoundPage(page);
  await page.getByRole("button", { name: "Pay 0.50 USDC and open the dispute" }).click();
  await expect(page.getByText("Waits for the other party")).toBeVisible({ timeout: 30_000 });

  await page.getByText("The contractor supplied what it delivered.").click();
  await expect(page.getByText(GOOD_WORK)).toBeVisible();
  await expectSoundPage(page);

  const { disputeId } = await (await request.get(`/api/v1/outcome/${failed.outcomeId}`)).json();
  await page.goto(`/disputes/${disputeId}`);
  await expect(page.getByText("The contractor supplied a text as its deliverable.")).toBeVisible();
  await expect(page.locator("body")).not.toContainText(GOOD_WORK);
  await post(request, `/disputes/${disputeId}/stake`, requester, {
    statement: "I never saw it.",
    stakePaymentTxHash: await payStake(baseURL, requester.account),
  });
  await expect(page.getByRole("heading", { name: "The contractor won" })).toBeVisible({
    timeout: 40_000,
  });
  await expect(
    page.getByText("What was judged here is the deliverable that the contractor supplied"),
  ).toBeVisible();
  await expectSoundPage(page);
});
