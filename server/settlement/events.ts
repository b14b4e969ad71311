import { eventType } from "inngest";
import { z } from "zod";

/** Whatever waits to be recorded or settled is to be brought forward now: an operator asks for it. */
export const settlementDue = eventType("settlement/due", { schema: z.object({}) });

/**
 * An outcome is resolved: its record is confirmed and its score is in. `scoreImpact` is the
 * contractor's published score after less before.
 */
export const outcomeResolved = eventType("outcome/resolved", {
  schema: z.object({ outcomeId: z.string(), scoreImpact: z.number() }),
});

/** A dispute is resolved: its record is confirmed, and the score and the stake's way back are in. */
export const disputeResolved = eventType("dispute/resolved", {
  schema: z.object({ disputeId: z.string(), scoreImpact: z.number() }),
});
