import { readFile } from "node:fs/promises";
import { createClient, proveWallet } from "@standing/sdk";
import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { DAY_MS } from "@/server/lib/time";
import { registerIdentity } from "@/server/testing/chain/erc8004";
import { fund, getServiceChain, type LocalPayments } from "@/server/testing/chain/payments";
import { serveForPayment, startFacilitator } from "@/server/testing/chain/x402";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { insertAgreement } from "@/server/testing/fixtures/agreement";
import { startTestService, type TestService } from "@/server/testing/service";
import { runTypeScript } from "./run-typescript";

const TEXT = "The Rhine, the Loire and the Vistula.";

let service: TestService;
let local: LocalPayments;
/** An agent with a score. */
let contractor: TestAgent;
beforeAll(async () => {
  service = await startTestService();
  local = getServiceChain(service);
  contractor = await service.agent();
  await service.waitForResolved(await service.submit(contractor));
});
afterAll(() => service.close());

/** Returns the manual's blocks of code about a protocol, for the service of this test. */
async function readManual(protocol: string): Promise<string[]> {
  const manual = await readFile("docs/integrations.md", "utf8");
  const section = manual.split(/^## /m).find((part) => part.startsWith(`${protocol}\n`)) ?? "";
  return [...section.matchAll(/```js\n(.*?)```/gs)].map(([, code = ""]) => {
    expect(code.trim().split("\n").length).toBeLessThanOrEqual(30);
    return code.replaceAll("http://localhost:3000", new URL(service.base).origin);
  });
}

it("buys and sells through x402 as shown, with limits that one job reaches", async () => {
  const blocks = await readManual("x402");
  const [seller = "", buyer = ""] = blocks.map((code) => code.replaceAll("TRUSTED", "NEWCOMER"));
  const facilitator = await startFacilitator(local);
  vi.stubEnv("FACILITATOR_URL", facilitator.url);
  const server = await runTypeScript(seller, "server");
  const offer = { account: contractor.account, amountMicro: 250_000n, text: TEXT };
  const endpoint = await serveForPayment(local, server, offer);
  vi.stubEnv("SELLER_URL", endpoint.url);

  const buying = await createKeyedAgent();
  await service.waitForResolved(await service.submit(buying));
  actAs(buying);
  const delivered = await runTypeScript(buyer, "delivered");
  expect([delivered.status, await delivered.text()]).toEqual([200, TEXT]);
  await endpoint.close();
  await facilitator.close();
});

interface KeyedAgent extends TestAgent {
  key: Hex;
}

/** Creates an agent with a verified wallet, its key, ether and USDC. */
async function createKeyedAgent(): Promise<KeyedAgent> {
  const key = generatePrivateKey();
  const account = privateKeyToAccount(key);
  await fund(local, account.address);
  const visitor = createClient({ url: new URL(service.base).origin });
  const walletProof = await proveWallet(visitor, account);
  const { agentId: id, apiKey } = await visitor.post("/agents/register", {
    body: { agentAddress: account.address, name: "An agent", walletProof },
    headers: { "X-Wallet-Address": account.address },
  });
  return { id, wallet: account.address, account, apiKey: apiKey ?? expect.fail("no key"), key };
}

/** Sets the environment of the party that runs an example. */
function actAs({ key, apiKey }: KeyedAgent): void {
  vi.stubEnv("RPC_URL", service.chain.rpcUrl);
  vi.stubEnv("WALLET_KEY", key);
  vi.stubEnv("STANDING_API_KEY", apiKey);
}

it("checks an agent over MCP as shown", async () => {
  const [code = ""] = await readManual("MCP");
  vi.stubEnv("SELLER_WALLET", contractor.wallet);
  const { recommendation, reputation } = await runTypeScript(
    code,
    "{ recommendation, reputation }",
  );
  expect(recommendation).toMatchObject({ action: expect.any(String) });
  expect(reputation).toMatchObject({ tier: "NEWCOMER" });
});

it("has an escrow paid by verdict as shown", async () => {
  const [fundJob = "", deliver = ""] = await readManual("ERC-8183");
  const [client, provider] = [await createKeyedAgent(), await createKeyedAgent()];
  const { core } = service.runtime;
  const parties = { requester: client, contractor: provider };
  const terms = { payment: "escrow", delivery: "content" } as const;
  const agreement = await insertAgreement(core, parties, terms);
  vi.stubEnv("AGREEMENT_ID", agreement.id);
  vi.stubEnv("ESCROW", local.chain.escrows?.addresses[0] ?? expect.fail("no escrow"));
  vi.stubEnv("EXPIRES_AT", new Date(Date.now() + 3 * DAY_MS).toISOString());
  actAs(client);
  const jobId = await runTypeScript(fundJob, "jobId");

  actAs(provider);
  vi.stubEnv("JOB_ID", String(jobId));
  vi.stubEnv("DELIVERABLE", TEXT);
  const outcome = await runTypeScript(deliver, "outcome");
  expect(outcome).toMatchObject({ verdict: "SUCCESS", paidUsdc: 5 });
  const escrow = await service.call("GET", `/outcome/${outcome.outcomeId}/escrow`);
  expect(escrow.body.jobs).toMatchObject([{ status: "completed", releasedUsdc: 5 }]);
});

it("links an ERC-8004 identity, and gives it feedback as the requester, as shown", async () => {
  const [link = "", giveFeedback = ""] = await readManual("ERC-8004");
  const [agent, client] = [await createKeyedAgent(), await createKeyedAgent()];
  const agentId = await registerIdentity(local.chain, agent.account);
  vi.stubEnv("ERC8004_AGENT_ID", agentId);
  actAs(agent);
  const { erc8004, found } = await runTypeScript(link, "{ erc8004, found }");
  expect(erc8004).toMatchObject({ agentId, proof: "owner" });
  expect(found).toMatchObject({ walletAddress: agent.wallet });

  const { core } = service.runtime;
  const { id } = await insertAgreement(core, { requester: client, contractor: agent });
  const { body } = await service.call("POST", "/outcome", {
    key: agent.apiKey,
    body: { agreementId: id, deliverableContent: TEXT },
  });
  await service.waitForResolved(body.outcomeId);
  vi.stubEnv("OUTCOME_ID", body.outcomeId);
  actAs(client);
  const receipt = await runTypeScript(giveFeedback, "receipt");
  expect(receipt).toMatchObject({ status: "success", logs: [{ address: expect.any(String) }] });
});
