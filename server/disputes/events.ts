import { eventType } from "inngest";
import { z } from "zod";

const disputeRef = z.object({ disputeId: z.string() });

/** A dispute was opened with its stake. Its review starts at `expiresAt` at the latest. */
export const disputeOpened = eventType("dispute/opened", {
  schema: disputeRef.extend({ expiresAt: z.iso.datetime() }),
});

/** Both stakes are in: nothing more is waited for. */
export const disputeAnswered = eventType("dispute/answered", { schema: disputeRef });

/** The dispute's verdict is saved and waits to be recorded on chain. Not public yet. */
export const disputeJudged = eventType("dispute/judged", { schema: disputeRef });

/** USDC is owed to somebody: a row of `payouts` waits. */
export const payoutDue = eventType("dispute/payout-due", {
  schema: z.object({ payoutId: z.string() }),
});

/** A review that is due was left lying, and is to be gone on with. */
export const reviewDue = eventType("dispute/review-due", { schema: disputeRef });
