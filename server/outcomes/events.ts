import { eventType } from "inngest";
import { z } from "zod";

const outcomeRef = z.object({ outcomeId: z.string() });
/** `client`: key of the submitter's address, between which the queue alternates; see `tables.ts`. */
const toJudge = outcomeRef.extend({ client: z.string().nullish() });

/** An outcome was accepted and is pending judgement. */
export const outcomeSubmitted = eventType("outcome/submitted", { schema: toJudge });

/** The judge answers other texts, but not this outcome's: it is judged again in the slow queue. */
export const outcomeUnanswered = eventType("outcome/unanswered", { schema: toJudge });

/** The contractor returned the payment; the refund is not recorded on chain yet. */
export const outcomeRefunded = eventType("outcome/refunded", { schema: outcomeRef });

/** Verdicts are stored that `recorder` has not recorded on chain yet. They are not public yet. */
export const verdictsPending = eventType("outcome/verdicts-pending", {
  schema: z.object({ recorder: z.string() }),
});
