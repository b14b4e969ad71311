import { generatePrivateKey } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PublicOutcome } from "@/server/outcomes/schema";
import {
  fund,
  getServiceChain,
  type LocalPayments,
  payUsdc,
} from "@/server/testing/chain/payments";
import { waitFor } from "@/server/testing/engine/engine";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { startTestService, type TestService } from "@/server/testing/service";

let service: TestService;
let local: LocalPayments;
let contractor: TestAgent;
let requester: TestAgent;
beforeAll(async () => {
  service = await startTestService();
  local = getServiceChain(service);
  [contractor, requester] = [await service.agent(), await service.agent()];
  for (const { wallet } of [contractor, requester]) await fund(local, wallet);
});
afterAll(() => service.close());

/** Resolves a paid failure that counts against the contractor. */
async function paidFailure(): Promise<PublicOutcome> {
  const payment = await payUsdc(local, requester.account, contractor.wallet, 5_000_000n);
  const outcomeId = await service.submit(contractor, {
    requesterAgentAddress: requester.wallet,
    deliverableContent: undefined,
    paymentTxHash: payment.transactionHash,
  });
  return service.waitForResolved(outcomeId);
}

const refund = (outcomeId: string, refundTxHash: string, key = contractor.apiKey) =>
  service.call("POST", `/outcome/${outcomeId}/refund`, { key, body: { refundTxHash } });

test("a returned payment is recorded on chain and shown with the outcome", async () => {
  const { outcomeId } = await paidFailure();
  const { transactionHash } = await payUsdc(
    local,
    contractor.account,
    requester.wallet,
    5_000_000n,
  );
  const upperCase = `0x${transactionHash.slice(2).toUpperCase()}`;
  const all = await Promise.all(
    [transactionHash, upperCase].map((hash) => refund(outcomeId, hash)),
  );
  for (const { status, body, headers } of all) {
    expect([status, body.outcomeId, body.txHash]).toEqual([200, outcomeId, transactionHash]);
    expect(headers.get("RateLimit-Policy")).toContain("refund");
  }

  const shown = await waitFor(async () => {
    const { body } = await service.call("GET", `/outcome/${outcomeId}`);
    return body.refund?.status === "recorded" && body;
  });
  expect(shown).toMatchObject({
    verdict: "FAILURE",
    refund: { txHash: transactionHash, amountUsdc: 5, recordIndex: 0 },
  });
  const list = await service.call("GET", `/agents/${contractor.wallet}/outcomes`);
  expect(list.body.content).toMatchObject([{ outcomeId, refund: shown.refund }]);
  const ledger = await (await fetch(`${service.base}/ledger`)).text();
  expect(JSON.parse(ledger.trim().split("\n").at(-1) ?? "")).toMatchObject({
    type: "refund",
    outcomeId,
    paymentTx: transactionHash,
    txHash: shown.refund.onChainTx,
  });
  const again = await refund(outcomeId, transactionHash);
  expect([again.status, again.body]).toEqual([200, { outcomeId, ...shown.refund }]);
});

test("a refused refund returns the reason", async () => {
  const { outcomeId, paymentTxHash = "" } = await paidFailure();
  const refusal = async (called: ReturnType<typeof refund>) => {
    const { status, body } = await called;
    return [status, body.code];
  };
  expect(await refusal(refund(outcomeId, paymentTxHash))).toEqual([422, "payment-invalid"]);
  expect(await refusal(refund(outcomeId, paymentTxHash, requester.apiKey))).toEqual([
    403,
    "forbidden",
  ]);
  expect(await refusal(refund(outcomeId, paymentTxHash, "rep_wrong"))).toEqual([
    401,
    "unauthenticated",
  ]);
  expect(await refusal(refund(outcomeId, "0x12", requester.apiKey))).toEqual([
    400,
    "invalid-request",
  ]);
  const unknown = await refund(outcomeId, generatePrivateKey());
  expect([unknown.status, unknown.body.code]).toEqual([409, "payment-not-ready"]);
  expect(unknown.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
});
