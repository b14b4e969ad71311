import { type APIRequestContext, type Browser, expect, test } from "playwright/test";
import { type Agent, post } from "./support/api";
import {
  createOwner,
  type Owner,
  openDashboard,
  openSection,
  registerByPage,
} from "./support/owner";
import { expectAccessiblePage } from "./support/page-checks";

/** A party in its browser and in the API. */
interface Party extends Owner {
  agent: Agent;
}

/** Registers an owner by the page. */
async function openParty(
  browser: Browser,
  baseURL: string | undefined,
  name: string,
): Promise<Party> {
  const owner = await createOwner(browser, baseURL);
  const apiKey = await registerByPage(owner, name);
  return { ...owner, agent: { name, wallet: owner.account.address, apiKey } };
}

interface Parties {
  client: Party;
  contractor: Party;
}

/** Has a party propose by the API one word by `seconds` from now. */
async function proposeByApi(
  request: APIRequestContext,
  { client, contractor }: Parties,
  { by, seconds, ...terms }: { by: Party; seconds: number; valueUsdc: number; payment: string },
) {
  const { terms: signed, typedData } = await post(request, "/agreements/draft", by.agent, {
    requester: client.agent.wallet,
    contractor: contractor.agent.wallet,
    title: "One word in time",
    task: "Write one word.",
    category: "content",
    deliverBy: new Date(Date.now() + seconds * 1_000).toISOString(),
    requirements: [{ check: "word-count", max: 1 }],
    ...terms,
  });
  const signature = await by.account.signTypedData(typedData);
  const { agreementId } = await post(request, "/agreements", by.agent, {
    terms: signed,
    signature,
  });
  return { agreementId, typedData };
}

/** Has two parties agree by the API on one word by `seconds` from now; returns the agreement's id. */
async function agreeByApi(
  request: APIRequestContext,
  client: Party,
  contractor: Party,
  seconds: number,
): Promise<string> {
  const terms = { by: client, seconds, valueUsdc: 0, payment: "on-delivery" };
  const proposed = await proposeByApi(request, { client, contractor }, terms);
  const { agreementId, typedData } = proposed;
  await post(request, `/agreements/${agreementId}/accept`, contractor.agent, {
    signature: await contractor.account.signTypedData(typedData),
  });
  return agreementId;
}

test("two owners sign an agreement; one delivery succeeds, a missing one is reported", async ({
  browser,
  baseURL,
  request,
}) => {
  test.setTimeout(180_000);
  const [client, contractor, stranger] = await Promise.all([
    openParty(browser, baseURL, "Agreeing Client"),
    openParty(browser, baseURL, "Agreeing Contractor"),
    openParty(browser, baseURL, "Curious Stranger"),
  ]);
  // Its deadline passes while the other agreement is made and delivered.
  const lateId = await agreeByApi(request, client, contractor, 70);

  // The client drafts, tries and signs.
  await openDashboard(client, "Agreements");
  const { page } = client;
  await page.getByRole("link", { name: "New agreement" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "New agreement" })).toBeVisible();
  await page.getByRole("button", { name: "Continue to sign" }).click();
  await expect(page.getByLabel("Contractor's wallet")).toBeFocused();
  await expect(page.getByText("Add at least one requirement.")).toBeVisible();
  await page.getByLabel("Contractor's wallet").fill(contractor.account.address);
  await page.getByLabel("Title").fill("Two words");
  await page.getByLabel("Category").selectOption("content");
  await page.getByLabel("Task").fill("Write two words about trust.");
  await page.getByLabel("Value in USDC").fill("2.50");
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
  await page.getByLabel("Deliver by (UTC)").fill(tomorrow);
  await page.getByRole("button", { name: "Word count" }).click();
  await expect(page.getByLabel("At least")).toBeFocused();
  await page.getByLabel("At most").fill("2");
  await page.getByRole("button", { name: "Contains" }).click();
  await page.getByRole("textbox", { name: "Phrases" }).fill("trust");
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
  client.wallet.declineNext();
  await page.getByRole("button", { name: "Sign and propose" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "You declined" })).toBeVisible();
  await page.getByRole("button", { name: "Sign and propose" }).click();
  await expect(page).toHaveURL(/\/agreements\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { name: "Awaiting signature" })).toBeVisible();
  await expect(page.getByText(page.url(), { exact: true })).toBeVisible();
  await expectAccessiblePage(page);

  // Nobody else sees it.
  const visitor = await (await browser.newContext({ baseURL })).newPage();
  await visitor.goto(page.url());
  await expect(visitor.getByText("Only its two parties can open it")).toBeVisible();
  await stranger.page.goto(page.url());
  await expect(stranger.page.getByRole("heading", { name: "Page not found" })).toBeVisible();

  // The contractor signs, corrects its work and delivers.
  const { page: theirs } = contractor;
  await openDashboard(contractor);
  await theirs.getByRole("link", { name: /Sign the agreement.*Agreeing Client/ }).click();
  await expect(theirs.getByRole("heading", { level: 1 })).toContainText("Two words");
  await theirs.getByRole("button", { name: "Sign and accept" }).click();
  await expect(theirs.getByRole("heading", { name: "Yours to deliver" })).toBeVisible();
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
  for (const party of [theirs, page]) {
    await expect(party.getByText("Success", { exact: true }).first()).toBeVisible({
      timeout: 40_000,
    });
  }
  await expectAccessiblePage(theirs);
  await theirs.getByRole("link", { name: "See the outcome" }).first().click();
  await expect(theirs.getByRole("heading", { name: /^Agreed by both on/ })).toBeVisible();
  await expect(theirs.getByText("At most 2 words").first()).toBeVisible();
  await expectAccessiblePage(theirs);

  // The other agreement is not delivered.
  await page.goto(`/agreements/${lateId}`);
  const report = page.getByRole("button", { name: "Report non-delivery" });
  await expect(report).toBeVisible({ timeout: 70_000 });
  await expectAccessiblePage(page);
  await report.click();
  await expect(page.getByText("Failure", { exact: true }).first()).toBeVisible({
    timeout: 40_000,
  });
  await page.goto("/dashboard");
  await openSection(page, "Agreements");
  await expect(page.getByText("Not delivered")).toBeVisible();
  await expectAccessiblePage(page);

  // "Propose an agreement" on a profile fills in the other party.
  const { address } = contractor.account;
  await page.goto(`/agreements/new?contractor=${address}`);
  await expect(page.getByLabel("Contractor's wallet")).toHaveValue(address);
});

test("a client accepts by paying", async ({ browser, baseURL, request }) => {
  test.setTimeout(120_000);
  const [client, contractor] = await Promise.all([
    openParty(browser, baseURL, "Paying Client"),
    openParty(browser, baseURL, "Paid Contractor"),
  ]);
  const { agreementId } = await proposeByApi(
    request,
    { client, contractor },
    { by: contractor, seconds: 3_600, valueUsdc: 2.5, payment: "upfront" },
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
  await expect(page.getByRole("heading", { name: "Awaiting delivery" })).toBeVisible({
    timeout: 30_000,
  });
  await expect(page.getByText("You have paid 2.50 USDC")).toBeVisible();
  expect(wallet.requests.slice(-2)).toEqual(["eth_signTypedData_v4", "eth_sendTransaction"]);

  // The contractor delivers; the payment is already known.
  const { page: theirs } = contractor;
  await theirs.goto(`/agreements/${agreementId}`);
  await expect(theirs.getByText("Your client has paid 2.50 USDC")).toBeVisible();
  await theirs.getByRole("textbox", { name: "Deliverable" }).fill("Trust");
  await expect(theirs.getByLabel("Transaction of your client's payment")).toBeHidden();
  await theirs.getByRole("button", { name: "Deliver this deliverable" }).click();
  await theirs.getByRole("button", { name: "Deliver it" }).click();
  await theirs.getByRole("link", { name: "See the outcome" }).first().click();
  await expect(theirs.getByRole("heading", { name: /^Agreed by both on \w+ \d/ })).toBeVisible({
    timeout: 40_000,
  });
});

test("a party without a session signs in on the agreement's page", async ({
  browser,
  baseURL,
  request,
}) => {
  test.setTimeout(90_000);
  const [client, contractor] = await Promise.all([
    openParty(browser, baseURL, "Returning Client"),
    openParty(browser, baseURL, "Returning Contractor"),
  ]);
  const agreementId = await agreeByApi(request, client, contractor, 3_600);
  const { page } = contractor;
  await page.goto("/dashboard");
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible();
  await page.goto(`/agreements/${agreementId}`);
  await expectAccessiblePage(page);
  // The wallet is still connected.
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Yours to deliver" })).toBeVisible();

  // Both sign the cancellation.
  for (const party of [contractor, client]) {
    await party.page.goto(`/agreements/${agreementId}`);
    await party.page.getByRole("button", { name: /^(Cancel this agreement|Answer)$/ }).click();
    await expectAccessiblePage(party.page);
    await party.page.getByRole("button", { name: "Sign the cancellation" }).click();
  }
  await expect(client.page.getByText("Cancelled").first()).toBeVisible();
});
