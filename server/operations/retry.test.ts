import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { disputes, payouts } from "@/server/disputes/tables";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { openDispute } from "@/server/testing/fixtures/dispute";
import { insertJudgedOutcome, insertPendingOutcome } from "@/server/testing/fixtures/outcome";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { webhookDeliveries, webhooks } from "@/server/webhooks/tables";
import { retryStalled } from "./retry";

const bench = await shareSettlementFixture();
let agent: TestAgent;
beforeEach(async () => {
  agent = await createTestAgent(bench.core);
});

const retry = (kind: string, id?: string) =>
  retryStalled(bench.core, { kind, id, now: new Date(Date.now() + 1_000) });
const announced = () => bench.core.published.map(({ name, data }) => ({ name, data }));

test("requeues all pending outcomes or one", async () => {
  const [one, other] = [
    await insertPendingOutcome(bench.core, agent),
    await insertPendingOutcome(bench.core, agent),
  ];
  expect(await retry("outcomes", one.id)).toBe("1 requeued");
  expect(announced()).toEqual([
    { name: "outcome/submitted", data: { outcomeId: one.id, client: null } },
  ]);
  bench.core.published.length = 0;
  expect(await retry("outcomes")).toBe("2 requeued");
  expect(
    announced()
      .map(({ data }) => data.outcomeId)
      .sort(),
  ).toEqual([one.id, other.id].sort());
  expect(await retry("outcomes", randomUUID())).toBeNull();
});

test("requeues all pending chain work at once", async () => {
  expect(await retry("records")).toBeNull();
  expect(announced()).toEqual([]);
  await insertJudgedOutcome(bench.core, agent);
  expect(await retry("records")).toBe("1 waiting; one run now does all of it");
  expect(announced()).toEqual([{ name: "work/due", data: { work: "records", isAsked: true } }]);
  await expect(retry("records", randomUUID())).rejects.toThrow("omit the id");
});

test("requeues a dispute and a payout by their own events", async () => {
  const { dispute } = await openDispute(bench);
  bench.core.published.length = 0;
  await bench.core.db.update(disputes).set({ expiresAt: new Date(0) });
  expect(await retry("disputes", dispute.id)).toBe("1 requeued");
  const [transfer] = await bench.core.db.execute<{ id: string }>(
    sql`select id from used_transfers`,
  );
  const [payout] = await bench.core.db
    .insert(payouts)
    .values({
      purpose: "unattached-stake",
      transferId: transfer?.id ?? "",
      to: agent.wallet,
      amountMicro: 500_000n,
    })
    .returning();
  expect(await retry("payouts", payout?.id)).toBe("1 requeued");
  expect(announced()).toEqual([
    { name: "dispute/review-due", data: { disputeId: dispute.id } },
    { name: "dispute/payout-due", data: { payoutId: payout?.id } },
  ]);
});

test("requeues a delivery that waits for its next attempt", async () => {
  const [webhook] = await bench.core.db
    .insert(webhooks)
    .values({
      agentId: agent.id,
      url: "https://example.com",
      events: [],
      sealedSecret: Buffer.alloc(1),
    })
    .returning();
  const [delivery] = await bench.core.db
    .insert(webhookDeliveries)
    .values({
      webhookId: webhook?.id ?? "",
      eventId: "e",
      event: "outcome.resolved",
      payload: "{}",
      nextAttemptAt: new Date(),
    })
    .returning();
  expect(await retry("deliveries")).toBe("1 requeued");
  expect(announced()).toMatchObject([
    { name: "webhook/delivery-due", data: { deliveryId: delivery?.id, run: 1 } },
  ]);
});

test("refuses a kind that an operator cannot retry, and one that does not exist", async () => {
  await expect(retry("webhooks")).rejects.toThrow(/owners replace them\.$/);
  await expect(retry("nothing")).rejects.toThrow("not a kind of work");
});
