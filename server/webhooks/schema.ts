import { z } from "zod";
import { announcedAgreement } from "@/server/agreements/schema";
import { disputeSchema } from "@/server/disputes/schema";
import { declinedJob } from "@/server/escrows/schema";
import {
  createPageSchema,
  httpUrlSchema,
  idSchema,
  pageInputShape,
  timestampSchema,
} from "@/server/lib/schema";
import { walletOutputSchema } from "@/server/lib/wallet";
import { publicOutcome } from "@/server/outcomes/schema";
import { reputation } from "@/server/reputation/schema";

/** Data that a resolved outcome and a resolved dispute add. */
const scoreImpactShape = {
  agentAddress: walletOutputSchema.meta({ description: "The contractor, whose score changes" }),
  scoreImpact: z.number().meta({ description: "The contractor's score after minus before" }),
};

/** The events that a webhook can subscribe to; `announce.ts` defines the trigger of each. */
const EVENTS = {
  "outcome.resolved": {
    label: "Outcome resolved",
    summary: "An outcome to which the agent is a party was judged.",
    data: publicOutcome.extend(scoreImpactShape).meta({ id: "OutcomeResolvedData" }),
  },
  "score.updated": {
    label: "Score changed",
    summary:
      "The agent's own score changed: by a record, or by days alone if its tier changed or it moved by 0.5 or more since the last event.",
    data: reputation
      .extend({
        previousScore: z.number().meta({ description: "The last announced score" }),
        version: z.int().meta({
          description:
            "Rises with every change of this wallet's score, because deliveries may be unordered",
        }),
      })
      .meta({ id: "ScoreUpdatedData" }),
  },
  "dispute.opened": {
    label: "Dispute opened",
    summary: "The verdict of an outcome to which the agent is a party was disputed.",
    data: disputeSchema,
  },
  "dispute.resolved": {
    label: "Dispute resolved",
    summary: "A dispute over an outcome to which the agent is a party was decided.",
    data: disputeSchema.extend(scoreImpactShape).meta({ id: "DisputeResolvedData" }),
  },
  "agreement.proposed": {
    label: "Agreement proposed",
    summary: "Terms to which the agent is a party were signed by one of the two.",
    data: announcedAgreement,
  },
  "agreement.agreed": {
    label: "Agreement accepted",
    summary: "Both parties have signed the terms.",
    data: announcedAgreement,
  },
  "agreement.paid": {
    label: "Agreement paid",
    summary:
      "The upfront payment of the terms, or the funding of their escrow, was found on the chain.",
    data: announcedAgreement,
  },
  "agreement.ended": {
    label: "Agreement ended",
    summary:
      "It was delivered, reported as not delivered, declined, cancelled, refunded, not accepted or paid in time, or not reported.",
    data: announcedAgreement,
  },
  "evaluator.declined": {
    label: "Escrow declined",
    summary:
      "A job of an escrow to which the agent is a party names this service as its evaluator, which will not decide it.",
    data: declinedJob,
  },
};
export type WebhookEvent = keyof typeof EVENTS;
export type WebhookEventData<W extends WebhookEvent> = z.infer<(typeof EVENTS)[W]["data"]>;

const EVENT_NAMES = Object.keys(EVENTS) as [WebhookEvent, ...WebhookEvent[]];
export const webhookEventSchema = z.enum(EVENT_NAMES).meta({
  id: "WebhookEvent",
  description: EVENT_NAMES.map((event) => `${event}: ${EVENTS[event].summary}`).join(" "),
});

/** Labels of the events on pages. */
export const EVENT_LABELS = Object.fromEntries(
  EVENT_NAMES.map((event) => [event, EVENTS[event].label]),
) as Record<WebhookEvent, string>;

export const MAX_WEBHOOKS = 10;

/** Delays between the attempts of a delivery, in seconds, each counted from the failure before. */
export const RETRY_SECONDS = {
  standard: [30, 120, 600],
  day: [30, 120, 600, 3_600, 7_200, 10_800, 18_000, 21_600, 25_200],
};
export type RetrySchedule = keyof typeof RETRY_SECONDS;

const retrySchedule = z.enum(["standard", "day"]).meta({
  id: "RetrySchedule",
  description:
    "When a failed delivery is retried. standard: after 30 seconds, 2 minutes and 10 minutes; day: six more times, over 24 hours.",
});

export const createWebhookInput = z.strictObject({
  url: httpUrlSchema.meta({
    description: "Callback URL. Must lead to a public address; checked again at every delivery.",
  }),
  events: z
    .array(webhookEventSchema)
    .min(1)
    .max(EVENT_NAMES.length)
    .refine((events) => new Set(events).size === events.length, "must be distinct")
    .meta({ description: "Events to deliver, each once", uniqueItems: true }),
  retrySchedule: retrySchedule.optional(),
});

export type CreateWebhook = z.infer<typeof createWebhookInput>;

export const webhookInput = z.strictObject({ webhookId: idSchema });
export const updateWebhookInput = z.strictObject({
  webhookId: idSchema,
  ...createWebhookInput.partial().shape,
  status: z
    .literal("active")
    .optional()
    .meta({ description: "Enables a disabled webhook for events from now on" }),
});
export type UpdateWebhook = Omit<z.infer<typeof updateWebhookInput>, "webhookId">;

const deliveryStatus = z.enum(["pending", "delivered", "failed"]).meta({
  description: "pending: attempts are left; delivered: an attempt got a 2xx; failed: given up.",
});
const since = timestampSchema.meta({
  description: "Only deliveries created at this time or later",
});

export const deliveriesInput = z.strictObject({
  webhookId: idSchema,
  ...pageInputShape,
  status: deliveryStatus.optional().meta({ description: "Only deliveries in this state" }),
  event: z
    .enum([...EVENT_NAMES, "ping"])
    .optional()
    .meta({ description: "Only deliveries of this event" }),
  since: since.optional().meta(since.meta() ?? {}),
});
export type DeliveriesInput = z.infer<typeof deliveriesInput>;
export const replayInput = z.strictObject({ webhookId: idSchema, since });
export const replay = z
  .strictObject({
    replayed: z.int().min(0).meta({ description: "Deliveries that are sent again, 1,000 at most" }),
    remaining: z.int().min(0).meta({
      description: "Failed deliveries since then that are left: call again for the next ones",
    }),
  })
  .meta({ id: "WebhookReplay" });
export type Replay = z.infer<typeof replay>;
export const redeliverInput = z.strictObject({ webhookId: idSchema, deliveryId: idSchema });

const callbackUrl = z.string().meta({ description: "URL that deliveries are sent to" });
const subscribedEvents = z
  .array(webhookEventSchema)
  .meta({ description: "Events that are delivered" });

const disabledReason = z.enum(["gone", "failing"]).meta({
  description:
    "gone: the endpoint responded with 410; failing: every delivery failed for five days.",
});
export type WebhookDisabledReason = z.infer<typeof disabledReason>;

export const webhook = z
  .strictObject({
    webhookId: idSchema,
    url: callbackUrl,
    events: subscribedEvents,
    status: z
      .enum(["active", "disabled"])
      .meta({ description: "A disabled webhook gets no deliveries" }),
    disabledReason: disabledReason.nullable().meta({
      description: `${disabledReason.description} Null while it is active.`,
    }),
    retrySchedule,
    previousSecretExpiresAt: timestampSchema.nullable().meta({
      description:
        "Until then the secret before the last rotation signs as well; null if it does not",
    }),
    createdAt: timestampSchema,
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof webhook>;

export const createdWebhook = webhook
  .extend({
    secret: z.string().meta({
      description:
        "Signs deliveries: `whsec_` and the base64 of 32 bytes. Shown only once. X-Service-Signature is keyed with this whole string, webhook-signature with the decoded bytes.",
    }),
  })
  .meta({ id: "CreatedWebhook" });
export type CreatedWebhook = z.infer<typeof createdWebhook>;

const deliveryAttempt = z
  .strictObject({
    run: z.int().min(1).meta({ description: "1, and one more for each redelivery" }),
    attempt: z.int().min(1).meta({ description: "Counted from 1 within its run" }),
    at: timestampSchema,
    status: z.int().nullable().meta({ description: "HTTP status; null if there was no response" }),
    latencyMs: z.int().min(0).meta({ description: "Duration in milliseconds" }),
    error: z.string().nullable().meta({
      description:
        "Class of the failure: status, redirect, timeout, connection, dns, tls, refused-address, invalid-url, too-large. Null for a success.",
    }),
  })
  .meta({ id: "WebhookAttempt" });

const deliveryFailure = z.enum(["attempts-used-up", "gone", "webhook-disabled"]).meta({
  description:
    "attempts-used-up: every attempt failed; gone: the endpoint responded with 410; webhook-disabled: the webhook was disabled before this delivery succeeded.",
});
export type DeliveryFailure = z.infer<typeof deliveryFailure>;

export const delivery = z
  .strictObject({
    deliveryId: idSchema,
    eventId: z.string().meta({ description: "The payload's `id`, the same on every attempt" }),
    event: z.string().meta({ description: "A WebhookEvent, or `ping`" }),
    status: deliveryStatus,
    failure: deliveryFailure.nullable().meta({
      description: `${deliveryFailure.description} Null unless it failed.`,
    }),
    createdAt: timestampSchema,
    nextAttemptAt: timestampSchema.nullable().meta({
      description: "When the next attempt is due; null if none is",
    }),
    attempts: z.array(deliveryAttempt).meta({ description: "The newest 20 at most, oldest first" }),
  })
  .meta({ id: "WebhookDelivery" });
export type Delivery = z.infer<typeof delivery>;

/** Newest first. */
export const deliveryPage = createPageSchema(delivery).meta({ id: "WebhookDeliveryPage" });
export type DeliveryPage = z.infer<typeof deliveryPage>;

/** Returns the schema of a delivery's body; `id` is the same for every attempt. */
function createPayloadSchema<T extends z.ZodType>(event: string, data: T) {
  const name = event.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return z
    .strictObject({
      id: idSchema.meta({ description: "UUID of the event, the same on every attempt" }),
      event: z.literal(event).meta({ description: "Name of the event" }),
      timestamp: timestampSchema,
      data: data.meta({ description: "What happened" }),
    })
    .meta({ id: `${name}Payload` });
}

const ping = {
  summary: "The owner tested the webhook.",
  data: z.strictObject({ webhookId: idSchema }),
};

/** The service's outgoing webhook calls, for its OpenAPI document. */
export const webhookPayloads = Object.fromEntries<{ summary: string; payload: z.ZodType }>(
  Object.entries({ ...EVENTS, ping }).map(([event, { summary, data }]) => [
    event,
    { summary, payload: createPayloadSchema(event, data) },
  ]),
) as Record<WebhookEvent | "ping", { summary: string; payload: z.ZodType }>;
