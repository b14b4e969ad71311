import type { APIRequestContext } from "@playwright/test";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { walletProofOf } from "@/scripts/lib/wallet-proof";

export interface Agent {
  name: string;
  wallet: string;
  apiKey: string;
}

/** One that can pay. */
export interface PayingAgent extends Agent {
  account: PrivateKeyAccount;
}

/** Registers an agent with a wallet of its own, as an agent would: by the REST API. */
export async function register(
  request: APIRequestContext,
  name: string,
  description = `${name} takes part in browser tests.`,
): Promise<PayingAgent> {
  const account = privateKeyToAccount(generatePrivateKey());
  const { address } = account;
  const answer = await request.post("/api/v1/agents/register", {
    headers: { "X-Wallet-Address": address },
    data: {
      agentAddress: address,
      name,
      description,
      categories: ["content"],
    },
  });
  const body = await answer.json();
  if (!answer.ok()) throw new Error(`registering ${name}: ${answer.status()} ${body.detail}`);
  return { name, wallet: body.walletAddress, apiKey: body.apiKey, account };
}

/** Asks something of the API in an agent's name. */
export async function post(request: APIRequestContext, path: string, by: Agent, data: object) {
  const answer = await request.post(`/api/v1${path}`, {
    headers: { "X-API-Key": by.apiKey },
    data,
  });
  const body = await answer.json();
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${body.detail}`);
  return body;
}

/** As `register`, by an agent that proves its wallet: only such can be vouched for. */
export async function registerProven(
  request: APIRequestContext,
  name: string,
): Promise<PayingAgent> {
  const account = privateKeyToAccount(generatePrivateKey());
  const terms = await (await request.post("/api/v1/auth/nonce", { data: {} })).json();
  const answer = await request.post("/api/v1/agents/register", {
    headers: { "X-Wallet-Address": account.address },
    data: {
      agentAddress: account.address,
      name,
      walletProof: await walletProofOf(account, terms),
    },
  });
  const body = await answer.json();
  if (!answer.ok()) throw new Error(`registering ${name}: ${answer.status()} ${body.detail}`);
  return { name, wallet: account.address, apiKey: body.apiKey, account };
}

interface Work {
  contractor: Agent;
  requester: Agent;
  deliverable: { content: string } | { url: string };
}

/** Submits an outcome by its contractor; answers its id. */
export async function submit(
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

/** Waits until an outcome is resolved. */
export async function resolved(request: APIRequestContext, outcomeId: string) {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    const outcome = await (await request.get(`/api/v1/outcome/${outcomeId}`)).json();
    if (outcome.status === "RESOLVED") return outcome;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`outcome ${outcomeId} is not resolved after 30 s`);
}

export const GOOD_WORK =
  "A reputation lets a stranger decide whom to hire without having worked together before. It is worth something only where it is hard to fake and easy to check.";
