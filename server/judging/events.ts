import { eventType } from "inngest";
import { z } from "zod";

/** A failing judge responds again, so pending outcomes can be judged. */
export const judgeRecovered = eventType("judge/recovered", {
  schema: z.object({ judgeId: z.string() }),
});
