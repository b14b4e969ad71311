import type { APIRequestContext } from "@playwright/test";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { walletProofOf } from "@/scripts/lib/wallet-proof";

export interface Agent {
  name: string;
  wallet: string;
  apiKey: string;
}

/** An agent whose wallet can sign and pay. */
export interface PayingAgent extends Agent {
  account: PrivateKeyAccount;
}

/** Registers an agent with a new, unverified wallet through the REST API. */
export async function register(
  request: APIRequestContext,
  name: string,
  description = `${name} takes part in browser tests.`,
): Promise<PayingAgent> {
  const account = privateKeyToAccount(generatePrivateKey());
  const { address } = account;
  const response = await request.post("/api/v1/agents/register", {
    headers: { "X-Wallet-Address": address },
    data: {
      agentAddress: address,
      name,
      description,
      categories: ["content"],
    },
  });
  const body = await response.json();
  if (!response.ok()) throw new Error(`registering ${name}: ${response.status()} ${body.detail}`);
  return { name, wallet: body.walletAddress, apiKey: body.apiKey, account };
}

/** Posts to the REST API as an agent and returns the body. Throws unless the status is 2xx. */
export async function post(request: APIRequestContext, path: string, by: Agent, data: object) {
  const response = await request.post(`/api/v1${path}`, {
    headers: { "X-API-Key": by.apiKey },
    data,
  });
  const body = await response.json();
  if (!response.ok()) throw new Error(`${path}: ${response.status()} ${body.detail}`);
  return body;
}

/** Registers an agent with a verified wallet; only those can become anchors. */
export async function registerVerified(
  request: APIRequestContext,
  name: string,
): Promise<PayingAgent> {
  const account = privateKeyToAccount(generatePrivateKey());
  const terms = await (await request.post("/api/v1/auth/nonce", { data: {} })).json();
  const response = await request.post("/api/v1/agents/register", {
    headers: { "X-Wallet-Address": account.address },
    data: {
      agentAddress: account.address,
      name,
      walletProof: await walletProofOf(account, terms),
    },
  });
  const body = await response.json();
  if (!response.ok()) throw new Error(`registering ${name}: ${response.status()} ${body.detail}`);
  return { name, wallet: account.address, apiKey: body.apiKey, account };
}

interface Work {
  contractor: Agent;
  requester: Agent;
  deliverable: { content: string } | { url: string };
}

/** Submits an outcome as its contractor and returns the outcome ID. */
export async function submitOutcome(
  request: APIRequestContext,
  { contractor, requester, deliverable }: Work,
): Promise<string> {
  const { outcomeId } = await post(request, "/outcome", contractor, {
    contractorAgentAddress: contractor.wallet,
    requesterAgentAddress: requester.wallet,
    taskDescription: "Describe in two sentences what a reputation is good for.",
    taskCategory: "content",
    ...("url" in deliverable
      ? { deliverableUrl: deliverable.url }
      : { deliverableContent: deliverable.content }),
    valueUsdc: 20,
  });
  return outcomeId;
}

/** Waits up to 30 s until an outcome is waitForResolution, and returns it. */
export async function waitForResolution(request: APIRequestContext, outcomeId: string) {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    const outcome = await (await request.get(`/api/v1/outcome/${outcomeId}`)).json();
    if (outcome.status === "RESOLVED") return outcome;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`outcome ${outcomeId} is not resolved after 30 s`);
}

export const GOOD_WORK =
  "A reputation lets a stranger decide whom to hire without having worked together before. It is worth something only where it is hard to fake and easy to check.";
