import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { beforeEach, describe, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { extractTransfers } from "@/server/chain/payments/transfers";
import { usedTransfers } from "@/server/chain/tables";
import { DAY_MS } from "@/server/lib/time";
import { payInOneTransaction, payUsdc } from "@/server/testing/chain/payments";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { insertPendingOutcome } from "@/server/testing/fixtures/outcome";
import {
  createRefundableOutcome,
  getFixtureChain,
  PAID_MICRO,
  type RefundableOutcome,
} from "@/server/testing/fixtures/resolved-outcomes";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { getRefusal } from "@/server/testing/refusal";
import { attachPayment } from "./attach-payment";
import { findOutcome } from "./queries";
import { refundOutcome } from "./refund";

import { outcomes, refunds } from "./tables";

const bench = await shareSettlementFixture();
let here: RefundableOutcome;
beforeEach(async () => {
  here = await createRefundableOutcome(bench);
  bench.core.published.length = 0;
});

const pay = async (
  amountMicro = PAID_MICRO,
  from: TestAgent = here.contractor,
  to: Hex = here.requester.wallet,
) => (await payUsdc(getFixtureChain(bench), from.account, to, amountMicro)).transactionHash;

const refund = (
  refundTxHash: string,
  {
    by = here.contractor,
    isProven = false,
    outcomeId = here.outcome.id,
    now = new Date(),
  }: { by?: TestAgent; isProven?: boolean; outcomeId?: string; now?: Date } = {},
) =>
  refundOutcome(bench.core, { ...by, walletVerified: isProven }, { outcomeId, refundTxHash }, now);

const stored = () => bench.core.db.select().from(refunds);
const returned = () =>
  bench.core.db.select().from(usedTransfers).where(eq(usedTransfers.purpose, "refund"));

async function expectNothingStored() {
  expect([await stored(), await returned(), bench.core.published]).toEqual([[], [], []]);
}

const inUpperCase = (hash: string) => `0x${hash.slice(2).toUpperCase()}`;

describe("returning a payment", () => {
  test("takes the transfer, shows on the outcome and requests the record", async () => {
    const txHash = await pay(PAID_MICRO + 1n);
    const answer = await refund(txHash);
    expect(answer).toEqual({
      outcomeId: here.outcome.id,
      txHash,
      amountUsdc: 7.000001,
      status: "recording",
    });
    expect(await returned()).toMatchObject([{ txHash, amountMicro: PAID_MICRO + 1n }]);
    const [row] = await stored();
    expect(row).toMatchObject({ outcomeId: here.outcome.id, txHash, refundedAt: null });
    expect(bench.core.published).toEqual([
      {
        id: `outcome-refunded:${row?.id}`,
        name: "outcome/refunded",
        data: { outcomeId: here.outcome.id },
      },
    ]);
    expect((await findOutcome(bench.core.db, here.outcome.id))?.refund).toEqual(row);
  });

  test("with the same transaction again, in any letter case, returns the same refund", async () => {
    const txHash = await pay();
    const first = await refund(txHash);
    const late = new Date(Date.now() + 30 * DAY_MS);
    bench.node.setBehavior("hang-up");
    expect(await refund(txHash, { now: late })).toEqual(first);
    expect(await refund(inUpperCase(txHash))).toEqual(first);
    expect(await stored()).toHaveLength(1);
    expect(bench.core.published).toHaveLength(1);
  });

  test("concurrently creates one refund, the same for all", async () => {
    const { transactionHash } = await payInOneTransaction(
      getFixtureChain(bench),
      here.contractor.account,
      here.requester.wallet,
      [PAID_MICRO, PAID_MICRO],
    );
    const all = await Promise.all(
      [transactionHash, inUpperCase(transactionHash), transactionHash, transactionHash].map(
        (hash) => refund(hash),
      ),
    );
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await returned()).toHaveLength(1);
    expect(bench.core.published).toHaveLength(1);
  });

  test("with another transaction is refused, even if both arrive concurrently", async () => {
    const hashes = [await pay(), await pay()];
    const both = await Promise.allSettled(hashes.map((hash) => refund(hash)));
    const refused = both.flatMap((one) => (one.status === "rejected" ? one.reason.code : []));
    expect(refused).toEqual(["already-refunded"]);
    expect(await returned()).toHaveLength(1);
    const [kept] = await stored();
    const other = hashes.find((hash) => hash !== kept?.txHash) ?? expect.fail();
    const error = await getRefusal(refund(other));
    expect(error.code).toBe("already-refunded");
    expect(error.detail).toContain(kept?.txHash);
  });

  test("is possible until the last moment of the window", async () => {
    const closesAt = (here.outcome.resolvedAt?.getTime() ?? 0) + 7 * DAY_MS;
    const txHash = await pay();
    const error = await getRefusal(refund(txHash, { now: new Date(closesAt + 1) }));
    expect(error.code).toBe("refund-closed");
    expect(error.detail).toContain(new Date(closesAt).toISOString());
    await expectNothingStored();
    await refund(txHash, { now: new Date(closesAt) });
  });

  test("of a success needs a verified wallet", async () => {
    here = await createRefundableOutcome(bench, { verdict: "SUCCESS" });
    bench.core.published.length = 0;
    const txHash = await pay();
    const error = await getRefusal(refund(txHash));
    expect([error.code, error.detail]).toEqual([
      "payment-invalid",
      expect.stringContaining("walletProof"),
    ]);
    await expectNothingStored();
    await refund(txHash, { isProven: true });
  });

  test("of a failure that a dispute made a success needs a verified wallet, too", async () => {
    await bench.core.db.update(outcomes).set({ finalVerdict: "SUCCESS" });
    const txHash = await pay();
    expect((await getRefusal(refund(txHash))).code).toBe("payment-invalid");
    await refund(txHash, { isProven: true });
  });

  test("of an outcome whose payment is unknown takes a transfer after its record", async () => {
    const early = await pay();
    const { contractor, requester } = here;
    here = await createRefundableOutcome(bench, { between: here });
    await bench.core.db.update(outcomes).set({ paymentTransferId: null, paymentTxHash: null });
    await bench.core.db.execute(
      "truncate recordings, chain_transactions, chain_attempts, escrow_jobs, given_feedback",
    );
    const txHash = await pay(PAID_MICRO, contractor, requester.wallet);
    expect((await getRefusal(refund(early))).code).toBe("payment-invalid");
    bench.node.setBehavior("hang-up");
    expect((await getRefusal(refund(txHash))).code).toBe("unavailable");
    bench.node.setBehavior("answer");
    await refund(txHash);
  });
});

describe("a refund is refused before querying the chain", () => {
  test.each<[string, (txHash: string) => Promise<unknown>, string]>([
    ["of an unknown outcome", (txHash) => refund(txHash, { outcomeId: randomUUID() }), "not-found"],
    ["by the requester", (txHash) => refund(txHash, { by: here.requester }), "forbidden"],
    [
      "by another agent",
      async (txHash) => refund(txHash, { by: await createTestAgent(bench.core) }),
      "forbidden",
    ],
    [
      "of an outcome without a verdict",
      async (txHash) => {
        const { id } = await insertPendingOutcome(bench.core, here.contractor, {
          requester: here.requester.wallet,
        });
        return refund(txHash, { outcomeId: id });
      },
      "outcome-not-resolved",
    ],
    [
      "of an unpaid outcome",
      async (txHash) => {
        await bench.core.db.update(outcomes).set({ paidMicro: 0n });
        return refund(txHash);
      },
      "payment-invalid",
    ],
  ])("%s", async (_, attempt, code) => {
    const txHash = await pay();
    bench.node.requestedMethods.length = 0;
    expect((await getRefusal(attempt(txHash))).code).toBe(code);
    expect(bench.node.requestedMethods).toEqual([]);
    await expectNothingStored();
  });
});

describe("a transfer is refused if it", () => {
  test.each<[string, () => Promise<string>, string]>([
    ["moves a millionth too little", () => pay(PAID_MICRO - 1n), "payment-invalid"],
    [
      "comes from another wallet",
      async () => pay(PAID_MICRO, (await createRefundableOutcome(bench)).contractor),
      "payment-invalid",
    ],
    [
      "goes to another wallet",
      async () => pay(PAID_MICRO, here.contractor, (await createTestAgent(bench.core)).wallet),
      "payment-invalid",
    ],
    ["is the payment itself", async () => here.outcome.paymentTxHash ?? "", "payment-invalid"],
    ["is unknown to the chain", async () => generatePrivateKey(), "payment-not-ready"],
  ])("%s", async (_, transfer, code) => {
    const txHash = await transfer();
    bench.core.published.length = 0;
    for (const spelt of [txHash, inUpperCase(txHash)]) {
      const error = await getRefusal(refund(spelt));
      expect(error.code).toBe(code);
      expect(error.headers["Retry-After"] !== undefined).toBe(code === "payment-not-ready");
    }
    await expectNothingStored();
  });

  test("is in no later block than the payment", async () => {
    const txHash = await pay();
    const { blockNumber } = await bench.core.chain.client.getTransactionReceipt({ hash: txHash });
    await bench.core.db.update(usedTransfers).set({ blockNumber });
    expect((await getRefusal(refund(txHash))).code).toBe("payment-invalid");
    await bench.core.db.update(usedTransfers).set({ blockNumber: blockNumber - 1n });
    await refund(txHash);
  });

  test("proved another task's payment, and a refund cannot prove one later", async () => {
    const reverse = { from: here.contractor, to: here.requester };
    const [paid, back] = [await pay(), await pay()];
    const { id } = await insertPendingOutcome(bench.core, reverse.from, {
      contractor: reverse.to.wallet,
      submittedBy: "requester",
    });
    const attach = async (hash: Hex) => {
      const receipt = await bench.core.chain.client.getTransactionReceipt({ hash });
      return bench.core.db.transaction((tx) =>
        attachPayment(bench.core, tx, id, {
          transfers: extractTransfers(bench.core.chain, receipt),
          isPayer: true,
          x402Receipt: null,
        }),
      );
    };
    await attach(paid);
    expect((await getRefusal(refund(paid))).code).toBe("payment-used");
    expect((await getRefusal(refund(inUpperCase(paid)))).code).toBe("payment-used");
    await refund(back);
    expect((await getRefusal(attach(back))).code).toBe("payment-used");
  });

  test("is named by an agent that was just taken over", async () => {
    const txHash = await pay();
    await bench.core.db.delete(agents).where(eq(agents.id, here.contractor.id));
    expect((await getRefusal(refund(txHash))).code).toBe("unauthenticated");
    await expectNothingStored();
  });

  test("cannot be looked up, and counts when the node is back", async () => {
    const txHash = await pay();
    bench.node.setBehavior("hang-up");
    expect((await getRefusal(refund(txHash))).code).toBe("unavailable");
    await expectNothingStored();
    bench.node.setBehavior("answer");
    await refund(txHash);
  });
});
