import { randomBytes } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import type { Hex } from "viem";
import { beforeEach, describe, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { checkPayment, claimTransfer } from "@/server/chain/payments/payment";
import { usedTransfers } from "@/server/chain/tables";
import { submitInput } from "@/server/outcomes/schema";
import { submitOutcome } from "@/server/outcomes/submit";
import { outcomes } from "@/server/outcomes/tables";
import { recordDirectly } from "@/server/testing/chain/chain";
import { fund, payBatch, payInOneTransaction, payUsdc } from "@/server/testing/chain/payments";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { createParties, recordAll } from "@/server/testing/fixtures/dispute";
import { getFixtureChain } from "@/server/testing/fixtures/resolved-outcomes";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { rebuild } from "./rebuild";
import { claimUnknownStakes, readStakeTransfers } from "./stake-transfers";

const bench = await shareSettlementFixture();
let empty: TestDatabase;
let contractor: TestAgent;
let requester: TestAgent;
beforeEach(async () => {
  [contractor, requester] = [await createTestAgent(bench.core), await createTestAgent(bench.core)];
  await fund(getFixtureChain(bench), requester.wallet);
  empty = await createTestDatabase();
  return () => empty.close();
});

const PRICE = 5_000_000n;

const pay = async (amountMicro = PRICE) =>
  (await payUsdc(getFixtureChain(bench), requester.account, contractor.wallet, amountMicro))
    .transactionHash;

/** Submits an outcome as the contractor known to this database, and returns its id. */
async function submit(paymentTxHash: Hex, { db }: Pick<TestDatabase, "db"> = bench.core) {
  const [agent] = await db.select().from(agents).where(eq(agents.wallet, contractor.wallet));
  const input = submitInput.parse({
    contractorAgentAddress: contractor.wallet,
    requesterAgentAddress: requester.wallet,
    taskDescription: "Name three rivers of Europe.",
    taskCategory: "research",
    deliverableContent: "The Rhine, the Loire and the Vistula.",
    valueUsdc: 5,
    paymentTxHash,
  });
  const submitter = { id: agent?.id ?? "", wallet: contractor.wallet, walletVerified: false };
  const { response } = await submitOutcome(
    { ...bench.core, db, request: { ip: "127.0.0.1" } },
    submitter,
    null,
    input,
  );
  return response.outcomeId;
}

/** Submits and judges an outcome with this payment; it is not recorded yet. */
async function judged(paymentTxHash: Hex) {
  const id = await submit(paymentTxHash);
  const [outcome] = await bench.core.db
    .update(outcomes)
    .set({
      judgedAt: new Date(),
      verdict: "SUCCESS",
      confidencePpm: 900_000,
      reasoning: "It names three rivers.",
      judgeKind: "heuristic",
      judgeId: "a-judge",
      evidenceHash: `0x${randomBytes(32).toString("hex")}`,
    })
    .where(eq(outcomes.id, id))
    .returning();
  return outcome ?? expect.fail();
}

const rebuildInto = ({ db }: Pick<TestDatabase, "db">) =>
  rebuild({ ...bench.core, db }, new Date());

const used = ({ db }: Pick<TestDatabase, "db">) =>
  db.select().from(usedTransfers).orderBy(asc(usedTransfers.blockNumber), usedTransfers.logIndex);

describe("the payment of an imported outcome", () => {
  test("proves no other outcome", async () => {
    const payment = await pay();
    await judged(payment);
    await recordAll(bench);
    expect(await rebuildInto(empty)).toMatchObject({ imported: 1, taskPayments: 1 });
    const [before] = await used(bench.core);
    expect(await used(empty)).toMatchObject([
      { purpose: "payment", txHash: payment, logIndex: before?.logIndex, amountMicro: PRICE },
    ]);
    await expect(submit(payment, empty)).rejects.toMatchObject({ code: "payment-used" });
    expect(await rebuildInto(empty)).toMatchObject({ imported: 0, taskPayments: 0 });
  });

  test("can be any transfer of its amount up to the record; only later or other transfers prove another", async () => {
    const same = await pay();
    const { transactionHash: batch } = await payInOneTransaction(
      getFixtureChain(bench),
      requester.account,
      contractor.wallet,
      [PRICE, PRICE + 1n, PRICE],
    );
    const less = await pay(PRICE - 1n);
    await judged(same);
    await recordAll(bench);
    const later = await pay();
    expect(await rebuildInto(empty)).toMatchObject({ taskPayments: 3 });
    expect(await used(empty)).toMatchObject(
      [same, batch, batch].map((txHash) => ({ txHash, amountMicro: PRICE })),
    );
    await expect(submit(same, empty)).rejects.toMatchObject({ code: "payment-used" });
    for (const other of [batch, less, later]) await submit(other, empty);
    await expect(submit(batch, empty)).rejects.toMatchObject({ code: "payment-used" });
  });

  test("is searched up to the last record if several have the same amount", async () => {
    const [first, second] = [await pay(), await pay()];
    await judged(first);
    await recordAll(bench);
    const third = await pay();
    await judged(third);
    await judged(second);
    await recordAll(bench);
    expect(await rebuildInto(empty)).toMatchObject({ imported: 3, taskPayments: 3 });
    for (const payment of [first, second, third]) {
      await expect(submit(payment, empty)).rejects.toMatchObject({ code: "payment-used" });
    }
  });

  test("is the one that the database has, if it has one", async () => {
    const [free, payment] = [await pay(), await pay()];
    const outcome = await judged(payment);
    // As if it had been recorded after a backup.
    await recordDirectly(bench.core.chain, [
      {
        type: "outcome",
        id: outcome.id,
        contractor: contractor.wallet,
        requester: requester.wallet,
        category: outcome.taskCategory,
        valueMicro: Number(outcome.valueMicro),
        paidMicro: Number(PRICE),
        submittedBy: "contractor",
        proven: false,
        agreed: false,
        verdict: "SUCCESS",
        confPpm: 900_000,
        resolvedAt: Math.floor(Date.now() / 1_000),
        evidenceHash: outcome.evidenceHash ?? undefined,
      },
    ]);
    expect(await rebuildInto(bench.core)).toMatchObject({ imported: 1, taskPayments: 0 });
    expect(await used(bench.core)).toMatchObject([{ txHash: payment }]);
    await submit(free);
  });
});

test("an unknown stake is claimed, even if its transaction paid for a known task", async () => {
  const { chain, db } = bench.core;
  const { contractor, requester } = await createParties(bench);
  const [task, stake] = [contractor.address, chain.stake.address];
  const { transactionHash: txHash } = await payBatch(getFixtureChain(bench), requester, [
    { to: task, amountMicro: 3_000_000n },
    { to: stake, amountMicro: 500_000n },
  ]);
  const terms = { txHash, from: requester.address, to: task, minMicro: 1n };
  const payment = await checkPayment(chain, terms);
  if (payment.state !== "found") return expect.fail(payment.state);
  await db.transaction((tx) => claimTransfer(tx, chain, payment.transfers, "payment"));

  const moves = await readStakeTransfers(db, chain);
  const claimed = await db.transaction((tx) => claimUnknownStakes(tx, chain, moves));
  expect(claimed).toEqual({ count: 1, micro: 500_000n });
  const used = await db.select().from(usedTransfers).orderBy(usedTransfers.logIndex);
  expect(used).toMatchObject([
    { txHash, purpose: "payment", to: task },
    { txHash, purpose: "unclaimed", to: stake },
  ]);
});
