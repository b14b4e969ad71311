import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createReceiptEIP712 } from "@x402/extensions/offer-receipt";
import { eq } from "drizzle-orm";
import { keccak256, stringToBytes } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { agents } from "@/server/agents/tables";
import { readRegistry } from "@/server/chain/registry/read-registry";
import { usedTransfers } from "@/server/chain/tables";
import { compareX402Receipts } from "@/server/explorer/compare-x402-receipts";
import { DAY_MS } from "@/server/lib/time";
import { groupLedger } from "@/server/reputation/score/group-ledger";
import { type FaultyNode, startFaultyNode } from "@/server/testing/chain/faulty-node";
import {
  fund,
  getServiceChain,
  type LocalPayments,
  payUsdc,
} from "@/server/testing/chain/payments";
import { createPayingFetch, startX402Seller } from "@/server/testing/chain/x402";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { type CallResult, startTestService, type TestService } from "@/server/testing/service";
import { outcomes } from "./tables";

let service: TestService;
let node: FaultyNode;
let local: LocalPayments;
beforeAll(async () => {
  service = await startTestService({
    getNodeUrl: async ({ rpcUrl }) => {
      node = await startFaultyNode(rpcUrl);
      return node.url;
    },
  });
  local = getServiceChain(service);
});
afterEach(() => node.setBehavior("answer"));
afterAll(async () => {
  await service.close();
  await node.close();
});

interface Deal {
  contractor: TestAgent;
  requester: TestAgent;
}

/** Creates two agents; the requester has USDC to pay with. */
async function deal(): Promise<Deal> {
  const [contractor, requester] = [await service.agent(), await service.agent()];
  await fund(local, requester.wallet);
  return { contractor, requester };
}

const paid = async ({ contractor, requester }: Deal, micro: bigint) =>
  (await payUsdc(local, requester.account, contractor.wallet, micro)).transactionHash;

const submit = (
  { contractor, requester }: Deal,
  changes: object,
  headers: Record<string, string> = {},
  key = contractor.apiKey,
) =>
  service.call("POST", "/outcome", {
    key,
    headers,
    body: {
      contractorAgentAddress: contractor.wallet,
      requesterAgentAddress: requester.wallet,
      taskDescription: "Name three rivers of Europe.",
      taskCategory: "research",
      deliverableContent: "The Rhine, the Loire and the Vistula.",
      valueUsdc: 12.5,
      ...changes,
    },
  });

const refusal = ({ status, body }: CallResult) => [status, body.code];

const stored = ({ contractor }: Deal) =>
  service.database.db.select().from(outcomes).where(eq(outcomes.contractor, contractor.wallet));
const taken = (txHash: string) =>
  service.database.db.select().from(usedTransfers).where(eq(usedTransfers.txHash, txHash));

describe("a payment that a submission names", () => {
  test("is shown with the outcome, and recorded with its verdict", async () => {
    const between = await deal();
    const paymentTxHash = await paid(between, 12_500_000n);
    const { status, body } = await submit(between, { paymentTxHash });
    expect(status).toBe(202);
    const shown = { valueUsdc: 12.5, paidUsdc: 12.5, paymentTxHash };
    expect((await service.call("GET", `/outcome/${body.outcomeId}`)).body).toMatchObject(shown);
    expect(await service.waitForResolved(body.outcomeId)).toMatchObject(shown);
    expect(await taken(paymentTxHash)).toMatchObject([{ purpose: "payment", logIndex: 0 }]);
    const [record] = await service.database.db.sql`
      select record from ledger_records where outcome_id = ${body.outcomeId}`;
    expect(record?.record).toMatchObject({ valueMicro: 12_500_000, paidMicro: 12_500_000 });
  });

  test.each([
    ["a millionth", 1n, 0.000001],
    ["more than the value", 20_000_000n, 20],
  ])("may be %s", async (_, micro, paidUsdc) => {
    const between = await deal();
    const { body } = await submit(between, { paymentTxHash: await paid(between, micro) });
    const seen = await service.call("GET", `/outcome/${body.outcomeId}`);
    expect(seen.body).toMatchObject({ valueUsdc: 12.5, paidUsdc });
  });

  test("may be named in upper case, counts once, and is shown with the hash of the receipt", async () => {
    const between = await deal();
    const hash = await paid(between, 1_000_000n);
    const upperCase = `0x${hash.slice(2).toUpperCase()}`;
    const { body } = await submit(between, { paymentTxHash: upperCase });
    const seen = await service.call("GET", `/outcome/${body.outcomeId}`);
    expect(seen.body.paymentTxHash).toBe(hash);
    for (const paymentTxHash of [hash, upperCase]) {
      expect(refusal(await submit(between, { paymentTxHash }))).toEqual([409, "payment-used"]);
    }
  });

  test("counts for one outcome if several name it concurrently", async () => {
    const between = await deal();
    const paymentTxHash = await paid(between, 1_000_000n);
    const all = await Promise.all(
      Array.from({ length: 8 }, () => submit(between, { paymentTxHash })),
    );
    expect(all.map(refusal).sort()).toEqual([
      [202, undefined],
      ...Array(7).fill([409, "payment-used"]),
    ]);
    expect(await stored(between)).toHaveLength(1);
  });

  test("is optional, and then the node may be unreachable", async () => {
    const between = await deal();
    node.setBehavior("hang-up");
    expect((await submit(between, {})).status).toBe(202);
    node.setBehavior("answer");
    expect((await stored(between))[0]).toMatchObject({ paidMicro: 0n, paymentTxHash: null });
  });
});

describe("nothing is stored of a submission whose payment", () => {
  const unknown = `0x${"ab".repeat(32)}`;

  test.each<[string, (between: Deal) => Promise<string>, unknown[]]>([
    [
      "went the other way",
      async ({ contractor, requester }) => {
        await fund(local, contractor.wallet);
        return (await payUsdc(local, contractor.account, requester.wallet, 1n)).transactionHash;
      },
      [422, "payment-invalid"],
    ],
    ["is zero", (between) => paid(between, 0n), [422, "payment-invalid"]],
    ["is unknown to the chain", async () => unknown, [409, "payment-not-ready"]],
    ["has an invalid hash", async () => "0x1234", [400, "invalid-request"]],
  ])("%s", async (_, payment, expected) => {
    const between = await deal();
    const called = await submit(between, { paymentTxHash: await payment(between) });
    expect(refusal(called)).toEqual(expected);
    if (expected[0] === 409) expect(called.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
    if (expected[0] === 422) expect(called.body.detail).toContain("USDC");
    // Which chain is read: a payment on another one is the usual mistake.
    if (expected[0] !== 400) expect(called.body.detail).toContain("Local chain");
    expect(await stored(between)).toEqual([]);
  });

  test("is not found if the chain has not known it for two minutes", async () => {
    const between = await deal();
    const paymentTxHash = `0x${"cd".repeat(32)}`;
    const send = () => submit(between, { paymentTxHash });
    expect(refusal(await send())).toEqual([409, "payment-not-ready"]);
    const start = Date.now();
    const now = vi.spyOn(Date, "now").mockReturnValue(start + 110_000);
    expect(refusal(await send())).toEqual([409, "payment-not-ready"]);
    now.mockReturnValue(start + 121_000);
    const called = await send();
    expect(refusal(called)).toEqual([422, "payment-not-found"]);
    expect(called.headers.get("Retry-After")).toBeNull();
    expect(called.body.detail).toContain("Local chain");
    now.mockRestore();
    expect(await stored(between)).toEqual([]);
  });

  test("is named by a requester with an unverified wallet", async () => {
    const between = await deal();
    const paymentTxHash = await paid(between, 1_000_000n);
    node.setBehavior("hang-up", ["eth_getTransactionReceipt"]);
    const report = { paymentTxHash, deliverableContent: "" };
    const called = await submit(between, report, {}, between.requester.apiKey);
    expect(refusal(called)).toEqual([422, "payment-invalid"]);
    expect(called.body.detail).toMatch(/walletProof/);
    expect(await stored(between)).toEqual([]);

    node.setBehavior("answer");
    const walletVerifiedAt = new Date();
    await service.database.db
      .update(agents)
      .set({ walletVerifiedAt })
      .where(eq(agents.id, between.requester.id));
    expect((await submit(between, report, {}, between.requester.apiKey)).status).toBe(202);
  });

  test("makes its requester's report of a failure count, from the third day after", async () => {
    const [contractor, requester] = [await service.agent(), await service.agent({ proven: true })];
    await fund(local, requester.wallet);
    const between = { contractor, requester };
    const report = { paymentTxHash: await paid(between, 1_000_000n), deliverableContent: "" };
    const { body } = await submit(between, report, {}, requester.apiKey);
    const waiting = await service.call("GET", `/outcome/${body.outcomeId}`);
    expect(waiting.body.countsFrom).toBeUndefined();
    const outcome = await service.waitForResolved(body.outcomeId);

    const day = Date.parse(String(outcome.resolvedAt).slice(0, 10));
    const countsFrom = new Date(day + 3 * DAY_MS).toISOString();
    expect(outcome).toMatchObject({ verdict: "FAILURE", countsFrom });
    const listed = await service.call("GET", `/agents/${contractor.wallet}/outcomes`);
    expect(listed.body.content).toMatchObject([{ outcomeId: body.outcomeId, countsFrom }]);
    const { body: entries } = await service.call("GET", `/reputation/${contractor.wallet}/history`);
    expect(entries.content[0].receipt).toMatchObject({
      rule: "failure-reported",
      effect: 0,
      sentence: expect.stringContaining(`counts from ${countsFrom.slice(0, 10)}`),
    });
  });

  test("cannot be looked up", async () => {
    const between = await deal();
    const paymentTxHash = await paid(between, 1_000_000n);
    node.setBehavior("hang-up");
    const called = await submit(between, { paymentTxHash });
    expect(refusal(called)).toEqual([503, "unavailable"]);
    expect(called.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
    expect(await stored(between)).toEqual([]);
    expect(await taken(paymentTxHash)).toEqual([]);
    node.setBehavior("answer");
    expect((await submit(between, { paymentTxHash })).status).toBe(202);
  });

  test("is valid, but the submission itself is refused", async () => {
    const [between, stranger] = [await deal(), await deal()];
    const paymentTxHash = await paid(between, 1_000_000n);
    node.setBehavior("hang-up", ["eth_getTransactionReceipt"]);
    const called = await submit(
      { contractor: stranger.contractor, requester: stranger.requester },
      {
        paymentTxHash,
        contractorAgentAddress: between.contractor.wallet,
        requesterAgentAddress: between.requester.wallet,
      },
    );
    expect(refusal(called)).toEqual([403, "forbidden"]);
    expect(await taken(paymentTxHash)).toEqual([]);
  });
});

describe("with an idempotency key", () => {
  const withKey = (key: string = randomUUID()) => ({ "Idempotency-Key": key });

  test("the response is replayed without querying the chain, in any letter case of the hash", async () => {
    const between = await deal();
    const hash = await paid(between, 1_000_000n);
    const key = withKey();
    const first = await submit(between, { paymentTxHash: hash }, key);
    await service.waitForResolved(first.body.outcomeId);
    node.setBehavior("hang-up");
    for (const paymentTxHash of [hash, `0x${hash.slice(2).toUpperCase()}`]) {
      const again = await submit(between, { paymentTxHash }, key);
      expect([again.status, again.text]).toEqual([202, first.text]);
      expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    }
  });

  test("another payment is another input", async () => {
    const between = await deal();
    const [one, other] = [await paid(between, 1_000_000n), await paid(between, 1_000_000n)];
    const key = withKey();
    await submit(between, { paymentTxHash: one }, key);
    for (const changes of [{ paymentTxHash: other }, {}]) {
      const called = await submit(between, changes, key);
      expect(refusal(called)).toEqual([422, "idempotency-key-reused"]);
    }
    expect(await taken(other)).toEqual([]);
  });

  test("a payment that was not mined yet can be named again", async () => {
    const between = await deal();
    await local.node.setAutomine(false);
    try {
      const key = withKey();
      // Sent, but not in a block yet.
      const sending = paid(between, 1_000_000n);
      while ((await local.node.getTxpoolStatus()).pending === 0) await Promise.resolve();
      const early = await submit(between, { paymentTxHash: await hashOfPending() }, key);
      expect(refusal(early)).toEqual([409, "payment-not-ready"]);
      await local.node.mine({ blocks: 1 });
      const { status } = await submit(between, { paymentTxHash: await sending }, key);
      expect(status).toBe(202);
    } finally {
      await local.node.setAutomine(true);
    }
  });

  async function hashOfPending(): Promise<string> {
    const { pending } = await local.node.getTxpoolContent();
    const [byNonce] = Object.values(pending);
    const [transaction] = Object.values(byNonce ?? {});
    return transaction?.hash ?? expect.fail();
  }
});

describe("the receipt of an x402 payment", () => {
  const encode = (receipt: object) => Buffer.from(JSON.stringify(receipt)).toString("base64");
  /** Returns a receipt that a seller on this chain would send, with changes. */
  const receiptOf = (transaction: string, changes: object = {}) => ({
    x402: encode({
      success: true,
      transaction,
      network: `eip155:${local.chain.id}`,
      ...changes,
    }),
  });

  test("makes the recipe of docs/integrations.md submit a paid outcome", async () => {
    const manual = readFileSync("docs/integrations.md", "utf8");
    const [, recipe = ""] = /^### Report work.*?```js\n(.*?)```/ms.exec(manual) ?? [];
    const [contractor, requester] = [await service.agent(), await service.agent({ proven: true })];
    // It has no ether: the seller relays its signed transfer.
    await fund(local, requester.wallet);
    await local.node.setBalance({ address: requester.wallet, value: 0n });
    const seller = await startX402Seller(local, {
      account: contractor.account,
      amountMicro: 250_000n,
      text: "The Rhine, the Loire and the Vistula.",
    });
    const given = {
      fetchWithPayment: createPayingFetch(local, requester.account),
      SELLER_URL: seller.url,
      SELLER_WALLET: contractor.wallet,
      BUYER_WALLET: requester.wallet,
      API: service.base,
      API_KEY: requester.apiKey,
      task: "Name three rivers of Europe.",
    };
    const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
    const run = new AsyncFunction(...Object.keys(given), recipe);
    const { outcomeId } = await run(...Object.values(given));
    await seller.close();
    const outcome = await service.waitForResolved(outcomeId);
    expect(outcome).toMatchObject({
      requesterAgentAddress: requester.wallet,
      valueUsdc: 0.25,
      paidUsdc: 0.25,
    });
    expect(outcome.evidence?.x402Receipt).toMatchObject({
      network: `eip155:${local.chain.id}`,
      payer: requester.wallet,
      transaction: outcome.paymentTxHash,
      resourceUrlHash: keccak256(stringToBytes(`${seller.url}/`)),
    });
  });

  test("names the payment exactly as its hash does", async () => {
    const between = await deal();
    const paymentTxHash = await paid(between, 1_000_000n);
    const payment = receiptOf(paymentTxHash, { payer: between.requester.wallet });
    const key = { "Idempotency-Key": randomUUID() };
    const first = await submit(between, { payment }, key);
    const again = await submit(between, { paymentTxHash }, key);
    expect([again.status, again.text]).toEqual([202, first.text]);
    expect((await stored(between))[0]).toMatchObject({ paymentTxHash, paidMicro: 1_000_000n });
    expect(refusal(await submit(between, { payment }))).toEqual([409, "payment-used"]);
  });

  describe("with a receipt that its seller signed", () => {
    /** Submits an outcome with a receipt of `signer`; returns it once it is resolved. */
    async function submitReceipt(
      between: Deal,
      signer: TestAgent,
      changes: { payer?: string; transaction?: string } = {},
    ) {
      const transaction = await paid(between, 1_000_000n);
      const network = `eip155:${local.chain.id}`;
      const input = { resourceUrl: "https://seller.example/", network, transaction };
      const receipt = await createReceiptEIP712(
        { ...input, payer: between.requester.wallet, ...changes },
        (data) => signer.account.signTypedData(data as never),
      );
      const extensions = { "offer-receipt": { info: { receipt } } };
      const payment = receiptOf(transaction, { extensions });
      const { status, body } = await submit(between, { payment });
      expect(status).toBe(202);
      node.setBehavior("answer");
      return service.waitForResolved(body.outcomeId);
    }

    test("shows that the contractor confirmed the sale, and changes no score", async () => {
      const [between, without] = [await deal(), await deal()];
      const outcome = await submitReceipt(between, between.contractor);
      expect(outcome.evidence?.x402Receipt).toMatchObject({ transaction: outcome.paymentTxHash });
      const { client, registryAddress: address } = local.chain;
      const ledger = groupLedger((await readRegistry({ client, address })).records);
      expect(await compareX402Receipts([outcome], ledger, local.chain)).toEqual([]);

      const { body } = await submit(without, { paymentTxHash: await paid(without, 1_000_000n) });
      expect((await service.waitForResolved(body.outcomeId)).evidence).not.toHaveProperty(
        "x402Receipt",
      );
      const scores = [between, without].map(async ({ contractor }) => {
        const { body: reputation } = await service.call("GET", `/reputation/${contractor.wallet}`);
        return reputation.score;
      });
      expect(await scores[0]).toBe(await scores[1]);
    });

    test.each<[string, (between: Deal) => Parameters<typeof submitReceipt>]>([
      ["the requester signed it", (between) => [between, between.requester]],
      ["it names another payer", (to) => [to, to.contractor, { payer: to.contractor.wallet }]],
      ["it names no transaction", (to) => [to, to.contractor, { transaction: "" }]],
    ])("shows nothing if %s, but accepts the submission", async (_, prepare) => {
      const outcome = await submitReceipt(...prepare(await deal()));
      expect(outcome.paidUsdc).toBe(1);
      expect(outcome.evidence).not.toHaveProperty("x402Receipt");
    });

    test("shows nothing if the node can't say whose signature it is", async () => {
      const between = await deal();
      node.setBehavior("hang-up", ["eth_getCode"]);
      const outcome = await submitReceipt(between, between.requester);
      expect(outcome.evidence).not.toHaveProperty("x402Receipt");
    });
  });

  test("is not believed about the payer, the amount or whether it was paid", async () => {
    const [between, others] = [await deal(), await deal()];
    const theirs = await paid(others, 5_000_000n);
    const payer = between.requester.wallet;
    for (const [transaction, expected] of [
      [theirs, [422, "payment-invalid"]],
      [`0x${"ab".repeat(32)}`, [409, "payment-not-ready"]],
    ] as const) {
      const payment = receiptOf(transaction, { payer, amount: "5000000" });
      expect(refusal(await submit(between, { payment }))).toEqual(expected);
    }
    expect(await stored(between)).toEqual([]);
    expect(await taken(theirs)).toEqual([]);
  });

  test("names a payment that is on chain, and only once, if it says that it was settled before", async () => {
    const failed = { success: false, errorReason: "payment already settled" };
    const between = await deal();
    const paymentTxHash = await paid(between, 1_000_000n);
    const payment = receiptOf(paymentTxHash, failed);
    expect((await submit(between, { payment })).status).toBe(202);
    expect((await stored(between))[0]).toMatchObject({ paymentTxHash, paidMicro: 1_000_000n });
    expect(refusal(await submit(between, { payment }))).toEqual([409, "payment-used"]);
  });

  test.each<[string, object, string, RegExp]>([
    ["another network", { network: "base" }, "wrong-network", /on base, but .*\(eip155:31337\)/],
    ["another payer", { payer: `0x${"1".repeat(40)}` }, "wrong-payer", /0x1{40} paid/],
    ["a failed settlement", { success: false, transaction: "" }, "not-settled", /not settled/],
  ])("is refused if it names %s, before the chain is asked", async (_, changes, code, detail) => {
    const between = await deal();
    node.setBehavior("hang-up");
    const called = await submit(between, {
      payment: receiptOf(`0x${"ab".repeat(32)}`, changes),
    });
    expect(refusal(called)).toEqual([422, "payment-invalid"]);
    expect(called.body.errors).toMatchObject([{ pointer: "#/payment/x402", code }]);
    expect(called.body.detail).toMatch(detail);
  });

  test.each<[string, object, unknown[], string]>([
    ["is not a receipt", { x402: "paid" }, [422, "payment-invalid"], "#/payment/x402"],
    ["is too long", { x402: "A".repeat(8_193) }, [400, "invalid-request"], "#/payment/x402"],
    ["is of another protocol", { ap2: "e30=" }, [400, "invalid-request"], "#/payment/ap2"],
  ])("is refused if it %s", async (_, payment, expected, pointer) => {
    const called = await submit(await deal(), { payment });
    expect(refusal(called)).toEqual(expected);
    expect(called.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(
      pointer,
    );
  });

  test("is refused together with a hash", async () => {
    const between = await deal();
    const paymentTxHash = await paid(between, 1_000_000n);
    const payment = receiptOf(paymentTxHash);
    const called = await submit(between, { payment, paymentTxHash });
    expect(refusal(called)).toEqual([422, "payment-invalid"]);
    expect(called.body.errors).toMatchObject([
      { pointer: "#/payment", code: "conflicting-fields" },
    ]);
    expect(await stored(between)).toEqual([]);
  });
});
