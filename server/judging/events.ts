import { eventType } from "inngest";
import { z } from "zod";

/** A judge that failed for a while answers again: what waits for it can be judged. */
export const judgeRecovered = eventType("judge/recovered", {
  schema: z.object({ judgeId: z.string() }),
});
