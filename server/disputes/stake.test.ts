import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { usedTransfers } from "@/server/chain/tables";
import { documents } from "@/server/judging/tables";
import type { AppError } from "@/server/lib/errors";
import { payInOneTransaction } from "@/server/testing/chain/payments";
import { countWaiting } from "@/server/testing/database";
import { waitFor } from "@/server/testing/engine/engine";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import {
  createDisputableOutcome,
  type DisputableOutcome,
  getFixtureChain,
  payStake,
} from "@/server/testing/fixtures/resolved-outcomes";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { getRefusal } from "@/server/testing/refusal";
import { openDispute } from "./open";
import type { StakeInput } from "./schema";
import { stakeDispute } from "./stake";
import { disputeSides, disputes, payouts } from "./tables";

const bench = await shareSettlementFixture();
let here: DisputableOutcome;
/** A dispute that the requester opened and the contractor can answer. */
let disputeId: string;
beforeEach(async () => {
  here = await createDisputableOutcome(bench);
  ({ disputeId } = await openDispute(
    bench.core,
    here.requester,
    {
      outcomeId: here.outcome.id,
      reason: "It names only two rivers.",
      stakePaymentTxHash: await payStake(bench, here.requester),
    },
    new Date(),
  ));
  bench.core.published.length = 0;
});

const stake = (
  by: TestAgent,
  stakePaymentTxHash: string,
  changes: Partial<StakeInput> = {},
  now = new Date(),
) => stakeDispute(bench.core, by, { disputeId, stakePaymentTxHash, ...changes }, now);

/** Returns everything but the opener's side and stake. */
const added = async () => ({
  sides: (await bench.core.db.select().from(disputeSides)).filter(
    ({ party }) => party === "contractor",
  ),
  transfers: (await bench.core.db.select().from(usedTransfers)).filter(
    ({ from, purpose }) => from === here.contractor.wallet || purpose !== "stake",
  ),
  payouts: await bench.core.db.select().from(payouts),
  documents: await bench.core.db.select().from(documents),
});
const NOTHING = { sides: [], transfers: [], payouts: [], documents: [] };

const disputeNow = async () =>
  (await bench.core.db.select().from(disputes).where(eq(disputes.id, disputeId)))[0] ??
  expect.fail("no dispute");

/** Expects that this payment, and no other, was taken to be sent back. */
async function expectSentBack(error: AppError, txHash: string, to: string) {
  expect(error.detail).toContain(`0.5 USDC is sent back to ${to}`);
  const { transfers, payouts: owed } = await added();
  const refunds = transfers.filter(({ purpose }) => purpose === "unattached-stake");
  expect(refunds).toMatchObject([{ txHash, from: to, amountMicro: 500_000n }]);
  expect(owed).toMatchObject([
    {
      purpose: "unattached-stake",
      to,
      amountMicro: 500_000n,
      transferId: refunds[0]?.id,
      status: "waiting",
    },
  ]);
  expect(bench.core.published.filter(({ name }) => name === "dispute/payout-due")).toEqual([
    {
      id: `payout-due:${owed[0]?.id}`,
      name: "dispute/payout-due",
      data: { payoutId: owed[0]?.id },
    },
  ]);
}

describe("answering a dispute", () => {
  test("attaches the other party's stake and statement, and publishes that the review can start", async () => {
    const txHash = await payStake(bench, here.contractor, 600_000n);
    await stake(here.contractor, txHash, { statement: "It names three." });
    const { sides, transfers, payouts: owed } = await added();
    expect(transfers).toMatchObject([{ txHash, purpose: "stake", amountMicro: 600_000n }]);
    expect(sides).toMatchObject([
      {
        disputeId,
        party: "contractor",
        agentId: here.contractor.id,
        statement: "It names three.",
        evidenceUrl: null,
        evidenceHash: null,
        transferId: transfers[0]?.id,
      },
    ]);
    expect(owed).toEqual([]);
    expect(bench.core.published).toEqual([
      { id: `dispute-answered:${disputeId}`, name: "dispute/answered", data: { disputeId } },
    ]);
  });

  test.each<[string, (txHash: string) => Promise<unknown>, string]>([
    [
      "that does not exist",
      (txHash) => stake(here.contractor, txHash, { disputeId: randomUUID() }),
      "not-found",
    ],
    ["of others", async (txHash) => stake(await createTestAgent(bench.core), txHash), "forbidden"],
  ])("%s is refused before the chain is queried", async (_, attempt, code) => {
    const txHash = await payStake(bench, here.contractor);
    bench.node.requestedMethods.length = 0;
    expect((await getRefusal(attempt(txHash))).code).toBe(code);
    expect(bench.node.requestedMethods).toEqual([]);
    expect(await added()).toEqual(NOTHING);
  });
});

describe("a payment is sent back", () => {
  test.each(["requester", "contractor"] as const)("when the %s stakes again", async (party) => {
    if (party === "contractor") {
      await stake(here.contractor, await payStake(bench, here.contractor));
    }
    const { sides } = await added();
    const txHash = await payStake(bench, here[party]);
    const error = await getRefusal(stake(here[party], txHash));
    expect(error.code).toBe("conflict");
    await expectSentBack(error, txHash, here[party].wallet);
    expect((await added()).sides).toEqual(sides);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["once the time is over", () => bench.core.db.update(disputes).set({ expiresAt: new Date() })],
    [
      "once the review has started",
      () => bench.core.db.update(disputes).set({ reviewStartedAt: new Date() }),
    ],
    [
      "once the dispute is decided",
      () => bench.core.db.update(disputes).set({ status: "RESOLVED" }),
    ],
  ])("%s", async (_, change) => {
    await change();
    const txHash = await payStake(bench, here.contractor);
    const error = await getRefusal(stake(here.contractor, txHash));
    expect(error.code).toBe("dispute-closed");
    await expectSentBack(error, txHash, here.contractor.wallet);
    expect((await added()).sides).toEqual([]);
    const after = await added();
    const again = await getRefusal(stake(here.contractor, txHash));
    expect(again.code).toBe("dispute-closed");
    expect(again.detail).not.toContain("is sent back");
    expect(await added()).toEqual(after);
  });

  test("if the request arrives at `expiresAt` or later", async () => {
    const { expiresAt } = await disputeNow();
    const late = await payStake(bench, here.contractor);
    const error = await getRefusal(stake(here.contractor, late, {}, expiresAt));
    await expectSentBack(error, late, here.contractor.wallet);
    const inTime = await payStake(bench, here.contractor);
    await stake(here.contractor, inTime, {}, new Date(expiresAt.getTime() - 1));
  });
});

describe("concurrent requests", () => {
  test("one of many payments of the party attaches, and every other is sent back", async () => {
    const hashes = [];
    for (let n = 0; n < 6; n++) hashes.push(await payStake(bench, here.contractor));
    const all = await Promise.allSettled(hashes.map((txHash) => stake(here.contractor, txHash)));
    const codes = all.map((one) => (one.status === "rejected" ? one.reason.code : "attached"));
    expect(codes.sort()).toEqual(["attached", ...Array(5).fill("conflict")]);
    const { sides, transfers, payouts: owed } = await added();
    expect(sides).toHaveLength(1);
    expect(transfers.map(({ purpose }) => purpose).sort()).toEqual([
      "stake",
      ...Array(5).fill("unattached-stake"),
    ]);
    expect(new Set(owed.map(({ transferId }) => transferId))).toEqual(
      new Set(transfers.filter((one) => one.purpose === "unattached-stake").map(({ id }) => id)),
    );
    expect(bench.core.published.map(({ name }) => name).sort()).toEqual([
      "dispute/answered",
      ...Array(5).fill("dispute/payout-due"),
    ]);
  });

  test("the same request repeated attaches once, and sends nothing back", async () => {
    const { transactionHash } = await payInOneTransaction(
      getFixtureChain(bench),
      here.contractor.account,
      bench.core.chain.stakeAddress,
      [500_000n, 500_000n],
    );
    const spelt = [transactionHash, `0x${transactionHash.slice(2).toUpperCase()}`];
    const all = await Promise.allSettled(
      Array.from({ length: 6 }, (_, n) => stake(here.contractor, spelt[n % 2] ?? "")),
    );
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { transfers, payouts: owed } = await added();
    expect([transfers.length, owed]).toEqual([1, []]);
  });

  test("send the payment back if the review starts first", async () => {
    const txHash = await payStake(bench, here.contractor);
    let answering: Promise<AppError> = Promise.reject(new Error("not yet"));
    answering.catch(() => {});
    await bench.core.db.transaction(async (tx) => {
      await tx.update(disputes).set({ reviewStartedAt: new Date() });
      answering = getRefusal(stake(here.contractor, txHash));
      await waitFor(async () => (await countWaiting(bench.core.db)) > 0);
    });
    const error = await answering;
    expect(error.code).toBe("dispute-closed");
    await expectSentBack(error, txHash, here.contractor.wallet);
    expect((await added()).sides).toEqual([]);
  });
});
