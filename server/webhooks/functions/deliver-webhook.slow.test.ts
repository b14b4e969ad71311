import { eq, isNotNull } from "drizzle-orm";
import { expect, it } from "vitest";
import { startDeliveries } from "@/server/testing/engine/deliveries";
import { waitFor } from "@/server/testing/engine/engine";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { ping } from "@/server/webhooks/request-delivery";
import { webhookAttempts, webhookDeliveries } from "@/server/webhooks/tables";

const { core, engine, createHook } = await startDeliveries();

const sendPing = (agent: TestAgent, webhookId: string) =>
  ping({ db: core.db, publish: engine.publish }, agent, webhookId);

const readDelivery = async (id: string) =>
  (await core.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id)))[0];

it("more silent receivers than workers delay no other delivery", { timeout: 60_000 }, async () => {
  const silent = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const agent = await createTestAgent(core);
      const { receiver, webhookId } = await createHook(agent, { answer: () => () => {} });
      for (let n = 0; n < 4; n += 1) await sendPing(agent, webhookId);
      return receiver;
    }),
  );
  await Promise.all(silent.map((receiver) => receiver.waitFor(4)));
  const agent = await createTestAgent(core);
  const fine = await createHook(agent);
  const { deliveryId } = await sendPing(agent, fine.webhookId);
  await waitFor(async () => (await readDelivery(deliveryId))?.status === "delivered");

  const timeOuts = () =>
    core.db.select().from(webhookAttempts).where(eq(webhookAttempts.error, "timeout"));
  expect(await timeOuts()).toEqual([]);

  const ended = await waitFor(async () => {
    const rows = await timeOuts();
    return rows.length === 40 && rows;
  });
  expect(ended.every(({ attempt, status }) => attempt === 1 && status === null)).toBe(true);
  // Their runs resume at the stored time, each with its second attempt.
  const waiting = await core.db
    .select()
    .from(webhookDeliveries)
    .where(isNotNull(webhookDeliveries.nextAttemptAt));
  expect(waiting.length).toBeGreaterThanOrEqual(40);
});
