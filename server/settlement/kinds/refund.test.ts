import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { usedTransfers } from "@/server/chain/tables";
import { disputes } from "@/server/disputes/tables";
import { MINUTE_MS } from "@/server/lib/time";
import { refundOutcome } from "@/server/outcomes/refund";
import { outcomes, refunds } from "@/server/outcomes/tables";
import { settleTransaction } from "@/server/settlement/settle-transaction";
import { signPending } from "@/server/settlement/sign-pending";
import { recordings } from "@/server/settlement/tables";
import { payUsdc } from "@/server/testing/chain/payments";
import { recordAll } from "@/server/testing/fixtures/dispute";
import {
  createRefundableOutcome,
  getFixtureChain,
  PAID_MICRO,
  type RefundableOutcome,
} from "@/server/testing/fixtures/resolved-outcomes";
import { readSettledState, sendPending } from "@/server/testing/fixtures/settled-state";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";

const bench = await shareSettlementFixture();
let here: RefundableOutcome;
beforeEach(async () => {
  here = await createRefundableOutcome(bench);
  bench.core.published.length = 0;
});

const NOW = new Date();
const later = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);

/** Returns the payment on chain, names the transaction and returns its hash. */
async function refund({ contractor, requester, outcome } = here): Promise<string> {
  const { transactionHash } = await payUsdc(
    getFixtureChain(bench),
    contractor.account,
    requester.wallet,
    PAID_MICRO,
  );
  await refundOutcome(
    bench.core,
    { ...contractor, walletVerified: true },
    { outcomeId: outcome.id, refundTxHash: transactionHash },
    new Date(),
  );
  return transactionHash;
}

const sign = (now = NOW, chain = bench.core.chain) =>
  signPending(bench.core, { ...bench.sender, chain }, now);

const state = () => readSettledState(bench);

const refundRecords = async () =>
  (await bench.core.db.select().from(recordings).where(eq(recordings.kind, "refund"))).map(
    ({ subjectId, record }) => ({ subjectId, record }),
  );
const transfersBack = () =>
  bench.core.db.select().from(usedTransfers).where(eq(usedTransfers.purpose, "refund"));

describe("a confirmed refund", () => {
  test("becomes final and updates ledger and score in one transaction", async () => {
    here = await createRefundableOutcome(bench, { between: here, verdict: "SUCCESS" });
    const before = await state();
    const txHash = await refund();
    bench.core.published.length = 0;
    const placed = await sendPending(bench, NOW);
    await settleTransaction(bench.core, placed);
    const after = await state();

    const at = Math.floor(NOW.getTime() / 1000);
    const record = { type: "refund", outcomeId: here.outcome.id, at, paymentTx: txHash };
    const { transactionHash } = placed.receipt;
    expect(after.refunds).toMatchObject([
      { txHash, refundedAt: new Date(at * 1000), onChainTx: transactionHash, recordIndex: 0 },
    ]);
    expect(after.ledger.at(-1)).toMatchObject({
      seq: 3,
      type: "refund",
      outcomeId: here.outcome.id,
      record: { ...record, seq: 3 },
      txHash: transactionHash,
      logIndex: 0,
    });
    expect(after.history.at(-1)).toMatchObject({
      wallet: here.contractor.wallet,
      cause: "refund",
      outcomeId: here.outcome.id,
      seq: 3,
    });
    expect(after.reputations[0]?.version).toBe((before.reputations[0]?.version ?? 0) + 1);
    const announced = after.published.map(({ name }) => name);
    const [was, is] = [before.reputations[0]?.scoreE4 ?? 0, after.reputations[0]?.scoreE4 ?? 0];
    expect(announced).toEqual(was === is ? [] : ["reputation/score-updated"]);
  });

  test("is recorded along with an open dispute of the same outcome", async () => {
    const { contractor, requester, outcome } = here;
    await bench.core.db.insert(disputes).values({
      outcomeId: outcome.id,
      openedBy: "contractor",
      contractor: contractor.wallet,
      requester: requester.wallet,
      recordedVerdict: "FAILURE",
      salt: Buffer.alloc(16),
      expiresAt: NOW,
      judgedAt: NOW,
      verdict: "REQUESTER_WINS",
      assessed: true,
      finalVerdict: "FAILURE",
    });
    await refund();
    await recordAll(bench);
    expect((await state()).ledger.map(({ type }) => type)).toEqual([
      "outcome",
      "dispute",
      "refund",
    ]);
    const [row] = await bench.core.db.select().from(outcomes).where(eq(outcomes.id, outcome.id));
    expect(row).toMatchObject({ finalVerdict: "FAILURE" });
  });
});

describe("before a refund is signed, its transfer", () => {
  test("that is on chain is recorded once", async () => {
    const paymentTx = await refund();
    expect(await sign()).toHaveLength(1);
    expect(await sign()).toEqual([]);
    const [row] = await bench.core.db.select().from(refunds);
    const at = Math.floor(NOW.getTime() / 1000);
    expect(await refundRecords()).toEqual([
      {
        subjectId: row?.id,
        record: { type: "refund", outcomeId: here.outcome.id, at, paymentTx },
      },
    ]);
  });

  test("that a reorganisation removed is not recorded, and the payment can be returned again", async () => {
    const before = await bench.control.snapshot();
    const lost = await refund();
    await bench.control.revert({ id: before });
    await bench.control.mine({ blocks: 5 });
    expect(await sign()).toEqual([]);
    expect(await bench.core.db.select().from(refunds)).toEqual([]);
    expect(await transfersBack()).toMatchObject([{ txHash: lost, goneAt: expect.any(Date) }]);

    // Another amount, so that it is another transaction.
    const { contractor, requester, outcome } = here;
    const more = PAID_MICRO + 1n;
    const { transactionHash } = await payUsdc(
      getFixtureChain(bench),
      contractor.account,
      requester.wallet,
      more,
    );
    await refundOutcome(
      bench.core,
      { ...contractor, walletVerified: false },
      { outcomeId: outcome.id, refundTxHash: transactionHash },
      new Date(),
    );
    expect(await sign()).toHaveLength(1);
    expect(await refundRecords()).toMatchObject([{ record: { paymentTx: transactionHash } }]);
  });

  test("that was reorged is awaited for an hour, and can be named again once it is back", async () => {
    const before = await bench.control.snapshot();
    await refund();
    await bench.control.revert({ id: before });
    await bench.control.mine({ blocks: 1 });
    await sign();
    await sign(later(60));
    expect(await bench.core.db.$count(refunds)).toBe(1);
    await sign(later(61));
    expect([await bench.core.db.$count(refunds), await transfersBack()]).toEqual([0, []]);
    expect(await refundRecords()).toEqual([]);
    await refund();
    expect(await sign()).toHaveLength(1);
  });
});
