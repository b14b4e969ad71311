import { afterAll, afterEach } from "vitest";
import type { Core } from "@/server/lib/context";
import { defineDueWork } from "@/server/operations/sweep";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { type Receiver, type ReceiverOptions, startReceiver } from "@/server/testing/http/receiver";
import { deliverWebhook } from "@/server/webhooks/functions/deliver-webhook";
import { dispatchEvent } from "@/server/webhooks/functions/dispatch-event";
import { createWebhook } from "@/server/webhooks/manage-webhooks";
import { dueDeliveries } from "@/server/webhooks/work";
import { createTestEngine } from "./engine";

/** Starts an engine that delivers webhooks, on a new database, until the end of the file. */
export async function startDeliveries() {
  const database = await createTestDatabase();
  const core = createTestCore(database);
  const engine = createTestEngine(database.url, [
    defineDueWork<{ core: Core }>([dueDeliveries]),
    dispatchEvent,
    deliverWebhook,
  ]);
  const { publish } = engine;
  await engine.start({ core: { ...core, publish } });
  const receivers: Receiver[] = [];
  afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));
  afterAll(async () => {
    await engine.stop();
    await database.close();
  });

  /** Creates a webhook of the agent, with a receiver that is closed after the test. */
  async function createHook(agent: TestAgent, options: ReceiverOptions = {}) {
    const receiver = await startReceiver(options);
    receivers.push(receiver);
    const { webhookId } = await createWebhook(core, agent, {
      url: receiver.url,
      events: ["score.updated"],
    });
    return { receiver, webhookId };
  }

  return { core, engine, createHook };
}
