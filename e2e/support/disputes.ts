import type { APIRequestContext } from "playwright/test";
import { submitOutcome, waitForResolution } from "./api";
import { fundWallet } from "./chain";
import type { SignedInOwner } from "./owner";

interface Fixtures {
  baseURL: string | undefined;
  request: APIRequestContext;
}

/** Has the client report empty work, which the contractor can dispute, and gives both money for a stake. Returns its id. */
export async function submitDisputable(
  { contractor, requester }: Record<"contractor" | "requester", SignedInOwner>,
  { baseURL, request }: Fixtures,
): Promise<string> {
  for (const { account } of [contractor, requester]) await fundWallet(baseURL, account.address);
  const outcomeId = await submitOutcome(request, {
    contractor: contractor.agent,
    requester: requester.agent,
    submitter: requester.agent,
    deliverable: { content: " " },
  });
  await waitForResolution(request, outcomeId);
  return outcomeId;
}
