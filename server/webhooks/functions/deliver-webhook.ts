import { defineFunction } from "@/server/lib/background-function";
import type { Core } from "@/server/lib/context";
import { attemptDelivery } from "@/server/webhooks/deliver";
import { deliveryDue } from "@/server/webhooks/events";

/**
 * Concurrent attempts of each webhook: a slow receiver only delays its own deliveries. And of all: the
 * other calls of the engine never wait for receivers.
 */
const CONCURRENCY = { limit: 256, field: "webhookId", perValue: 4 };

/**
 * Makes the attempts of one run of a delivery, at the times that the delivery stores: up to four, or ten
 * in a day. The run sleeps until the next one; an attempt that is due later is not made.
 */
export const deliverWebhook = defineFunction(
  {
    id: "deliver-webhook",
    triggers: [deliveryDue],
    // For faults of the service, such as an unreachable database. A failing receiver uses none of them.
    retries: 3,
    concurrency: CONCURRENCY,
  },
  async ({ event, step }, { core }: { core: Core }) => {
    for (let part = 1; ; part += 1) {
      const due = await step.run(`attempt-${part}`, async () => {
        const next = await attemptDelivery(core, event.data);
        return next?.toISOString() ?? null;
      });
      if (due === null) return;
      await step.sleepUntil(`wait-${part}`, due);
    }
  },
);
