import { randomUUID } from "node:crypto";
import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type Caller, lockAgent } from "@/server/agents/authenticate";
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
): Promise<Delivery> {
  const key = `ping:${randomUUID()}`;
  const { id, body } = buildPayload({ key, event: "ping", at: new Date(), data: { webhookId } });
  const rows = await storeRuns(core, agent, webhookId, (tx) =>
    tx
      .insert(webhookDeliveries)
      .values({ webhookId, eventId: id, event: "ping", payload: body, nextAttemptAt: databaseNow })
      .returning(),
  );
  return toDelivery(core, rows);
}

/**
 * Starts a new run of a delivery, at once and with new attempts: the same payload under the same
 * id. Ends a run in progress. Throws as `storeRuns` does.
 */
export async function redeliver(
  core: DeliveryCore,
  agent: Caller,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
): Promise<Delivery> {
  const where = and(whereDelivery({ webhookId }), eq(webhookDeliveries.id, deliveryId));
  return toDelivery(core, await storeRuns(core, agent, webhookId, (tx) => startRuns(tx, where)));
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
): Promise<Replay> {
  const whereFailed = whereDelivery({ webhookId, since, status: "failed" });
  const replayed = await storeRuns(core, agent, webhookId, (tx) => {
    const oldest = tx
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(whereFailed)
      .orderBy(asc(webhookDeliveries.createdAt), asc(webhookDeliveries.id))
      .limit(REPLAY_BATCH);
    // The state is checked again, so that concurrent calls start one run of each.
    return startRuns(tx, and(inArray(webhookDeliveries.id, oldest), whereFailed));
  });
  const remaining = await core.db.$count(webhookDeliveries, whereFailed);
  return { replayed: replayed.length, remaining };
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
 * Stores pending runs of deliveries and publishes them as due, in one transaction. Throws
 * `not-found`, `conflict` for a disabled webhook, and the errors of `lockAgent`.
 */
function storeRuns(
  { db, publish }: DeliveryCore,
  agent: Caller,
  webhookId: string,
  store: (tx: Transaction) => Promise<DeliveryRow[]>,
): Promise<DeliveryRow[]> {
  return db.transaction(async (tx) => {
    await lockAgent(tx, agent);
    const webhook = await getOwnWebhook(tx, agent.id, webhookId);
    if (webhook.status === "disabled") {
      throw new AppError("conflict", "The webhook is disabled. Set its status to active first.");
    }
    const rows = await store(tx);
    await publish(
      tx,
      rows.map((row) => createDueEvent(row)),
    );
    return rows;
  });
}

async function toDelivery({ db }: DeliveryCore, rows: DeliveryRow[]): Promise<Delivery> {
  const [delivery] = await addAttempts(db, rows);
  if (!delivery) throw new AppError("not-found", "This webhook has no delivery with this id.");
  return delivery;
}
