import { createReceiptEIP712 } from "@x402/extensions/offer-receipt";
import type { PublicClient } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { readX402Receipt } from "@/server/chain/payments/x402-receipt";
import type { X402Receipt } from "@/server/chain/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import type { GroupedLedger } from "@/server/reputation/score/group-ledger";
import { compareX402Receipts } from "./compare-x402-receipts";

const CONTRACTOR = privateKeyToAccount(`0x${"11".repeat(32)}`);
const REQUESTER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const PAYMENT = `0x${"a1".repeat(32)}`;
const client = { getBlockNumber: async () => 1n, getCode: async () => undefined };
const chain = { id: 8453, client: client as unknown as PublicClient };

let receipt: X402Receipt;
beforeAll(async () => {
  const signed = await createReceiptEIP712(
    {
      resourceUrl: "https://seller.example/",
      payer: REQUESTER,
      network: "eip155:8453",
      transaction: PAYMENT,
    },
    (data) => CONTRACTOR.signTypedData(data as Parameters<typeof CONTRACTOR.signTypedData>[0]),
  );
  const read = readX402Receipt({ "offer-receipt": { info: { receipt: signed } } });
  receipt = read ?? expect.fail("it was not read");
});

/** Compares one outcome, as shown, with its record on chain. */
async function compare(x402Receipt: unknown, shown: object = {}, record: object = {}) {
  const recorded = { type: "outcome", contractor: CONTRACTOR.address, requester: REQUESTER };
  const placed = { record: { ...recorded, ...record } };
  const ledger = { getOutcome: () => placed } as unknown as GroupedLedger;
  const outcome = { outcomeId: "1", paymentTxHash: PAYMENT, evidence: { x402Receipt }, ...shown };
  const differences = await compareX402Receipts([outcome as PublicOutcome], ledger, chain);
  return differences.map(({ subject, field }) => `${subject}: ${field}`);
}

describe("the x402 receipt of an outcome", () => {
  test("agrees if the contractor of the record signed it for this payment", async () => {
    expect(await compare(receipt)).toEqual([]);
    expect(await compare(undefined)).toEqual([]);
    expect(await compare(undefined, { evidence: undefined })).toEqual([]);
  });

  test.each([
    ["signature", {}, { contractor: REQUESTER }],
    ["payer", {}, { requester: CONTRACTOR.address }],
    ["transaction", { paymentTxHash: undefined }, {}],
  ])("differs in its %s if it is about another sale", async (field, shown, record) => {
    const expected = [`x402 receipt of outcome 1: ${field}`];
    expect(await compare(receipt, shown, record)).toEqual(expected);
  });

  test.each(["receipt", {}, { signature: "0x" }])(
    "differs if the service shows %j in its place",
    async (other) => {
      expect(await compare(other)).toEqual(["x402 receipt of outcome 1: "]);
    },
  );
});
