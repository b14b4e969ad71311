import { eventType } from "inngest";
import { z } from "zod";
import type { AppEvent } from "@/server/lib/context";

/** Run `run` of a stored delivery is due; one engine run executes it. */
export const deliveryDue = eventType("webhook/delivery-due", {
  schema: z.object({ deliveryId: z.string(), webhookId: z.string(), run: z.int() }),
});

/** An event must be announced again: a webhook was locked by its deletion when it happened. */
export const announcementDeferred = eventType("webhook/announcement-deferred", {
  schema: z.object({
    id: z.string(),
    name: z.string(),
    data: z.record(z.string(), z.unknown()),
  }),
});

export interface DueDelivery {
  id: string;
  webhookId: string;
  run: number;
}

/** Returns the event that starts a run of a delivery. */
export function createDueEvent({ id, webhookId, run }: DueDelivery): AppEvent {
  return {
    id: `webhook-delivery-due:${id}:${run}`,
    name: deliveryDue.name,
    data: { deliveryId: id, webhookId, run },
  };
}

/** Returns the event that announces `event` again. */
export function createDeferredEvent({ id, name, data }: AppEvent): AppEvent {
  return {
    id: `announcement-deferred:${id}`,
    name: announcementDeferred.name,
    data: { id, name, data },
  };
}
