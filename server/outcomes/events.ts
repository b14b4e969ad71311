import { eventType } from "inngest";
import { z } from "zod";

const outcomeRef = z.object({ outcomeId: z.string() });

/** An outcome was accepted and waits for its judge. */
export const outcomeSubmitted = eventType("outcome/submitted", { schema: outcomeRef });

/** The contractor returned the payment; the refund waits to be recorded on chain. */
export const outcomeRefunded = eventType("outcome/refunded", { schema: outcomeRef });

/** The verdict is saved and waits to be recorded on chain. Not public yet. */
export const outcomeJudged = eventType("outcome/judged", { schema: outcomeRef });
