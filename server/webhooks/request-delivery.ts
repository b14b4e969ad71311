import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { type Caller, lockAgent } from "@/server/agents/authenticate";
import type { Core, Transaction } from "@/server/lib/context";
import { databaseNow } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import { createDueEvent } from "./events";
import { buildPayload } from "./payload";
import { addAttempts, type DeliveryRow, getOwnWebhook } from "./queries";
import type { Delivery } from "./schema";
import { webhookDeliveries } from "./tables";

type DeliveryCore = Pick<Core, "db" | "publish">;

/**
 * Sends the webhook a `ping` event, delivered like any other, whether subscribed or not. Returns
 * the delivery before its first attempt. Throws `not-found`, `conflict` for a disabled webhook, and
 * the errors of `lockAgent`.
 */
export function ping(core: DeliveryCore, agent: Caller, webhookId: string): Promise<Delivery> {
  const key = `ping:${randomUUID()}`;
  const { id, body } = buildPayload({ key, event: "ping", at: new Date(), data: { webhookId } });
  return requestDelivery(core, agent, webhookId, (tx) =>
    tx
      .insert(webhookDeliveries)
      .values({ webhookId, eventId: id, event: "ping", payload: body, nextAttemptAt: databaseNow })
      .returning(),
  );
}

/**
 * Starts a new run of a delivery, at once and with four attempts: the same payload under the same
 * id. Ends a run in progress. Throws `not-found`, `conflict` for a disabled webhook, and the errors
 * of `lockAgent`.
 */
export function redeliver(
  core: DeliveryCore,
  agent: Caller,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
): Promise<Delivery> {
  return requestDelivery(core, agent, webhookId, (tx) =>
    tx
      .update(webhookDeliveries)
      .set({
        run: sql`${webhookDeliveries.run} + 1`,
        status: "pending",
        failure: null,
        nextAttemptAt: databaseNow,
        claimedUntil: null,
      })
      .where(and(eq(webhookDeliveries.id, deliveryId), eq(webhookDeliveries.webhookId, webhookId)))
      .returning(),
  );
}

/** Stores a pending run of a delivery and publishes it as due, in one transaction. */
function requestDelivery(
  { db, publish }: DeliveryCore,
  agent: Caller,
  webhookId: string,
  store: (tx: Transaction) => Promise<DeliveryRow[]>,
): Promise<Delivery> {
  return db.transaction(async (tx) => {
    await lockAgent(tx, agent);
    const webhook = await getOwnWebhook(tx, agent.id, webhookId);
    if (webhook.status === "disabled") {
      throw new AppError("conflict", "The webhook is disabled. Delete it and create it again.");
    }
    const rows = await store(tx);
    await publish(
      tx,
      rows.map((row) => createDueEvent(row)),
    );
    const [delivery] = await addAttempts(tx, rows);
    if (!delivery) throw new AppError("not-found", "This webhook has no delivery with this id.");
    return delivery;
  });
}
