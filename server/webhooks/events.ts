import { eventType } from "inngest";
import { z } from "zod";

/** Run `run` of a stored delivery is due; one engine run carries it out. */
export const deliveryDue = eventType("webhook/delivery-due", {
  schema: z.object({ deliveryId: z.string(), webhookId: z.string(), run: z.int() }),
});
