import type { AppEvent } from "@/server/lib/publish";
import { deliveryDue } from "./events";

interface DueDelivery {
  id: string;
  webhookId: string;
  run: number;
}

/**
 * The event that has a run of a delivery carried out. `resumed` makes it another event of the same
 * run, for one whose first event led to nothing.
 */
export function dueEvent({ id, webhookId, run }: DueDelivery, resumed?: string): AppEvent {
  return {
    id: `webhook-delivery-due:${id}:${run}${resumed ? `:resumed:${resumed}` : ""}`,
    name: deliveryDue.name,
    data: { deliveryId: id, webhookId, run },
  };
}
