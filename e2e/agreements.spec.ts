import { expect } from "playwright/test";
import { agree, propose } from "./support/agreements";
import { openDashboard, signIn, test } from "./support/owner";
import { expectAccessiblePage } from "./support/page-checks";

test("two owners sign an agreement, and a delivery succeeds", async ({
  browser,
  baseURL,
  createSignedInOwner,
}) => {
  // The payment is found within a minute.
  test.setTimeout(240_000);
  const [client, contractor, stranger] = await Promise.all([
    createSignedInOwner("Agreeing Client"),
    createSignedInOwner("Agreeing Contractor"),
    createSignedInOwner("Curious Stranger"),
  ]);

  // The client drafts, tries and signs.
  const { page } = client;
  await openDashboard(page, "Agreements");
  await page.getByRole("link", { name: "New agreement" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "New agreement" })).toBeVisible();
  await page.getByRole("button", { name: "Continue to sign" }).click();
  await expect(page.getByLabel("Contractor's wallet")).toBeFocused();
  await expect(page.getByText("Add at least one requirement.")).toBeVisible();
  await page.getByLabel("Contractor's wallet").fill(contractor.account.address);
  await expect(page.getByLabel("Contractor's wallet")).toHaveAccessibleDescription(
    /Agreeing Contractor/,
  );
  await page.getByLabel("Title").fill("Two words");
  // Each category proposes requirements, until some are edited.
  await page.getByLabel("Category").selectOption("research");
  await expect(page.getByRole("heading", { name: "Quotes found" })).toBeVisible();
  await page.getByLabel("Category").selectOption("content");
  await expect(page.getByRole("heading", { name: "Quotes found" })).toHaveCount(0);
  await page
    .getByRole("button", { name: /^Remove: (Word|Is|Excludes)/ })
    .first()
    .click();
  await page
    .getByRole("button", { name: /^Remove: (Word|Is|Excludes)/ })
    .first()
    .click();
  await page
    .getByRole("button", { name: /^Remove: (Word|Is|Excludes)/ })
    .first()
    .click();
  await page.getByLabel("Task").fill("Write two words about trust.");
  await page.getByLabel("Value in USDC").fill("2.50");
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
  await page.getByLabel("Deliver by (UTC)").fill(tomorrow);
  const add = page.getByLabel("Add a requirement");
  await add.selectOption("Word count");
  await expect(add).toHaveAccessibleDescription(/words is within the limits/);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByLabel("At least")).toBeFocused();
  await page.getByLabel("At most").fill("2");
  await add.selectOption("Contains phrases");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("textbox", { name: "Phrases" }).fill("trust");
  await page.getByRole("heading", { name: "Try it on a deliverable" }).click();
  await page.getByRole("textbox", { name: "Deliverable" }).fill("One two three");
  await page.getByRole("button", { name: "Try it" }).click();
  await expect(page.getByText("Failed: 0 of 2 requirements met")).toBeVisible();
  await page.getByRole("textbox", { name: "Deliverable" }).fill("Earned trust");
  await page.getByRole("button", { name: "Try it" }).click();
  await expect(page.getByText("Passed: 2 of 2 requirements met")).toBeVisible();
  await expectAccessiblePage(page);
  await page.reload();
  await expect(page.getByLabel("Title")).toHaveValue("Two words");
  await page.getByRole("button", { name: "Continue to sign" }).click();
  await expect(page.getByRole("heading", { name: "Sign" })).toBeFocused();
  client.wallet.declineNext();
  await page.getByRole("button", { name: "Sign and propose" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "You declined" })).toBeVisible();
  await page.getByRole("button", { name: "Sign and propose" }).click();
  await expect(page).toHaveURL(/\/agreements\/[0-9a-f-]{36}$/);
  const state = page.getByRole("heading", { level: 2 }).locator("[aria-live=polite]");
  await expect(state).toHaveText(/^Signed by you\. Waiting for the contractor to sign/);
  await expect(page.getByText(page.url(), { exact: true })).toBeVisible();
  await expectAccessiblePage(page);

  const agreementUrl = page.url();

  // Nobody else sees it.
  const visitor = await (await browser.newContext({ baseURL })).newPage();
  await visitor.goto(page.url());
  await expect(visitor.getByText("Only its two parties can open it")).toBeVisible();
  await visitor.context().close();
  await stranger.page.goto(page.url());
  await expect(stranger.page.getByRole("heading", { name: "Page not found" })).toBeVisible();

  // The contractor signs, corrects its work and delivers.
  const { page: theirs } = contractor;
  await openDashboard(theirs);
  await theirs.getByRole("link", { name: /^Sign or decline: / }).click();
  await expect(theirs.getByRole("heading", { level: 1 })).toContainText("Two words");
  await theirs.getByRole("button", { name: "Sign and accept" }).click();
  await expect(theirs.getByRole("heading", { name: /Your turn: deliver by/ })).toBeFocused();
  // The open page of the client announces it.
  await expect(state).toHaveText(/^Both have signed\. Waiting for the contractor to deliver/);
  const deliverable = theirs.getByRole("textbox", { name: "Deliverable" });
  await deliverable.fill("Trust is hard won");
  await theirs.getByRole("button", { name: "Try it" }).click();
  await expect(theirs.getByText("Failed: 1 of 2 requirements met")).toBeVisible();
  await expectAccessiblePage(theirs);
  await theirs.getByRole("button", { name: "Deliver this deliverable" }).click();
  await expect(theirs.getByText("the verdict will be a failure")).toBeVisible();
  await theirs.keyboard.press("Escape");
  await deliverable.fill("Earned trust");
  await theirs.getByRole("button", { name: "Try it" }).click();
  await expect(theirs.getByText("Passed: 2 of 2 requirements met")).toBeVisible();
  await theirs.getByRole("button", { name: "Deliver this deliverable" }).click();
  await theirs.getByRole("button", { name: "Deliver it" }).click();
  await expect(theirs.locator("main :is(h1, h2):focus")).toBeVisible();
  for (const party of [theirs, page]) {
    await expect(party.getByText("Success", { exact: true }).first()).toBeVisible({
      timeout: 40_000,
    });
  }
  await expectAccessiblePage(theirs);
  await theirs.getByRole("link", { name: "See the job" }).first().click();
  await expect(theirs.getByRole("heading", { name: /^Agreed by both on/ })).toBeVisible();
  await expect(theirs.getByText("At most 2 words").first()).toBeVisible();
  await expectAccessiblePage(theirs);

  // The client reads what was delivered.
  await page.getByRole("link", { name: "See the job" }).first().click();
  await page.getByRole("link", { name: "Read the deliverable" }).click();
  await expect(page.getByText("Earned trust", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Dispute/ })).toHaveCount(0);
  await expectAccessiblePage(page);

  // The client pays, seeing what for; the payment is found within a minute.
  await openDashboard(page);
  const task = page.getByRole("link", { name: /^Pay 2\.50 USDC: / });
  await task.click();
  await expect(page.getByRole("heading", { name: /Your turn: pay 2\.50 USDC by/ })).toBeVisible();
  await expect(page.getByRole("link", { name: "Read the deliverable" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Pay 2.50 USDC" })).toBeDisabled();
  await page.getByRole("button", { name: "Get test ether and USDC" }).click();
  await expect(page.getByText("which has 100.00 USDC")).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole("button", { name: "Pay 2.50 USDC" }).click();
  await expect(page.getByText("Payment sent")).toBeVisible();
  await theirs.goto(agreementUrl);
  for (const party of [page, theirs]) {
    await expect(party.getByRole("heading", { name: /^Success\s*Paid$/ })).toBeVisible({
      timeout: 90_000,
    });
    await expect(party.getByRole("button", { name: /Pay|I was paid/ })).toHaveCount(0);
  }
  await expectAccessiblePage(theirs);
  await theirs.getByRole("link", { name: "See the job" }).first().click();
  await expect(theirs.getByText("Paid after the verdict")).toBeVisible();
  await openDashboard(page);
  await expect(page.getByRole("heading", { name: "Newest jobs" })).toBeVisible();
  await expect(task).toHaveCount(0);

  // Advice to use an escrow leads to an agreement that has one.
  const { address } = contractor.account;
  await page.goto(`/agents/${address}?valueUsdc=30&category=ops`);
  await page.getByRole("link", { name: "Propose an agreement with escrow" }).click();
  await expect(page.getByLabel("Contractor's wallet")).toHaveValue(address);
  await expect(page.getByLabel("Value in USDC")).toHaveValue("30");
  await expect(page.getByLabel("Payment")).toHaveValue("escrow");
  await expect(page.getByLabel("Category")).toHaveValue("ops");
  await expect(page.getByRole("heading", { name: "Word count" })).toBeVisible();
  // The agent's owner is offered none with itself.
  await theirs.goto(`/agents/${address}`);
  await expect(theirs.getByRole("region", { name: "Recommendation" })).toBeVisible();
  await expect(theirs.getByRole("link", { name: /^Propose an agreement/ })).toHaveCount(0);
});

test("a client accepts by paying", async ({ createSignedInOwner, request }) => {
  // The payment is found within a minute.
  test.setTimeout(180_000);
  const [client, contractor] = await Promise.all([
    createSignedInOwner("Paying Client"),
    createSignedInOwner("Paid Contractor"),
  ]);
  const { agreementId } = await propose(
    request,
    { client: client.agent, contractor: contractor.agent },
    { by: contractor.agent, seconds: 3_600, valueUsdc: 2.5, payment: "upfront" },
  );
  const { page, wallet } = client;
  await page.goto(`/agreements/${agreementId}`);
  await page.getByText("Or accept by paying now").click();
  await page.getByRole("button", { name: "Get test ether and USDC" }).click();
  await expect(page.getByText("which has 100.00 USDC")).toBeVisible();
  await expectAccessiblePage(page);
  wallet.declineNext();
  await page.getByRole("button", { name: "Pay 2.50 USDC" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "You declined" })).toBeVisible();
  await page.getByRole("button", { name: "Pay 2.50 USDC" }).click();
  await expect(
    page.getByRole("heading", { name: /^Paid\. Waiting for the contractor/ }),
  ).toBeVisible({
    timeout: 90_000,
  });
  expect(wallet.requests.slice(-2)).toEqual(["eth_signTypedData_v4", "eth_sendTransaction"]);

  // The contractor delivers; the payment is already known.
  const { page: theirs } = contractor;
  await theirs.goto(`/agreements/${agreementId}`);
  await expect(theirs.getByRole("heading", { name: /^Paid\. Your turn: deliver/ })).toBeVisible();
  await theirs.getByRole("textbox", { name: "Deliverable" }).fill("Trust");
  await theirs.getByRole("button", { name: "Deliver this deliverable" }).click();
  await theirs.getByRole("button", { name: "Deliver it" }).click();
  await theirs.getByRole("link", { name: "See the job" }).first().click();
  await expect(theirs.getByRole("heading", { name: /^Agreed by both on \w+ \d/ })).toBeVisible({
    timeout: 40_000,
  });
});

test("a party without a session signs in on the agreement's page", async ({
  createSignedInOwner,
  request,
}) => {
  const [client, contractor] = await Promise.all([
    createSignedInOwner("Returning Client"),
    createSignedInOwner("Returning Contractor"),
  ]);
  const parties = { client: client.agent, contractor: contractor.agent };
  const agreementId = await agree(request, parties, 3_600);
  const { page } = contractor;
  await page.context().clearCookies();
  await page.goto(`/agreements/${agreementId}`);
  await expectAccessiblePage(page);
  await signIn(contractor);
  await expect(page.getByRole("heading", { name: /Your turn: deliver by/ })).toBeVisible();

  // Both sign the cancellation.
  for (const party of [contractor, client]) {
    await party.page.goto(`/agreements/${agreementId}`);
    // Open where the other party has signed it.
    if (party === contractor) await party.page.getByText("Cancel this agreement").click();
    else await expect(party.page.getByText("The contractor asks to cancel")).toBeVisible();
    await expectAccessiblePage(party.page);
    await party.page.getByRole("button", { name: "Sign the cancellation" }).click();
    if (party === contractor)
      await expect(party.page.getByText("You signed a cancellation.")).toBeVisible();
  }
  await expect(client.page.getByText("Cancelled").first()).toBeVisible();
});

test("a client that registers first returns to the agreement with its contractor", async ({
  createOwner,
  createSignedInOwner,
}) => {
  const { agent } = await createSignedInOwner("Chosen Contractor");
  const client = await createOwner();
  const { page } = client;
  await page.goto(`/agreements/new?contractor=${agent.wallet}`);
  await expect(page.getByLabel("Contractor's wallet")).toHaveValue(agent.wallet);
  await page.getByLabel("Task").fill("Translate the manual.");
  await expectAccessiblePage(page);
  await signIn(client);
  await page.getByRole("link", { name: "Register it" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("New Client");
  await page.getByRole("button", { name: "Register agent" }).click();
  await page.getByRole("link", { name: "Continue" }).click();
  await expect(page.getByLabel("Contractor's wallet")).toHaveValue(agent.wallet);
  await expect(page.getByLabel("Task")).toHaveValue("Translate the manual.");
  // Errors of an empty form end where a category fills it in.
  await page.getByRole("button", { name: "Continue to sign" }).click();
  const error = page.getByText("Add at least one requirement.");
  await expect(error).toBeVisible();
  await page.getByLabel("Category").selectOption("content");
  await expect(error).toHaveCount(0);
  await expect(page.getByText(/at least 1 entry/)).toHaveCount(0);
});
