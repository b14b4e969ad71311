import { eq, sql } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { createTestEngine, waitFor } from "@/server/testing/engine/engine";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import { startReceiver } from "@/server/testing/http/receiver";
import { createWebhook } from "@/server/webhooks/manage-webhooks";
import { ping } from "@/server/webhooks/request-delivery";
import { webhookDeliveries, webhooks } from "@/server/webhooks/tables";
import { deliverWebhook } from "./deliver-webhook";

const lines: Record<string, unknown>[] = [];
beforeEach(() => {
  lines.length = 0;
});
const log = pino(
  { level: "debug", base: null },
  { write: (line: string) => void lines.push(JSON.parse(line)) },
);
const INFO = 30;

const database = await createTestDatabase();
const core = createTestCore(database, { log });
const engine = createTestEngine(database.url, [deliverWebhook], { log });
const { publish } = engine;
await engine.start({ core: { ...core, publish } });
afterAll(async () => {
  await engine.stop();
  await database.close();
});

/** Creates a webhook at `url` with a ping in progress. */
async function startPing(url: string, prepare = async (_webhookId: string) => {}) {
  const agent = await createTestAgent(core);
  const { webhookId } = await createWebhook(core, agent, { url, events: ["score.updated"] });
  await prepare(webhookId);
  const { deliveryId } = await ping({ db: core.db, publish: engine.publish }, agent, webhookId);
  return { webhookId, deliveryId };
}

/** Makes the next attempt due now, repeatedly, until the delivery has failed. */
async function exhaustAttempts(deliveryId: string): Promise<void> {
  await waitFor(async () => {
    const [delivery] = await core.db
      .select()
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.id, deliveryId));
    if (delivery?.status === "failed") return true;
    const wait = (delivery?.nextAttemptAt?.getTime() ?? 0) - Date.now();
    if (wait < 1_000) return false;
    // Both are needed: the engine must resume and the stored time must have passed.
    await core.db.execute(sql`
      with due as (
        update engine_jobs j set due_at = now()
        from engine_runs r, engine_events e
        where r.id = j.run_id and e.id = r.event_id and e.data->>'deliveryId' = ${deliveryId}
          and j.state = 'sleeping' and j.due_at > now()
        returning j.run_id
      ), woken as (
        update engine_steps s set wakes_at = now() from due where s.run_id = due.run_id
      )
      update webhook_deliveries set next_attempt_at = now()
      where id = ${deliveryId} and exists (select from due)`);
    return false;
  });
}

describe("a failing receiver logs one line at info per attempt", () => {
  test("when it returns 500", async () => {
    const receiver = await startReceiver({ answer: () => 500 });
    const { webhookId, deliveryId } = await startPing(receiver.url);
    await exhaustAttempts(deliveryId);
    await receiver.close();
    expect(receiver.requests).toHaveLength(4);
    expect(lines).toEqual(
      [1, 2, 3, 4].map((attempt) => ({
        level: INFO,
        time: expect.any(Number),
        webhookId,
        deliveryId,
        run: 1,
        attempt,
        status: 500,
        error: "status",
        latencyMs: expect.any(Number),
        msg: "webhook attempt failed",
      })),
    );
  });

  test.each([
    ["refuses the connection", "http://127.0.0.1:1024/", "connection"],
    ["has an address that is not public", "http://10.0.0.1/", "refused-address"],
  ])("when it %s", async (_, url, error) => {
    const { deliveryId } = await startPing("http://127.0.0.1:1024/", async (webhookId) => {
      await core.db.update(webhooks).set({ url }).where(eq(webhooks.id, webhookId));
    });
    await exhaustAttempts(deliveryId);
    expect(lines).toMatchObject(
      [1, 2, 3, 4].map((attempt) => ({ level: INFO, deliveryId, attempt, status: null, error })),
    );
    expect(JSON.stringify(lines)).not.toContain("stack");
  });
});

test("an internal error is logged with its stack", async () => {
  const { deliveryId } = await startPing("http://127.0.0.1:1024/", async (webhookId) => {
    const sealedSecret = Buffer.alloc(64);
    await core.db.update(webhooks).set({ sealedSecret }).where(eq(webhooks.id, webhookId));
  });
  const line = await waitFor(async () => lines.find(({ msg }) => msg === "run will be retried"));
  expect(line).toMatchObject({
    error: { stack: expect.stringContaining("server/webhooks/deliver.ts") },
  });
  expect(lines.filter(({ msg }) => msg === "webhook attempt failed")).toEqual([]);
  await core.db.delete(webhookDeliveries).where(eq(webhookDeliveries.id, deliveryId));
});
