import {
  agreements,
  createClient,
  type RefusalOptions,
  refuseBelow,
  type StandingClient,
} from "@standing/sdk";
import { parseAbi } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendDirectly } from "@/server/testing/chain/chain";
import {
  createFundedAccount,
  encodeUsdcCall,
  fund,
  getServiceChain,
  type LocalPayments,
} from "@/server/testing/chain/payments";
import { createPayingFetch, startX402Seller } from "@/server/testing/chain/x402";
import { startTestService, type TestService } from "@/server/testing/service";

let service: TestService;
let local: LocalPayments;
let standing: StandingClient;
beforeAll(async () => {
  service = await startTestService();
  local = getServiceChain(service);
  standing = createClient({ url: new URL(service.base).origin });
});
afterAll(() => service.close());

/** Limits that a wallet without outcomes is below, and not below. */
const REFUSED: RefusalOptions = { tier: "NEWCOMER" };
const ACCEPTED: RefusalOptions = { score: 0, maxAtStake: 0.25 };

/**
 * Buys a text for 0.25 USDC with x402's own client, server and facilitator, hooks on both sides. Returns
 * the response, and what the seller earned in millionths of a USDC.
 */
async function buy(limits: { seller?: RefusalOptions; buyer?: RefusalOptions }) {
  const [buyer, account] = [await createFundedAccount(local), await createFundedAccount(local)];
  const { seller, buyer: forBuyer } = limits;
  const endpoint = await startX402Seller(
    local,
    { account, amountMicro: 250_000n, text: "The Rhine, the Loire and the Vistula." },
    (server) => (seller ? server.onAfterVerify(refuseBelow(standing, seller).seller) : server),
  );
  const pay = createPayingFetch(local, buyer, (client) =>
    forBuyer ? client.onBeforePaymentCreation(refuseBelow(standing, forBuyer).buyer) : client,
  );
  try {
    const response = await pay(endpoint.url);
    return { response, text: await response.text(), earned: await getEarned(account.address) };
  } finally {
    await endpoint.close();
  }
}

/** Returns what the account has beyond the thousand that it was funded with. */
async function getEarned(address: `0x${string}`): Promise<bigint> {
  const { client, usdcAddress } = local.chain;
  const balance = await client.readContract({
    address: usdcAddress,
    abi: parseAbi(["function balanceOf(address) view returns (uint256)"]),
    functionName: "balanceOf",
    args: [address],
  });
  return balance - 1_000_000_000n;
}

describe("with x402's packages", () => {
  test("a payment that both sides accept is made", async () => {
    const { response, text, earned } = await buy({ seller: ACCEPTED, buyer: ACCEPTED });
    expect([response.status, text]).toEqual([200, "The Rhine, the Loire and the Vistula."]);
    expect(earned).toBe(250_000n);
  });

  test("a seller refuses a buyer below its limit, who pays nothing", async () => {
    const { response, text, earned } = await buy({ seller: REFUSED });
    expect(response.status).toBe(402);
    expect(text).not.toContain("Rhine");
    const header = response.headers.get("payment-required") ?? "";
    const { error } = JSON.parse(Buffer.from(header, "base64").toString());
    expect(error).toMatch(/is UNRANKED with a score of 0.00, below NEWCOMER/);
    expect(earned).toBe(0n);
  });

  test("a seller refuses if the service is down, unless it allows that", async () => {
    const down = createClient({
      url: "http://127.0.0.1:1",
      fetch: () => Promise.resolve(new Response("{}", { status: 500 })),
    });
    for (const [onError, status] of [
      ["refuse", 402],
      ["allow", 200],
    ] as const) {
      const account = await createFundedAccount(local);
      const { seller } = refuseBelow(down, { tier: "ELITE", onError });
      const offer = { account, amountMicro: 1n, text: "A river." };
      const endpoint = await startX402Seller(local, offer, (server) =>
        server.onAfterVerify(seller),
      );
      const pay = createPayingFetch(local, await createFundedAccount(local));
      expect((await pay(endpoint.url)).status).toBe(status);
      await endpoint.close();
    }
  });

  test.each([
    [REFUSED, /is UNRANKED with a score of 0.00, below NEWCOMER/],
    [{ score: 0, maxAtStake: 0.249_999 }, /not known to be at most 0.249999 USDC/],
  ])("a buyer with the limit %j signs no payment", async (buyer, reason) => {
    await expect(buy({ buyer })).rejects.toThrow(reason);
  });
});

test("the chain's USDC accepts a payment of an agreement signed with the defaults", async () => {
  const [contractor, requester, sender] = await Promise.all([
    service.agent({ proven: true }),
    service.agent({ proven: true }),
    createFundedAccount(local),
  ]);
  await fund(local, requester.wallet);
  const url = new URL(service.base).origin;
  const proposal = await agreements.propose(
    createClient({ url, apiKey: contractor.apiKey }),
    contractor.account,
    {
      requester: requester.wallet,
      contractor: contractor.wallet,
      task: "Name three rivers, separated by commas.",
      category: "research",
      valueUsdc: 2,
      payment: "upfront",
      deliverBy: new Date(Date.now() + 3_600_000).toISOString(),
      requirements: [{ check: "word-count", max: 10 }],
    },
  );
  const payment = await agreements.signPayment(standing, requester.account, proposal, {
    atOwnRisk: true,
  });
  const { from, to, value, validAfter, validBefore, nonce, signature } = payment;
  const args = [from, to, value, validAfter, validBefore, nonce, signature];
  const call = encodeUsdcCall(local, "transferWithAuthorization", args);
  expect((await sendDirectly(local.chain, sender, call)).status).toBe("success");
  expect(await getEarned(requester.wallet)).toBe(-2_000_000n);
});
