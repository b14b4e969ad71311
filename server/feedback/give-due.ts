import { and, eq, inArray, ne, or, sql } from "drizzle-orm";
import { chainTransactions } from "@/server/chain/tables";
import type { Sender } from "@/server/chain/transactions/sender";
import type { Core } from "@/server/lib/context";
import { advanceFeedback } from "./advance-feedback";
import { importFeedback } from "./import-feedback";
import { oweFeedback, withdrawFeedback } from "./owe-feedback";
import { givenFeedback } from "./tables";

const BATCH_SIZE = 100;
/** The next run starts after a minute. */
const TIME_BUDGET_MS = 45_000;

/** Matches feedback that is to be given or revoked. */
export const whereFeedbackUnfinished = inArray(givenFeedback.status, [
  "owed",
  "signed",
  "revoking",
]);

/**
 * Imports the registry's new feedback, then gives and revokes what is due. Checks what was given or
 * revoked again until it is final, since a reorg can undo it. Returns the number given or revoked.
 */
export async function giveDue(
  core: Core,
  sender: Sender,
  now: Date,
  timeoutMs?: number,
): Promise<number> {
  const isImported = await importFeedback(core);
  if (!isImported || !sender.chain.feedback) return 0;
  const end = Date.now() + TIME_BUDGET_MS;
  await withdrawFeedback(core, now);
  await oweFeedback(core, now);
  const isDone = inArray(givenFeedback.status, ["given", "revoked"]);
  const open = await core.db
    .select({ id: givenFeedback.id, status: givenFeedback.status })
    .from(givenFeedback)
    .leftJoin(
      chainTransactions,
      eq(
        chainTransactions.id,
        sql`coalesce(${givenFeedback.revocationId}, ${givenFeedback.transactionId})`,
      ),
    )
    .where(or(whereFeedbackUnfinished, and(isDone, ne(chainTransactions.status, "final"))))
    // In random order, so that feedback that waits does not starve other feedback.
    .orderBy(isDone, sql`random()`)
    .limit(BATCH_SIZE);
  let done = 0;
  for (const { id, status } of open) {
    if (Date.now() > end) break;
    try {
      const state = await advanceFeedback(core, sender, id, timeoutMs);
      if (state !== status && (state === "given" || state === "revoked")) done += 1;
    } catch (error) {
      // One failure must not block the others.
      core.log.error({ err: error, feedbackId: id }, "giving or revoking feedback failed");
    }
  }
  return done;
}
