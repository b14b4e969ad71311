import { z } from "zod";
import { createIdempotentProcedure, keyedProcedure } from "@/server/agents/procedures";
import { createParser, router } from "@/server/lib/trpc";
import { createWebhook, removeWebhook, rotateSecret, updateWebhook } from "./manage-webhooks";
import { getOwnWebhook, listDeliveries, listWebhooks, toWebhook } from "./queries";
import {
  ping as pingWebhook,
  redeliver as redeliverDelivery,
  replayFailed,
} from "./request-delivery";
import {
  createdWebhook,
  createWebhookInput,
  deliveriesInput,
  delivery,
  deliveryPage,
  redeliverInput,
  replay,
  replayInput,
  updateWebhookInput,
  webhook,
  webhookInput,
} from "./schema";

const EXAMPLE_WEBHOOK = {
  webhookId: "0197a3f2-6d1c-7c21-8f3a-0b6d4e9a7c15",
  url: "https://agent.example/hooks/standing",
  events: ["outcome.resolved" as const, "score.updated" as const],
  status: "active" as const,
  disabledReason: null,
  retrySchedule: "standard" as const,
  previousSecretExpiresAt: null,
  createdAt: "2026-11-21T12:00:00.000Z",
};
const EXAMPLE_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";
const EXAMPLE_PENDING = {
  deliveryId: "0197a3f3-0c48-7b02-9a5e-6f1d2c3b4a59",
  eventId: "6b1f0c3a-92d4-8e57-a1c0-3d5e7f9b2468",
  event: "outcome.resolved",
  status: "pending" as const,
  failure: null,
  createdAt: "2026-11-21T12:05:00.000Z",
  nextAttemptAt: "2026-11-21T12:05:30.412Z",
  attempts: [
    {
      run: 1,
      attempt: 1,
      at: "2026-11-21T12:05:00.080Z",
      status: 503,
      latencyMs: 332,
      error: "status",
    },
  ],
};
const EXAMPLE_PING = {
  ...EXAMPLE_PENDING,
  event: "ping",
  nextAttemptAt: "2026-11-21T12:05:00.000Z",
  attempts: [],
};

/** Creates a procedure that makes the service call a URL on demand. */
const createCallProcedure = (operation: string) =>
  createIdempotentProcedure(operation, "webhook-calls");

const create = createIdempotentProcedure("webhooks.create")
  .meta({
    rest: {
      operationId: "createWebhook",
      method: "POST",
      path: "/webhooks",
      status: 201,
      summary: "Create a webhook",
      description:
        "Calls `url` when one of `events` concerns this agent; an agent can have ten webhooks. Returns the signing secret, which is shown only once. A delivery is a POST of `{ id, event, timestamp, data }`, signed as `X-Service-Signature: sha256=<hex>` (HMAC-SHA256 of the raw body, keyed with the whole secret) and by Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`). Any 2xx within 15 seconds is success, and 410 disables the webhook. Anything else, redirects included, is retried by `retrySchedule`, with the same `id`. Deliveries are at least once and unordered.",
      errors: ["too-many-webhooks", "conflict"],
      example: {
        request: { url: EXAMPLE_WEBHOOK.url, events: EXAMPLE_WEBHOOK.events },
        response: {
          ...EXAMPLE_WEBHOOK,
          secret: EXAMPLE_SECRET,
        },
      },
    },
  })
  .input(createParser(createWebhookInput))
  .output(createdWebhook)
  .mutation(({ ctx, input }) =>
    // With the key's id, because another key of the agent must not read this secret.
    ctx.createOnce({ ...input, keyId: ctx.agent.keyId }, (keep) =>
      createWebhook(ctx, ctx.agent, input, keep),
    ),
  );

const list = keyedProcedure
  .meta({
    rest: {
      operationId: "listWebhooks",
      method: "GET",
      path: "/webhooks",
      summary: "List your webhooks",
      description: "All webhooks of the agent, oldest first, without their secrets.",
      example: { response: [EXAMPLE_WEBHOOK] },
    },
  })
  .output(z.array(webhook))
  .query(({ ctx }) => listWebhooks(ctx.db, ctx.agent.id));

const get = keyedProcedure
  .meta({
    rest: {
      operationId: "getWebhook",
      method: "GET",
      path: "/webhooks/{webhookId}",
      summary: "Read a webhook",
      description: "One webhook of the agent, without its secret.",
      errors: ["not-found"],
      example: { response: EXAMPLE_WEBHOOK },
    },
  })
  .input(createParser(webhookInput))
  .output(webhook)
  .query(async ({ ctx, input }) =>
    toWebhook(await getOwnWebhook(ctx.db, ctx.agent.id, input.webhookId)),
  );

const update = keyedProcedure
  .meta({
    rest: {
      operationId: "updateWebhook",
      method: "PATCH",
      path: "/webhooks/{webhookId}",
      summary: "Change a webhook",
      description:
        "Changes the fields that are sent. Pending deliveries use the new URL and retries. `status: active` enables a disabled webhook again; replay what it missed with `POST /webhooks/{webhookId}/replay`.",
      errors: ["not-found", "conflict"],
      example: {
        request: { retrySchedule: "day" },
        response: { ...EXAMPLE_WEBHOOK, retrySchedule: "day" as const },
      },
    },
  })
  .input(createParser(updateWebhookInput))
  .output(webhook)
  .mutation(({ ctx, input: { webhookId, ...changes } }) =>
    updateWebhook(ctx, ctx.agent, webhookId, changes),
  );

const rotate = createIdempotentProcedure("webhooks.rotate")
  .meta({
    rest: {
      operationId: "rotateWebhookSecret",
      method: "POST",
      path: "/webhooks/{webhookId}/rotate-secret",
      summary: "Replace a webhook's secret",
      description:
        "Returns a new secret, which is shown only once. Until `previousSecretExpiresAt`, 24 hours later, `webhook-signature` holds two signatures separated by a space, with the new and the previous secret: Standard Webhooks libraries accept either. `X-Service-Signature` uses the previous secret until then, so a receiver that checks it replaces the secret at that time, or accepts both. Another rotation ends the previous secret.",
      errors: ["not-found", "conflict"],
      example: {
        response: {
          ...EXAMPLE_WEBHOOK,
          previousSecretExpiresAt: "2026-11-22T12:00:00.000Z",
          secret: EXAMPLE_SECRET,
        },
      },
    },
  })
  .input(createParser(webhookInput))
  .output(createdWebhook)
  .mutation(({ ctx, input }) =>
    ctx.createOnce({ ...input, keyId: ctx.agent.keyId }, (keep) =>
      rotateSecret(ctx, ctx.agent, input.webhookId, keep),
    ),
  );

const remove = keyedProcedure
  .meta({
    rest: {
      operationId: "deleteWebhook",
      method: "DELETE",
      path: "/webhooks/{webhookId}",
      status: 204,
      summary: "Delete a webhook",
      description: "Deletes the webhook at once, with its delivery log and its pending deliveries.",
      errors: ["not-found"],
    },
  })
  .input(createParser(webhookInput))
  .output(z.void())
  .mutation(({ ctx, input }) => removeWebhook(ctx.db, ctx.agent, input.webhookId));

const deliveries = keyedProcedure
  .meta({
    rest: {
      operationId: "listWebhookDeliveries",
      method: "GET",
      path: "/webhooks/{webhookId}/deliveries",
      summary: "Read a webhook's delivery log",
      description:
        "The webhook's deliveries, newest first, each with its attempts: time, HTTP status, latency, class of failure. The receivers' responses are not stored.",
      errors: ["not-found"],
      example: {
        response: {
          content: [EXAMPLE_PENDING],
          totalElements: 1,
          totalPages: 1,
          page: 0,
          size: 20,
        },
      },
    },
  })
  .input(createParser(deliveriesInput))
  .output(deliveryPage)
  .query(async ({ ctx, input }) => {
    await getOwnWebhook(ctx.db, ctx.agent.id, input.webhookId);
    return listDeliveries(ctx.db, input);
  });

const redeliver = createCallProcedure("webhooks.redeliver")
  .meta({
    rest: {
      operationId: "redeliverWebhookDelivery",
      method: "POST",
      path: "/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver",
      summary: "Deliver again",
      description:
        "Sends a past delivery again at once, with its own retries: the same payload under the same id, whatever the earlier result. Returns the pending delivery, or `conflict` if the webhook is disabled. Pings count toward the same limit.",
      errors: ["not-found", "conflict"],
      example: { response: EXAMPLE_PENDING },
    },
  })
  .input(createParser(redeliverInput))
  .output(delivery)
  .mutation(({ ctx, input }) =>
    ctx.createOnce(input, (keep) => redeliverDelivery(ctx, ctx.agent, input, keep)),
  );

const replayProcedure = createCallProcedure("webhooks.replay")
  .meta({
    rest: {
      operationId: "replayWebhookDeliveries",
      method: "POST",
      path: "/webhooks/{webhookId}/replay",
      summary: "Deliver all failed again",
      description:
        "Sends every failed delivery created since `since` again, the oldest 1,000 first, as `redeliver` does. Pings and redeliveries count toward the same limit.",
      errors: ["not-found", "conflict"],
      example: {
        request: { since: "2026-11-21T12:00:00.000Z" },
        response: { replayed: 3, remaining: 0 },
      },
    },
  })
  .input(createParser(replayInput))
  .output(replay)
  .mutation(({ ctx, input }) =>
    ctx.createOnce(input, (keep) => replayFailed(ctx, ctx.agent, input, keep)),
  );

const ping = createCallProcedure("webhooks.ping")
  .meta({
    rest: {
      operationId: "pingWebhook",
      method: "POST",
      path: "/webhooks/{webhookId}/ping",
      summary: "Test a webhook",
      description:
        "Sends a `ping` event, signed, retried and logged like any other, whatever events the webhook subscribed to. Returns the pending delivery, whose result the delivery log shows, or `conflict` if the webhook is disabled. Redeliveries count toward the same limit.",
      errors: ["not-found", "conflict"],
      example: { response: EXAMPLE_PING },
    },
  })
  .input(createParser(webhookInput))
  .output(delivery)
  .mutation(({ ctx, input }) =>
    ctx.createOnce(input, (keep) => pingWebhook(ctx, ctx.agent, input.webhookId, keep)),
  );

export const webhooksRouter = router({
  create,
  list,
  get,
  update,
  rotate,
  remove,
  deliveries,
  redeliver,
  replay: replayProcedure,
  ping,
});
