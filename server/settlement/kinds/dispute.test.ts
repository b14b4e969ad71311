import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { decodeRecords } from "@/server/chain/registry/decode-records";
import { usedTransfers } from "@/server/chain/tables";
import type { DisputeVerdict, Party } from "@/server/disputes/schema";
import { disputes, payouts } from "@/server/disputes/tables";
import type { Verdict } from "@/server/lib/schema";
import { outcomes } from "@/server/outcomes/tables";
import { ledgerRecords, reputationHistory, reputations } from "@/server/reputation/tables";
import { settleTransaction } from "@/server/settlement/settle-transaction";
import { signPending } from "@/server/settlement/sign-pending";
import { createJudgedDispute, recordAll } from "@/server/testing/fixtures/dispute";
import { insertJudgedOutcome } from "@/server/testing/fixtures/outcome";
import {
  createSettlementFixture,
  type SettlementFixture,
} from "@/server/testing/fixtures/settlement";
import { disputeKind } from "./dispute";

let bench: SettlementFixture;
beforeAll(async () => {
  bench = await createSettlementFixture();
});
afterAll(() => bench.close());
beforeEach(() => bench.clear());

const both = { contractor: 500_000n, requester: 750_000n };

/** Returns everything that settling writes. */
const state = async () => {
  const { db } = bench.core;
  return {
    disputes: await db.select().from(disputes),
    outcomes: await db.select().from(outcomes),
    ledger: await db.select().from(ledgerRecords).orderBy(ledgerRecords.seq),
    reputations: await db.select().from(reputations),
    history: await db.select().from(reputationHistory).orderBy(reputationHistory.version),
    payouts: await db.select().from(payouts),
    published: [...bench.core.published],
  };
};

/** Returns the record of the one judged dispute, on chain and not settled. */
async function onChain() {
  const [transactionId = ""] = await signPending(bench.core, bench.sender, new Date());
  await bench.sender.broadcast(transactionId);
  const result = await bench.sender.waitForConfirmation(transactionId, { timeoutMs: 10_000 });
  if (result.state !== "confirmed") throw new Error(result.state);
  return { transactionId, receipt: result.receipt, now: new Date() };
}

describe("settling a verdict", () => {
  const cases: [Verdict, DisputeVerdict, Verdict, "falls" | "rises" | "stays"][] = [
    ["SUCCESS", "REQUESTER_WINS", "FAILURE", "falls"],
    ["SUCCESS", "CONTRACTOR_WINS", "SUCCESS", "stays"],
    ["FAILURE", "CONTRACTOR_WINS", "SUCCESS", "rises"],
    ["FAILURE", "REQUESTER_WINS", "FAILURE", "stays"],
  ];
  test.each(cases)("%s and %s: final %s, the score %s", async (recorded, verdict, final, score) => {
    const { dispute, parties } = await createJudgedDispute(bench, verdict, {
      recorded,
      stakes: both,
    });
    const before = await state();
    bench.core.published.length = 0;
    await recordAll(bench);
    const after = await state();

    expect(after.disputes).toMatchObject([
      { status: "RESOLVED", verdict, finalVerdict: final, recordIndex: 0 },
    ]);
    expect(after.outcomes).toMatchObject([{ verdict: recorded, finalVerdict: final }]);
    expect(after.ledger).toMatchObject([
      { type: "outcome", seq: 1 },
      {
        type: "dispute",
        seq: 2,
        outcomeId: dispute.outcomeId,
        record: { verdict, evidenceHash: dispute.evidenceHash },
        txHash: after.disputes[0]?.onChainTx,
      },
    ]);

    const [was, is] = [before.reputations[0]?.scoreE4 ?? 0, after.reputations[0]?.scoreE4 ?? 0];
    expect(score === "falls" ? was > is : score === "rises" ? was < is : was === is).toBe(true);
    expect(after.reputations).toMatchObject([{ totalOutcomes: 1, disputeRateE4: 10_000 }]);
    expect(after.history.at(-1)).toMatchObject({
      wallet: parties.contractor.address,
      cause: "dispute",
      disputeId: dispute.id,
      outcomeId: dispute.outcomeId,
      seq: 2,
    });

    const party: Party = verdict === "CONTRACTOR_WINS" ? "contractor" : "requester";
    expect(after.payouts).toMatchObject([
      {
        purpose: "stake-return",
        disputeId: dispute.id,
        party,
        to: parties[party].address,
        amountMicro: both[party],
        status: "waiting",
      },
    ]);
    const names = after.published.map(({ name }) => name);
    expect(names).toEqual([
      "dispute/resolved",
      ...(score === "stays" ? [] : ["reputation/score-updated"]),
      "dispute/payout-due",
    ]);
    const impact = (Math.floor(is / 100) - Math.floor(was / 100)) / 100;
    expect(after.published[0]?.data).toEqual({ disputeId: dispute.id, scoreImpact: impact });
    expect(after.published.at(-1)?.data).toEqual({ payoutId: after.payouts[0]?.id });
  });
});

test("an outcome that the judge could not assess is assessed once a dispute decided it", async () => {
  await createJudgedDispute(bench, "CONTRACTOR_WINS", { confidencePpm: 500_000 });
  expect((await state()).outcomes).toMatchObject([{ assessed: false }]);
  await recordAll(bench);
  expect((await state()).outcomes).toMatchObject([{ assessed: true, finalVerdict: "SUCCESS" }]);
});

describe("a payout", () => {
  test("is not made to a winner that never staked", async () => {
    await createJudgedDispute(bench, "CONTRACTOR_WINS", { stakes: { requester: 500_000n } });
    await recordAll(bench);
    const { disputes, payouts, published } = await state();
    expect(disputes).toMatchObject([{ status: "RESOLVED" }]);
    expect(payouts).toEqual([]);
    expect(published.map(({ name }) => name)).not.toContain("dispute/payout-due");
  });

  test("is not made to a winner whose stake is known to be gone", async () => {
    await createJudgedDispute(bench, "REQUESTER_WINS", { stakes: both });
    await bench.core.db
      .update(usedTransfers)
      .set({ goneAt: new Date() })
      .where(eq(usedTransfers.amountMicro, both.requester));
    await recordAll(bench);
    expect(await state()).toMatchObject({ disputes: [{ status: "RESOLVED" }], payouts: [] });
  });

  test("returns the stake of an opener that wins without an answer", async () => {
    await createJudgedDispute(bench, "REQUESTER_WINS", { stakes: { requester: 500_000n } });
    await recordAll(bench);
    expect((await state()).payouts).toMatchObject([{ party: "requester", amountMicro: 500_000n }]);
  });
});

describe("settling", () => {
  test("five times concurrently, and once more, settles once", async () => {
    await createJudgedDispute(bench, "REQUESTER_WINS", { stakes: both });
    const placed = await onChain();
    await Promise.all(Array.from({ length: 5 }, () => settleTransaction(bench.core, placed)));
    const once = await state();
    expect(once.payouts).toHaveLength(1);
    expect(once.ledger).toHaveLength(2);
    await settleTransaction(bench.core, { ...placed, now: new Date(Date.now() + 1_000) });
    expect(await state()).toEqual(once);
    const [found] = decodeRecords(placed.receipt.logs, bench.core.chain.registryAddress);
    if (found?.record.type !== "dispute") return expect.fail("there is no record");
    const again = { ...found, record: found.record, subjectId: once.disputes[0]?.id ?? "" };
    await bench.core.db.transaction((tx) =>
      disputeKind.settle(bench.core, tx, [{ ...again, now: new Date() }]),
    );
    expect(await state()).toEqual(once);
  });

  test("stores everything or nothing", async () => {
    await createJudgedDispute(bench, "REQUESTER_WINS", { stakes: both });
    const placed = await onChain();
    const before = await state();
    const broken = { ...bench.core, publish: () => Promise.reject(new Error("it died")) };
    await expect(settleTransaction(broken, placed)).rejects.toThrow("it died");
    expect(await state()).toEqual(before);
    await settleTransaction(bench.core, placed);
    expect((await state()).disputes).toMatchObject([{ status: "RESOLVED" }]);
  });

  test("rejects a record of another outcome", async () => {
    await createJudgedDispute(bench, "REQUESTER_WINS", { stakes: both });
    const placed = await onChain();
    const [agent] = await bench.core.db.select().from(outcomes);
    const other = await insertJudgedOutcome(
      bench.core,
      { id: agent?.submitterAgentId ?? "", wallet: "0x2222222222222222222222222222222222222222" },
      {},
    );
    await bench.core.db.update(disputes).set({ outcomeId: other.id });
    const before = await state();
    await expect(settleTransaction(bench.core, placed)).rejects.toThrow("belongs to outcome");
    expect(await state()).toEqual(before);
  });

  test("waits while the chain lacks the outcome's record", async () => {
    const before = await bench.control.snapshot();
    await createJudgedDispute(bench, "REQUESTER_WINS", { stakes: both });
    await bench.control.revert({ id: before });
    expect(await signPending(bench.core, bench.sender, new Date())).toEqual([]);
    expect((await state()).disputes).toMatchObject([{ status: "OPEN" }]);

    await bench.sender.resendOpen();
    await recordAll(bench);
    const { disputes, ledger } = await state();
    expect(disputes).toMatchObject([{ status: "RESOLVED" }]);
    expect(ledger.map(({ type, seq }) => [type, seq])).toEqual([
      ["outcome", 1],
      ["dispute", 2],
    ]);
  });
});
