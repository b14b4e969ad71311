import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { APIRequestContext } from "playwright/test";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { DATA_DIR } from "@/playwright.config";
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
  /** By default a new one. */
  account?: PrivateKeyAccount;
}

/** Registers an agent through the REST API. */
export async function register(
  request: APIRequestContext,
  name: string,
  {
    description = `${name} takes part in browser tests.`,
    isVerified = false,
    account = privateKeyToAccount(generatePrivateKey()),
  }: RegisterOptions = {},
): Promise<PayingAgent> {
  const { address } = account;
  const profile = { agentAddress: address, name, description, categories: ["content"] };
  const response = await request.post("/api/v1/agents/register", {
    headers: { "X-Wallet-Address": address, ...createClientAddress() },
    data: isVerified ? { ...profile, walletProof: await createProof(request, account) } : profile,
  });
  const body = await response.json();
  if (!response.ok()) throw new Error(`registering ${name}: ${response.status()} ${body.detail}`);
  return { name, wallet: body.walletAddress, apiKey: body.apiKey, account };
}

async function createProof(
  request: APIRequestContext,
  account: PrivateKeyAccount,
  purpose: "register" | "signIn" = "register",
) {
  const terms = await (await request.post("/api/v1/auth/nonce", { data: {} })).json();
  return signProof(account, terms, { statement: terms.statements[purpose] });
}

/** Starts a session, whose cookie `request` keeps. */
export async function startSession(
  request: APIRequestContext,
  account: PrivateKeyAccount,
): Promise<void> {
  const proof = await createProof(request, account, "signIn");
  const response = await request.post("/api/trpc/agents.account.signIn", {
    headers: createClientAddress(),
    data: { walletAddress: account.address, walletProof: proof },
  });
  if (!response.ok()) throw new Error(`signing in: ${await response.text()}`);
}

/** Headers of a client of its own: limits of sign-ins and registrations count by address. */
function createClientAddress() {
  const [a, b, c] = crypto.getRandomValues(new Uint8Array(3));
  return { "X-Forwarded-For": `10.${a}.${b}.${c}` };
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
  /** The contractor if omitted. */
  submitter?: Agent;
}

/** Submits an outcome and returns the outcome ID. */
export async function submitOutcome(
  request: APIRequestContext,
  { contractor, requester, deliverable, submitter = contractor }: Work,
): Promise<string> {
  const { outcomeId } = await post(request, "/outcome", submitter, {
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
 * Registers two agents and submits an outcome per deliverable. Returns once all are resolved.
 */
export async function seedOutcomes(
  request: APIRequestContext,
  names: { contractor: string; requester: string },
  deliverables: string[],
) {
  const [contractor, requester] = await Promise.all([
    register(request, names.contractor),
    register(request, names.requester),
  ]);
  const outcomeIds = await Promise.all(
    deliverables.map((content) =>
      submitOutcome(request, { contractor, requester, deliverable: { content } }),
    ),
  );
  await Promise.all(outcomeIds.map((outcomeId) => waitForResolution(request, outcomeId)));
  return { contractor, requester, outcomeIds };
}

/** A task with an example, so that the success of `GOOD_WORK` counts without a model. */
export const TASK = "Write a JavaScript function `add(a, b)`. `add(2, 3)` returns 5.";
export const GOOD_WORK = "function add(a, b) { return a + b; }";

const execute = promisify(execFile);

/** Runs the operator's anchors command on the running service's data folder. Returns its output. */
export async function runAnchors(...args: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR };
  return (await execute("node", ["dist/scripts/anchors.mjs", ...args], { env })).stdout;
}
