import { index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { agents } from "@/server/agents/tables";
import { bytes, createdAt, id, timestamptz } from "@/server/db/columns";
import type { DeliveryFailure, RetrySchedule, WebhookDisabledReason } from "./schema";

export const webhooks = pgTable(
  "webhooks",
  {
    id: id(),
    /** The agent that created it. */
    agentId: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    url: text().notNull(),
    events: text().array().notNull(),
    /** `whsec_…`, sealed with SECRET_KEY (`lib/seal.ts`), bound to the webhook's id. */
    sealedSecret: bytes().notNull(),
    /** The secret before the last rotation, which also signs deliveries until `previousSecretExpiresAt`. */
    previousSealedSecret: bytes(),
    previousSecretExpiresAt: timestamptz(),
    retrySchedule: text().$type<RetrySchedule>().notNull().default("standard"),
    status: text().$type<"active" | "disabled">().notNull().default("active"),
    disabledReason: text().$type<WebhookDisabledReason>(),
    /** End of the first of the consecutive failed deliveries; null after a success. */
    failingSince: timestamptz(),
    createdAt: createdAt(),
  },
  (t) => [index().on(t.agentId)],
);

/** One event for one webhook, with the exact payload that every attempt sends. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: id(),
    webhookId: uuid()
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    /** Id of the event; the `id` of the payload and the `webhook-id` header. */
    eventId: text().notNull(),
    event: text().notNull(),
    payload: text().notNull(),
    status: text().$type<"pending" | "delivered" | "failed">().notNull().default("pending"),
    /** Why no further attempt is made; null unless `failed`. */
    failure: text().$type<DeliveryFailure>(),
    /** 1, and one more for each redelivery. Each run has four attempts. */
    run: integer().notNull().default(1),
    /** When the next attempt is due; null unless `pending`. */
    nextAttemptAt: timestamptz(),
    /** An attempt is in progress until it ends or, at the latest, this moment. */
    claimedUntil: timestamptz(),
    createdAt: createdAt(),
  },
  (t) => [
    unique("webhook_deliveries_event").on(t.webhookId, t.eventId),
    index("webhook_deliveries_pending").on(t.status, t.nextAttemptAt),
    index("webhook_deliveries_newest").on(t.webhookId, t.createdAt.desc(), t.id.desc()),
  ],
);

export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    id: id(),
    deliveryId: uuid()
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: "cascade" }),
    run: integer().notNull(),
    /** 1 to 4 within its run. */
    attempt: integer().notNull(),
    at: timestamptz().notNull(),
    /** HTTP status; null if there was no response. */
    status: integer(),
    latencyMs: integer().notNull(),
    /** Class of the failure, e.g. `timeout`, `refused-address`; null for a success. */
    error: text(),
  },
  (t) => [
    // An attempt is logged once, even if its run is repeated.
    unique("webhook_attempts_once").on(t.deliveryId, t.run, t.attempt),
  ],
);
