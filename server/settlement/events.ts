import { eventType } from "inngest";
import { z } from "zod";

/**
 * An outcome is resolved: its record is confirmed and the score includes it. `scoreImpact` is the
 * contractor's new published score minus the previous one.
 */
export const outcomeResolved = eventType("outcome/resolved", {
  schema: z.object({ outcomeId: z.string(), scoreImpact: z.number() }),
});

/**
 * A dispute is resolved: its record is confirmed, the score includes it, and the stake's return is
 * due.
 */
export const disputeResolved = eventType("dispute/resolved", {
  schema: z.object({ disputeId: z.string(), scoreImpact: z.number() }),
});
