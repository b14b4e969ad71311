import type { APIRequestContext } from "playwright/test";
import { type PayingAgent, post } from "./api";

interface Parties {
  client: PayingAgent;
  contractor: PayingAgent;
}

interface Proposal {
  by: PayingAgent;
  /** Until the deadline. */
  seconds: number;
  valueUsdc: number;
  payment: string;
}

/** Proposes an agreement on one word by the API. */
export async function propose(
  request: APIRequestContext,
  { client, contractor }: Parties,
  { by, seconds, ...terms }: Proposal,
) {
  const { terms: signed, typedData } = await post(request, "/agreements/draft", by, {
    requester: client.wallet,
    contractor: contractor.wallet,
    title: "One word in time",
    task: "Write one word.",
    category: "content",
    deliverBy: new Date(Date.now() + seconds * 1_000).toISOString(),
    requirements: [{ check: "word-count", max: 1 }],
    ...terms,
  });
  const signature = await by.account.signTypedData(typedData);
  const { agreementId } = await post(request, "/agreements", by, { terms: signed, signature });
  return { agreementId, typedData };
}

/** Has two parties agree by the API on one word by `seconds` from now; returns the agreement's ID. */
export async function agree(
  request: APIRequestContext,
  parties: Parties,
  seconds: number,
): Promise<string> {
  const terms = { by: parties.client, seconds, valueUsdc: 0, payment: "on-delivery" };
  const { agreementId, typedData } = await propose(request, parties, terms);
  await post(request, `/agreements/${agreementId}/accept`, parties.contractor, {
    signature: await parties.contractor.account.signTypedData(typedData),
  });
  return agreementId;
}
