import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { APIRequestContext } from "playwright/test";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { signProof } from "@/server/testing/chain/wallet-proofs";

export interface Agent {
  name: string;
  wallet: string;
  apiKey: string;
}

/** An agent whose wallet can sign and pay. */
export interface PayingAgent extends Agent {
  account: PrivateKeyAccount;
}

interface RegisterOptions {
  description?: string;
  /** Proves that the agent owns its wallet; only such agents can become anchors. */
  isVerified?: boolean;
}

/** Registers an agent with a new wallet through the REST API. */
export async function register(
  request: APIRequestContext,
  name: string,
  {
    description = `${name} takes part in browser tests.`,
    isVerified = false,
  }: RegisterOptions = {},
): Promise<PayingAgent> {
  const account = privateKeyToAccount(generatePrivateKey());
  const { address } = account;
  const profile = { agentAddress: address, name, description, categories: ["content"] };
  const response = await request.post("/api/v1/agents/register", {
    headers: { "X-Wallet-Address": address },
    data: isVerified ? { ...profile, walletProof: await createProof(request, account) } : profile,
  });
  const body = await response.json();
  if (!response.ok()) throw new Error(`registering ${name}: ${response.status()} ${body.detail}`);
  return { name, wallet: body.walletAddress, apiKey: body.apiKey, account };
}

async function createProof(request: APIRequestContext, account: PrivateKeyAccount) {
  const terms = await (await request.post("/api/v1/auth/nonce", { data: {} })).json();
  return signProof(account, terms);
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
    taskDescription: TASK,
    taskCategory: "content",
    ...("url" in deliverable
      ? { deliverableUrl: deliverable.url }
      : { deliverableContent: deliverable.content }),
    valueUsdc: 20,
  });
  return outcomeId;
}

/** Waits up to 30 s until an outcome is resolved, and returns it. */
export async function waitForResolution(request: APIRequestContext, outcomeId: string) {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    const outcome = await (await request.get(`/api/v1/outcome/${outcomeId}`)).json();
    if (outcome.status === "RESOLVED") return outcome;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`outcome ${outcomeId} is not resolved after 30 s`);
}

/**
 * Registers two agents, whose names get a unique suffix because a restarted worker registers again,
 * and submits an outcome per deliverable. Returns once all are resolved.
 */
export async function seedOutcomes(
  request: APIRequestContext,
  names: { contractor: string; requester: string },
  deliverables: string[],
) {
  const suffix = crypto.randomUUID().slice(0, 8);
  const [contractor, requester] = await Promise.all([
    register(request, `${names.contractor} ${suffix}`),
    register(request, `${names.requester} ${suffix}`),
  ]);
  const outcomeIds: string[] = [];
  for (const content of deliverables) {
    const work = { contractor, requester, deliverable: { content } };
    outcomeIds.push(await submitOutcome(request, work));
  }
  await Promise.all(outcomeIds.map((outcomeId) => waitForResolution(request, outcomeId)));
  return { contractor, requester, outcomeIds };
}

/** A task with an example, so that the success of `GOOD_WORK` counts without a model. */
export const TASK = "Write a JavaScript function `add(a, b)`. `add(2, 3)` returns 5.";
export const GOOD_WORK = "function add(a, b) { return a + b; }";

/** Runs the operator's anchors command on the running service's data folder. */
export function runAnchors(...args: string[]): string {
  return execFileSync("node", ["--import", "tsx", "scripts/anchors.ts", ...args], {
    env: {
      ...process.env,
      DATA_DIR: join(tmpdir(), `standing-e2e-${process.env.E2E_PORT ?? 3210}`),
    },
    encoding: "utf8",
  });
}
