import { and, asc, desc, eq, getTableColumns, gte, inArray, notLike, sql } from "drizzle-orm";
import type { Sql } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { createPage } from "@/server/lib/schema";
import type { DeliveriesInput, Delivery, DeliveryPage, Webhook, WebhookEvent } from "./schema";
import { webhookAttempts, webhookDeliveries, webhooks } from "./tables";

type WebhookRow = typeof webhooks.$inferSelect;
type DeliveryFilter = Omit<DeliveriesInput, "page" | "size">;
export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

export function toWebhook(row: WebhookRow): Webhook {
  return {
    webhookId: row.id,
    url: row.url,
    events: row.events as WebhookEvent[],
    status: row.status,
    disabledReason: row.disabledReason,
    retrySchedule: row.retrySchedule,
    previousSecretExpiresAt: row.previousSecretExpiresAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** Start of the URL of a webhook whose deliveries are e-mails (`server/alerts`). */
export const MAILTO = "mailto:";

/** Returns the SQL condition for the webhooks that an agent manages itself. */
export const whereOwnWebhooks = (agentId: string) =>
  and(eq(webhooks.agentId, agentId), notLike(webhooks.url, `${MAILTO}%`));

/** Returns an agent's webhooks, oldest first. */
export async function listWebhooks(db: Sql, agentId: string): Promise<Webhook[]> {
  const rows = await db
    .select()
    .from(webhooks)
    .where(whereOwnWebhooks(agentId))
    .orderBy(asc(webhooks.createdAt), asc(webhooks.id));
  return rows.map(toWebhook);
}

/**
 * Returns the agent's webhook. Throws the same `not-found` for an unknown one and another agent's.
 */
export async function getOwnWebhook(
  db: Sql,
  agentId: string,
  webhookId: string,
): Promise<WebhookRow> {
  const [row] = await db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.id, webhookId), whereOwnWebhooks(agentId)));
  if (!row) throw createWebhookNotFoundError();
  return row;
}

export function createWebhookNotFoundError(): AppError {
  return new AppError("not-found", "This agent has no webhook with this id.");
}

/** Returns the SQL condition for the deliveries of a webhook that a filter selects. */
export const whereDelivery = ({ webhookId, status, event, since }: DeliveryFilter) =>
  and(
    eq(webhookDeliveries.webhookId, webhookId),
    status && eq(webhookDeliveries.status, status),
    event && eq(webhookDeliveries.event, event),
    since ? gte(webhookDeliveries.createdAt, new Date(since)) : undefined,
  );

/** Returns deliveries of a webhook with their attempts, newest first. */
export async function listDeliveries(
  db: Sql,
  { page, size, ...filter }: DeliveryFilter & { page: number; size: number },
): Promise<DeliveryPage> {
  const where = whereDelivery(filter);
  const total = await db.$count(webhookDeliveries, where);
  const rows = await db
    .select()
    .from(webhookDeliveries)
    .where(where)
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
    .limit(size)
    .offset(page * size);
  return createPage(await addAttempts(db, rows), total, { page, size });
}

const ATTEMPTS_SHOWN = 20;

/** Returns the deliveries as their owner sees them, in the given order. */
export async function addAttempts(db: Sql, rows: DeliveryRow[]): Promise<Delivery[]> {
  if (rows.length === 0) return [];
  const newestFirst = sql`row_number() over (
    partition by ${webhookAttempts.deliveryId}
    order by ${webhookAttempts.run} desc, ${webhookAttempts.attempt} desc)`;
  const ranked = db
    .select({ ...getTableColumns(webhookAttempts), rank: newestFirst.as("rank") })
    .from(webhookAttempts)
    .where(
      inArray(
        webhookAttempts.deliveryId,
        rows.map(({ id }) => id),
      ),
    )
    .as("ranked");
  const attempts = await db
    .select()
    .from(ranked)
    .where(sql`${ranked.rank} <= ${ATTEMPTS_SHOWN}`)
    .orderBy(asc(ranked.run), asc(ranked.attempt));
  return rows.map((row) => ({
    deliveryId: row.id,
    eventId: row.eventId,
    event: row.event,
    status: row.status,
    failure: row.failure,
    createdAt: row.createdAt.toISOString(),
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    attempts: attempts
      .filter(({ deliveryId }) => deliveryId === row.id)
      .map(({ run, attempt, at, status, latencyMs, error }) => ({
        run,
        attempt,
        at: at.toISOString(),
        status,
        latencyMs,
        error,
      })),
  }));
}
