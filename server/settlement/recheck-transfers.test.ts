import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { checkPayment, claimTransfer } from "@/server/chain/payments/payment";
import { usedTransfers } from "@/server/chain/tables";
import { MINUTE_MS } from "@/server/lib/time";
import { outcomes } from "@/server/outcomes/tables";
import { fund, type LocalPayments, payUsdc } from "@/server/testing/chain/payments";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { insertJudgedOutcome } from "@/server/testing/fixtures/outcome";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { clearLostPayments, findPendingPayments, recheckTransfers } from "./recheck-transfers";
import { signPending } from "./sign-pending";
import { recordings } from "./tables";

const bench = await shareSettlementFixture();
const local: LocalPayments = { chain: bench.core.chain, node: bench.control };
let contractor: TestAgent;
let requester: TestAgent;
beforeEach(async () => {
  [contractor, requester] = [await createTestAgent(bench.core), await createTestAgent(bench.core)];
  await fund(local, requester.wallet);
});

const NOW = new Date("2026-11-21T12:00:00Z");
const later = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);
const minutesAgo = (minutes: number) => later(-minutes);
const PAID = 7_000_000n;

/** Inserts a judged outcome with a payment on chain. */
async function paidOutcome(judgedAt = minutesAgo(1)) {
  const { transactionHash } = await payUsdc(local, requester.account, contractor.wallet, PAID);
  const found = await checkPayment(local.chain, {
    txHash: transactionHash,
    from: requester.wallet,
    to: contractor.wallet,
    minMicro: 1n,
  });
  if (found.state !== "found") return expect.fail(found.state);
  const transfer = await bench.core.db.transaction((tx) =>
    claimTransfer(tx, local.chain, found.transfers, "payment"),
  );
  const outcome = await insertJudgedOutcome(bench.core, contractor, {
    judgedAt,
    requester: requester.wallet,
    paidMicro: PAID,
    paymentTxHash: transactionHash,
    paymentTransferId: transfer?.id,
  });
  return { outcome, transfer: transfer ?? expect.fail() };
}

/** As `paidOutcome`, but a reorg replaced the payment's block, and that is not final yet. */
async function reorgedOutcome(judgedAt?: Date) {
  const before = await bench.control.snapshot();
  const paid = await paidOutcome(judgedAt);
  await bench.control.revert({ id: before });
  await bench.control.mine({ blocks: 1 });
  return paid;
}

const sign = (now = NOW, chain = bench.core.chain) =>
  signPending(bench.core, { ...bench.sender, chain }, now);

/** Returns the paid amount of each recorded outcome. */
async function recorded() {
  const rows = await bench.core.db.select().from(recordings);
  return new Map(
    rows.map(({ subjectId, record }) => [
      subjectId,
      record.type === "outcome" ? record.paidMicro : expect.fail(),
    ]),
  );
}

const transferNow = async (id: string) =>
  (await bench.core.db.select().from(usedTransfers).where(eq(usedTransfers.id, id)))[0];
const outcomeNow = async (id: string) =>
  (await bench.core.db.select().from(outcomes).where(eq(outcomes.id, id)))[0];

describe("before a record is signed, its payment", () => {
  test("that is confirmed is recorded with it", async () => {
    const { outcome } = await paidOutcome();
    await sign();
    expect(await recorded()).toEqual(new Map([[outcome.id, Number(PAID)]]));
  });

  test("that a reorganisation removed counts as zero, and blocks no record", async () => {
    const kept = await paidOutcome();
    const before = await bench.control.snapshot();
    const { outcome, transfer } = await paidOutcome();
    const unpaid = await insertJudgedOutcome(bench.core, contractor);
    await bench.control.revert({ id: before });
    await bench.control.mine({ blocks: 5 });
    await sign();
    expect(await recorded()).toEqual(
      new Map([
        [kept.outcome.id, Number(PAID)],
        [outcome.id, 0],
        [unpaid.id, 0],
      ]),
    );
    expect(await transferNow(transfer.id)).toMatchObject({ goneAt: expect.any(Date) });
    expect(await transferNow(kept.transfer.id)).toMatchObject({ goneAt: null });
    expect(await outcomeNow(outcome.id)).toMatchObject({
      paidMicro: 0n,
      paymentTxHash: transfer.txHash,
    });
  });

  test("that a reorganisation removed counts as zero for the payer's and the superseded outcome", async () => {
    const before = await bench.control.snapshot();
    const { outcome, transfer } = await paidOutcome();
    const { id: own } = await insertJudgedOutcome(bench.core, requester, {
      contractor: contractor.wallet,
      submittedBy: "requester",
      paidMicro: PAID,
      paymentTxHash: transfer.txHash,
      paymentTransferId: transfer.id,
    });
    await bench.core.db
      .update(outcomes)
      .set({ supersededBy: own })
      .where(eq(outcomes.id, outcome.id));
    await bench.control.revert({ id: before });
    await bench.control.mine({ blocks: 5 });
    await sign();
    expect(await recorded()).toEqual(
      new Map([
        [outcome.id, 0],
        [own, 0],
      ]),
    );
    expect(await transferNow(transfer.id)).toMatchObject({ goneAt: expect.any(Date) });
  });

  test("that is not deep enough delays its outcome only", async () => {
    const { outcome } = await paidOutcome();
    const unpaid = await insertJudgedOutcome(bench.core, contractor);
    const deep = { ...bench.core.chain, confirmations: 3 };
    await sign(NOW, deep);
    expect([...(await recorded()).keys()]).toEqual([unpaid.id]);
    await bench.control.mine({ blocks: 2 });
    await sign(NOW, deep);
    expect((await recorded()).get(outcome.id)).toBe(Number(PAID));
  });

  test("that was reorged is awaited for an hour after it was first found missing", async () => {
    const { outcome, transfer } = await reorgedOutcome(minutesAgo(600));
    await sign();
    await sign(later(60));
    expect(await recorded()).toEqual(new Map());
    await sign(later(61));
    expect(await recorded()).toEqual(new Map([[outcome.id, 0]]));
    // It is not known to be gone.
    expect(await transferNow(transfer.id)).toMatchObject({ goneAt: null });
  });

  test("that was reorged gets a new hour after the node did not respond", async () => {
    const { outcome } = await reorgedOutcome();
    await sign();
    bench.node.setBehavior("hang-up");
    await expect(sign(later(59))).rejects.toThrow();
    bench.node.setBehavior("answer");
    await sign(later(61));
    expect(await recorded()).toEqual(new Map());
    await sign(later(122));
    expect(await recorded()).toEqual(new Map([[outcome.id, 0]]));
  });

  test("is never given up while the node has not reached its block", async () => {
    const before = await bench.control.snapshot();
    const { outcome } = await paidOutcome(minutesAgo(600));
    await bench.control.revert({ id: before });
    for (const minutes of [0, 61, 600]) await sign(later(minutes));
    expect(await recorded()).toEqual(new Map());
    expect(await outcomeNow(outcome.id)).toMatchObject({ paidMicro: PAID });
  });

  test("that cannot be looked up changes nothing", async () => {
    const { outcome } = await paidOutcome();
    bench.node.setBehavior("hang-up", ["eth_getTransactionReceipt"]);
    await expect(sign()).rejects.toThrow();
    expect(await recorded()).toEqual(new Map());
    bench.node.setBehavior("answer");
    await sign();
    expect((await recorded()).get(outcome.id)).toBe(Number(PAID));
  });

  test("is not rechecked once the record is signed", async () => {
    const before = await bench.control.snapshot();
    const { outcome } = await paidOutcome();
    await sign();
    await bench.control.revert({ id: before });
    await bench.control.mine({ blocks: 5 });
    bench.node.requestedMethods.length = 0;
    await sign();
    expect(bench.node.requestedMethods).not.toContain("eth_getTransactionReceipt");
    expect(await outcomeNow(outcome.id)).toMatchObject({ paidMicro: PAID });
  });

  test("stays in a record that another process signed since the recheck", async () => {
    const { outcome } = await reorgedOutcome();
    const recheck = async (now: Date) =>
      recheckTransfers(
        bench.core.chain,
        await findPendingPayments(bench.core.db, 10).execute(),
        now,
      );
    await recheck(NOW);
    const { lost } = await recheck(later(61));
    expect(lost.map(({ subjectId }) => subjectId)).toEqual([outcome.id]);
    await bench.core.db
      .update(outcomes)
      .set({ paymentTransferId: null })
      .where(eq(outcomes.id, outcome.id));
    await sign();
    await bench.core.db.transaction((tx) => clearLostPayments(bench.core, tx, lost));
    expect((await recorded()).get(outcome.id)).toBe(Number(PAID));
    expect(await outcomeNow(outcome.id)).toMatchObject({ paidMicro: PAID });
  });

  test("is rechecked without holding a database connection", async () => {
    await paidOutcome();
    bench.node.setBehavior("silence", ["eth_getTransactionReceipt"]);
    const asked = bench.node.requestedMethods.length;
    const signing = sign().catch(() => []);
    while (!bench.node.requestedMethods.slice(asked).includes("eth_getTransactionReceipt")) {
      await new Promise((soon) => setImmediate(soon));
    }
    const open = await bench.core.db.execute(
      "select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
    );
    bench.node.setBehavior("answer");
    await signing;
    expect([...open]).toEqual([]);
  }, 60_000);
});
