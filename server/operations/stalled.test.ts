import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { takeovers } from "@/server/agents/tables";
import { chainTransactions } from "@/server/chain/tables";
import { disputes, payouts } from "@/server/disputes/tables";
import { escrowJobs } from "@/server/escrows/tables";
import { sha256 } from "@/server/lib/hash";
import { HOUR_MS, MINUTE_MS } from "@/server/lib/time";
import { outcomes, refunds } from "@/server/outcomes/tables";
import { anchors, reputations } from "@/server/reputation/tables";
import { advanceEscrows } from "@/server/settlement/advance-escrows";
import { signPending } from "@/server/settlement/sign-pending";
import { createFundedJob } from "@/server/testing/chain/escrow";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { openDispute, recordAll } from "@/server/testing/fixtures/dispute";
import { createDeal, insertDelivery } from "@/server/testing/fixtures/escrow-deal";
import { insertJudgedOutcome, insertPendingOutcome } from "@/server/testing/fixtures/outcome";
import { createRefundableOutcome } from "@/server/testing/fixtures/resolved-outcomes";
import { createWallet } from "@/server/testing/fixtures/sample-ledger";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { storeScore } from "@/server/testing/model/explorer-model";
import { webhookDeliveries, webhooks } from "@/server/webhooks/tables";
import { readStalled } from "./stalled";

const bench = await shareSettlementFixture();
let agent: TestAgent;
beforeEach(async () => {
  agent = await createTestAgent(bench.core);
});

const twoHoursAgo = () => new Date(Date.now() - 2 * HOUR_MS);

/** Returns the pending work by kind. */
async function readPending(now = new Date()) {
  const all = await readStalled(bench.core.db, now);
  return Object.fromEntries(
    all.flatMap(({ kind, waiting, stalled, ids }) =>
      waiting > 0 ? [[kind, { waiting, stalled, ids }]] : [],
    ),
  ) as Partial<Record<string, { waiting: number; stalled: number; ids: string[] }>>;
}

test("counts nothing if nothing is pending", async () => {
  expect(await readPending()).toEqual({});
});

test("new work is pending and later stalled, oldest first", async () => {
  const old = await insertPendingOutcome(bench.core, agent, { submittedAt: twoHoursAgo() });
  const fresh = await insertPendingOutcome(bench.core, agent);
  expect(await readPending()).toEqual({ outcomes: { waiting: 2, stalled: 1, ids: [old.id] } });
  expect((await readPending(new Date(Date.now() + HOUR_MS))).outcomes?.ids).toEqual([
    old.id,
    fresh.id,
  ]);
  const [first] = await readStalled(bench.core.db, new Date());
  expect(first?.oldestSeconds).toBeGreaterThanOrEqual(7_200);
});

test("counts unsigned records of every kind until they are signed", async () => {
  const outcome = await insertJudgedOutcome(bench.core, agent, { judgedAt: twoHoursAgo() });
  const [anchor] = await bench.core.db
    .insert(anchors)
    .values({ wallet: agent.wallet, from: twoHoursAgo(), createdAt: twoHoursAgo() })
    .returning();
  const [takeover] = await bench.core.db
    .insert(takeovers)
    .values({ wallet: agent.wallet, at: twoHoursAgo() })
    .returning();
  expect((await readPending()).records).toMatchObject({ waiting: 3, stalled: 3 });
  expect((await readPending()).records?.ids.sort()).toEqual(
    [outcome.id, anchor?.id, takeover?.id].sort(),
  );
  await signPending(bench.core, bench.sender, new Date());
  const later = await readPending(new Date(Date.now() + HOUR_MS));
  expect(later.records).toBeUndefined();
  expect(later).toMatchObject({ transactions: { stalled: 2 }, settlements: { stalled: 2 } });
});

test("counts a verdict that waits for its escrow, as stalled after an hour", async () => {
  const deal = await createDeal(bench);
  const { id } = await insertDelivery(bench, deal);
  expect(await readPending()).toEqual({ escrows: { waiting: 1, stalled: 0, ids: [] } });
  await createFundedJob({ chain: bench.core.chain, node: bench.control }, deal.job);
  await advanceEscrows(bench.core, bench.sender);
  const deliverableHash = `0x${"0".repeat(64)}`;
  await bench.core.db.update(escrowJobs).set({ deliverableHash });
  await bench.core.db.update(outcomes).set({ judgedAt: twoHoursAgo() });
  expect(await readPending()).toEqual({ escrows: { waiting: 1, stalled: 1, ids: [id] } });
});

test("counts a refund until it is recorded", async () => {
  const { outcome } = await createRefundableOutcome(bench);
  const [refund] = await bench.core.db
    .insert(refunds)
    .values({
      outcomeId: outcome.id,
      transferId: outcome.paymentTransferId,
      txHash: outcome.paymentTxHash ?? "",
      amountMicro: outcome.paidMicro,
      acceptedAt: twoHoursAgo(),
    })
    .returning();
  expect((await readPending()).records).toEqual({ waiting: 1, stalled: 1, ids: [refund?.id] });
  await recordAll(bench);
  expect((await readPending()).records).toBeUndefined();
});

test("counts the oldest day with scores that the daily refresh has not reached", async () => {
  const { db } = bench.core;
  const midnight = new Date("2027-03-02T00:00:00Z");
  const later = (minutes: number) => new Date(midnight.getTime() + minutes * MINUTE_MS);
  await storeScore(db, agent.wallet, { scoreE4: 500_000, totalOutcomes: 1 });
  await storeScore(db, createWallet(2), { scoreE4: 500_000, totalOutcomes: 1 });
  await db.update(reputations).set({ scoreDay: "2027-03-01" });
  await db
    .update(reputations)
    .set({ scoreDay: "2027-03-02" })
    .where(eq(reputations.wallet, agent.wallet));
  expect((await readPending(later(-1))).scores).toBeUndefined();
  expect((await readPending(later(1))).scores).toEqual({ waiting: 1, stalled: 0, ids: [] });
  const stalled = { waiting: 1, stalled: 1, ids: ["2027-03-01"] };
  expect((await readPending(later(90))).scores).toEqual(stalled);
  await db.update(reputations).set({ scoreDay: "2027-03-02" });
  expect((await readPending(later(90))).scores).toBeUndefined();
  await db.delete(reputations);
});

test("counts an overdue dispute, its stake and a payout", async () => {
  const { dispute } = await openDispute(bench);
  const { db } = bench.core;
  await db.update(disputes).set({ expiresAt: twoHoursAgo() });
  const [transfer] = await db.execute<{ id: string }>(sql`select id from used_transfers`);
  await db.insert(payouts).values({
    purpose: "unattached-stake",
    transferId: transfer?.id ?? "",
    to: agent.wallet,
    amountMicro: 500_000n,
    createdAt: twoHoursAgo(),
  });
  await db.execute(sql`update used_transfers set used_at = now() - interval '2 hours'`);
  expect(await readPending()).toMatchObject({
    disputes: { waiting: 1, stalled: 1, ids: [dispute.id] },
    stakes: { waiting: 1, stalled: 1 },
    payouts: { waiting: 1, stalled: 1 },
  });
  const [transaction] = await db.select().from(chainTransactions);
  await db.update(chainTransactions).set({ status: "confirmed" });
  await db.update(payouts).set({ status: "paid", transactionId: transaction?.id ?? null });
  // A transaction that is only confirmed can still be reverted by a reorg.
  expect((await readPending()).payouts).toMatchObject({ stalled: 1 });
  await db.update(chainTransactions).set({ status: "final" });
  expect((await readPending()).payouts).toBeUndefined();
});

test("counts unattempted deliveries and disabled webhooks, but no attempt in progress", async () => {
  const { db } = bench.core;
  const [webhook] = await db
    .insert(webhooks)
    .values({
      agentId: agent.id,
      url: "https://example.com",
      events: [],
      sealedSecret: Buffer.alloc(1),
      status: "disabled",
    })
    .returning();
  const delivery = {
    webhookId: webhook?.id ?? "",
    event: "outcome.resolved",
    payload: "{}",
    nextAttemptAt: twoHoursAgo(),
  };
  const [lost] = await db
    .insert(webhookDeliveries)
    .values({ ...delivery, eventId: "lost" })
    .returning();
  await db
    .insert(webhookDeliveries)
    .values({ ...delivery, eventId: "tried", claimedUntil: new Date(Date.now() + HOUR_MS) });
  expect(await readPending()).toMatchObject({
    deliveries: { waiting: 1, stalled: 1, ids: [lost?.id] },
    webhooks: { waiting: 1, stalled: 1, ids: [webhook?.id] },
  });
});

test("counts failed runs and overdue jobs", async () => {
  const { db } = bench.core;
  const id = randomUUID();
  await db.execute(sql`
    insert into engine_runs (id, function_id, status, event_id, finished_at)
    values (${id}, ${sha256(id)}, 'failed', 'none', now())`);
  await db.execute(sql`
    with run as (
      insert into engine_runs (function_id, status, event_id) values ('x', 'active', 'none')
      returning id
    )
    insert into engine_jobs (run_id, function_id, state, due_at)
    select id, 'x', 'ready', now() - interval '1 hour' from run`);
  expect(await readPending(new Date(Date.now() + 1_000))).toMatchObject({
    runs: { waiting: 1, stalled: 1, ids: [id] },
    jobs: { waiting: 1, stalled: 1 },
  });
});
