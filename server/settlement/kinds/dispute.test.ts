import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { usedTransfers } from "@/server/chain/tables";
import type { DisputeVerdict, Party } from "@/server/disputes/schema";
import type { Verdict } from "@/server/lib/schema";
import { signPending } from "@/server/settlement/sign-pending";
import { createJudgedDispute, recordAll } from "@/server/testing/fixtures/dispute";
import { readSettledState } from "@/server/testing/fixtures/settled-state";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";

const bench = await shareSettlementFixture();

const both = { contractor: 500_000n, requester: 750_000n };

const state = () => readSettledState(bench);

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

test("a dispute waits while the chain lacks the outcome's record", async () => {
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
