import { randomUUID } from "node:crypto";
import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type Caller, lockAgent } from "@/server/agents/authenticate";
import { keepNothing } from "@/server/agents/idempotency";
import type { Core, Transaction } from "@/server/lib/context";
import { databaseNow } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import { createDueEvent } from "./events";
import { addAttempts, type DeliveryRow, getOwnWebhook, whereDelivery } from "./queries";
import type { Delivery, Replay } from "./schema";
import { buildPayload } from "./signature";
import { webhookDeliveries } from "./tables";

type DeliveryCore = Pick<Core, "db" | "publish">;

/**
 * Sends the webhook a `ping` event, delivered like any other, whether subscribed or not. Returns
 * the delivery before its first attempt. Throws as `storeRuns` does.
 */
export async function ping(
  core: DeliveryCore,
  agent: Caller,
  webhookId: string,
  keep = keepNothing,
): Promise<Delivery> {
  const key = `ping:${randomUUID()}`;
  const { id, body } = buildPayload({ key, event: "ping", at: new Date(), data: { webhookId } });
  const values = { webhookId, eventId: id, event: "ping", payload: body };
  return storeRuns(core, agent, webhookId, async (tx) => {
    const rows = await tx
      .insert(webhookDeliveries)
      .values({ ...values, nextAttemptAt: databaseNow })
      .returning();
    return { rows, response: await keep(tx, await toDelivery(tx, rows)) };
  });
}

/**
 * Starts a new run of a delivery, at once and with new attempts: the same payload under the same
 * id. Ends a run in progress. Throws as `storeRuns` does.
 */
export async function redeliver(
  core: DeliveryCore,
  agent: Caller,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
  keep = keepNothing,
): Promise<Delivery> {
  const where = and(whereDelivery({ webhookId }), eq(webhookDeliveries.id, deliveryId));
  return storeRuns(core, agent, webhookId, async (tx) => {
    const rows = await startRuns(tx, where);
    return { rows, response: await keep(tx, await toDelivery(tx, rows)) };
  });
}

/** Deliveries that one call replays. */
const REPLAY_BATCH = 1_000;

/**
 * Starts a new run of the failed deliveries that were created at `since` or later, the oldest
 * first. Throws as `storeRuns` does.
 */
export async function replayFailed(
  core: DeliveryCore,
  agent: Caller,
  { webhookId, since }: { webhookId: string; since: string },
  keep = keepNothing,
): Promise<Replay> {
  const whereFailed = whereDelivery({ webhookId, since, status: "failed" });
  return storeRuns(core, agent, webhookId, async (tx) => {
    const oldest = tx
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(whereFailed)
      .orderBy(asc(webhookDeliveries.createdAt), asc(webhookDeliveries.id))
      .limit(REPLAY_BATCH);
    // The state is checked again, so that concurrent calls start one run of each.
    const rows = await startRuns(tx, and(inArray(webhookDeliveries.id, oldest), whereFailed));
    const remaining = await tx.$count(webhookDeliveries, whereFailed);
    return { rows, response: await keep(tx, { replayed: rows.length, remaining }) };
  });
}

function startRuns(tx: Transaction, where: SQL | undefined): Promise<DeliveryRow[]> {
  return tx
    .update(webhookDeliveries)
    .set({
      run: sql`${webhookDeliveries.run} + 1`,
      status: "pending",
      failure: null,
      nextAttemptAt: databaseNow,
      claimedUntil: null,
    })
    .where(where)
    .returning();
}

/**
 * Stores pending runs of deliveries and publishes them as due, in one transaction. Returns the
 * response. Throws `not-found`, `conflict` for a disabled webhook, and the errors of `lockAgent`.
 */
function storeRuns<T>(
  { db, publish }: DeliveryCore,
  agent: Caller,
  webhookId: string,
  store: (tx: Transaction) => Promise<{ rows: DeliveryRow[]; response: T }>,
): Promise<T> {
  return db.transaction(async (tx) => {
    await lockAgent(tx, agent);
    const webhook = await getOwnWebhook(tx, agent.id, webhookId);
    if (webhook.status === "disabled") {
      throw new AppError("conflict", "The webhook is disabled. Set its status to active first.");
    }
    const { rows, response } = await store(tx);
    await publish(
      tx,
      rows.map((row) => createDueEvent(row)),
    );
    return response;
  });
}

async function toDelivery(tx: Transaction, rows: DeliveryRow[]): Promise<Delivery> {
  const [delivery] = await addAttempts(tx, rows);
  if (!delivery) throw new AppError("not-found", "This webhook has no delivery with this id.");
  return delivery;
}
