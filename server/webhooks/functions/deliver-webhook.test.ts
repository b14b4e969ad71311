import { eq, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { createPublish } from "@/server/bootstrap/functions";
import { startDeliveries } from "@/server/testing/engine/deliveries";
import { waitFor } from "@/server/testing/engine/engine";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import { createScoreEvent } from "@/server/testing/fixtures/score-event";
import { createDeferredEvent } from "@/server/webhooks/events";
import { webhookAttempts, webhookDeliveries } from "@/server/webhooks/tables";

const { core, engine, createHook } = await startDeliveries();

/** Resolves to the time when the engine resumes a webhook's delivery, at `after` or later. */
const waitForResume = (webhookId: string, after: Date) =>
  waitFor(async () => {
    const [job] = await core.db.execute<{ due: string }>(sql`
      select j.due_at as due from engine_jobs j join engine_runs r on r.id = j.run_id
      join engine_events e on e.id = r.event_id
      where e.data->>'webhookId' = ${webhookId} and j.due_at >= ${after.toISOString()}`);
    return job && new Date(job.due);
  });

it("sends an event to two webhooks as one payload, and retries only the one that failed", {
  timeout: 60_000,
}, async () => {
  const agent = await createTestAgent(core);
  const fine = await createHook(agent);
  const broken = await createHook(agent, { answer: () => 500 });
  const publish = createPublish(engine.publish);
  await core.db.transaction((tx) => publish(tx, [createScoreEvent(agent.wallet)]));
  const [one] = await fine.receiver.waitFor(1);
  const [other] = await broken.receiver.waitFor(1);
  expect(one?.body).toEqual(other?.body);
  expect(one?.headers["webhook-id"]).toBe(other?.headers["webhook-id"]);

  const failed = await waitFor(async () => {
    const [row] = await core.db
      .select()
      .from(webhookDeliveries)
      .innerJoin(webhookAttempts, eq(webhookAttempts.deliveryId, webhookDeliveries.id))
      .where(eq(webhookDeliveries.webhookId, broken.webhookId));
    return row?.webhook_deliveries.nextAttemptAt && row;
  });
  const { at, latencyMs } = failed.webhook_attempts;
  const due = new Date(at.getTime() + latencyMs + 30_000);
  expect(failed.webhook_deliveries.nextAttemptAt).toEqual(due);
  const lateMs = (await waitForResume(broken.webhookId, due)).getTime() - due.getTime();
  expect(lateMs).toBeLessThan(5_000);
  expect(fine.receiver.requests).toHaveLength(1);
});

it("announces deferred events", async () => {
  const agent = await createTestAgent(core);
  const { receiver } = await createHook(agent);
  const deferred = createDeferredEvent(createScoreEvent(agent.wallet, 1));
  await core.db.transaction((tx) => engine.publish(tx, [deferred]));
  const [request] = await receiver.waitFor(1);
  expect(JSON.parse(String(request?.body)).data.version).toBe(1);
});
