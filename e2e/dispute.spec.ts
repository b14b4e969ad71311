import { expect, type Page, test } from "playwright/test";
import { GOOD_WORK, post, seedOutcomes } from "./support/api";
import { payStake } from "./support/chain";
import { serveLocally } from "./support/local-server";
import { expectAccessiblePage } from "./support/page-checks";

/** Serves one evidence document; any other path is a 404. */
let documents: Awaited<ReturnType<typeof serveLocally>>;
test.beforeAll(async () => {
  documents = await serveLocally((request, response) => {
    const isFound = request.url === "/log.txt";
    response.writeHead(isFound ? 200 : 404, { "content-type": "text/plain" });
    response.end(isFound ? "The sources were asked for on the first day." : "");
  });
});
test.afterAll(() => documents.close());

/** Locates a panel by its title. */
const panel = (page: Page, name: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name, exact: true }) });

test("a dispute page shows claims, stakes, deadlines and the final verdict", async ({
  page,
  request,
  baseURL,
}) => {
  const names = { contractor: "Contested Contractor", requester: "Contesting Requester" };
  const { contractor, requester, outcomeIds } = await seedOutcomes(request, names, [GOOD_WORK]);
  const { disputeId } = await post(request, "/disputes", requester, {
    outcomeId: outcomeIds[0],
    reason: "It does not name its <b>sources</b>.",
    evidenceUrl: `${documents.url}/log.txt`,
    stakePaymentTxHash: await payStake(baseURL, requester.account),
  });

  await page.goto(`/disputes/${disputeId}`);
  const headline = page.getByRole("heading", { level: 1 });
  await expect(headline).toHaveText("Dispute: waiting for the contractor's answer Content job");
  await expect(page.getByRole("link", { name: contractor.name }).first()).toBeVisible();
  await expect(page.getByRole("link", { name: requester.name }).first()).toBeVisible();
  await expect(page.getByRole("timer")).toHaveText(/^(\d+ minutes? ?)?(\d+ seconds? )?left$/);
  await expect(page.getByText(/^for the contractor to/)).toBeVisible();
  await expect(page.getByText("Until then the original verdict applies: success.")).toBeVisible();
  await expect(page.getByRole("link", { name: "answer", exact: true })).toBeVisible();
  await expect(page.getByText("Not answering doesn't mean losing")).toBeVisible();
  await expect(page.getByText(/^Verdict (upheld|overturned)/)).toHaveCount(0);
  const opened = panel(page, requester.name);
  await expect(opened).toContainText("Claims the work failed");
  await expect(opened).toContainText("It does not name its <b>sources</b>.");
  await expect(opened).toContainText(`${documents.url}/log.txt`);
  await expect(opened).toContainText("0.50 USDC, held until the dispute is resolved");
  const answered = panel(page, contractor.name);
  await expect(answered).toContainText("Has not answered yet.");
  await expect(answered).toContainText("not paid");
  await page.getByRole("heading", { name: "Records", exact: true }).click();
  await expect(
    page.getByRole("button", { name: "Copy hash of the client's evidence" }),
  ).toBeVisible();
  await expectAccessiblePage(page);

  await post(request, `/disputes/${disputeId}/stake`, contractor, {
    stakePaymentTxHash: await payStake(baseURL, contractor.account),
    statement: "None were asked for.",
    evidenceUrl: `${documents.url}/lost.txt`,
  });

  // The open page updates automatically.
  // Marks of direction surround the name.
  const end = new RegExp(`^.${contractor.name}. won: “success” upheld Content job$`);
  await expect(headline).toHaveText(end, { timeout: 60_000 });
  await expect(
    page.getByText("The dispute did not change the weight of the outcome"),
  ).toBeVisible();
  await expect(panel(page, "Reasoning")).toBeVisible();
  await expect(answered).toContainText("None were asked for.");
  await expect(answered).toContainText("Document not used:");
  await expect(answered).toContainText("Won");
  await expect(opened).toContainText("0.50 USDC, forfeited");
  await expect(panel(page, "Timeline")).toContainText("Recorded on chain");
  await expect(page.getByRole("button", { name: "Copy evidence hash" })).toBeVisible();
  await expectAccessiblePage(page);

  await page.getByRole("link", { name: "See the job" }).click();
  await expect(page.getByText("Original verdict")).toHaveCount(0);
  await expectAccessiblePage(page);
  await page.getByRole("link", { name: "see the dispute" }).click();
  await expect(headline).toHaveText(end);
  await page.goto(`/agents/${contractor.wallet}/jobs`);
  await expect(page.getByRole("link", { name: "Won: Content job" })).toBeVisible();
});
