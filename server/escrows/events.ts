import { eventType } from "inngest";
import { z } from "zod";

/** The service will not decide a job of an escrow that names it; published for each of its two parties. */
export const evaluatorDeclined = eventType("escrow/declined", {
  schema: z.object({ escrowJobId: z.string(), wallet: z.string() }),
});
