import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { GOOD_WORK, register, submitOutcome } from "./support/api";

/** Delays the deliverable, and so the judge, until the pending page has been checked. */
let documents: Server;
let pending: ServerResponse[];

test.beforeAll(async () => {
  pending = [];
  documents = createServer((_, response) => pending.push(response));
  await new Promise<void>((resolve) => documents.listen(0, "127.0.0.1", resolve));
});
test.afterAll(() => documents.close());

test("an open page shows the verdict once it is recorded", async ({ page, request }) => {
  const contractor = await register(request, "Live Contractor");
  const requester = await register(request, "Live Requester");
  const { port } = documents.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/report.txt`;
  const outcomeId = await submitOutcome(request, { contractor, requester, deliverable: { url } });

  await page.goto(`/outcomes/${outcomeId}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Being judged");
  await expect(page.getByRole("status")).toContainText("Most verdicts are on chain");

  await expect.poll(() => pending.length).toBeGreaterThan(0);
  for (const response of pending)
    response.writeHead(200, { "content-type": "text/plain" }).end(GOOD_WORK);

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Success", { timeout: 30_000 });
  await expect(page.getByRole("link", { name: "Live Contractor" })).toBeVisible();
});
