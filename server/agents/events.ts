import { eventType } from "inngest";
import { z } from "zod";

/** The owner proved a wallet that an unverified registration held. `takeovers` has the record. */
export const agentTakenOver = eventType("agent/taken-over", {
  schema: z.object({ takeoverId: z.string() }),
});
