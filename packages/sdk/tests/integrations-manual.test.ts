import { readFile } from "node:fs/promises";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { fund, getServiceChain, type LocalPayments } from "@/server/testing/chain/payments";
import { serveForPayment, startFacilitator } from "@/server/testing/chain/x402";
import type { TestAgent } from "@/server/testing/fixtures/agent";
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
  return [...section.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => {
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

  vi.stubEnv("WALLET_KEY", await createBuyer());
  const delivered = await runTypeScript(buyer, "delivered");
  expect([delivered.status, await delivered.text()]).toEqual([200, TEXT]);
  await endpoint.close();
  await facilitator.close();
});

/** Returns the key of a wallet with USDC and one delivered job. */
async function createBuyer(): Promise<string> {
  const key = generatePrivateKey();
  const { address: wallet } = privateKeyToAccount(key);
  await fund(local, wallet);
  const { body } = await service.call("POST", "/agents/register", {
    body: { agentAddress: wallet, name: "A buyer" },
  });
  const agent = { wallet, apiKey: body.apiKey } as TestAgent;
  await service.waitForResolved(await service.submit(agent));
  return key;
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
