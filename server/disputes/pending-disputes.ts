import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { requeue } from "@/server/db/requeue";
import type { Core } from "@/server/lib/context";
import { MINUTE_MS } from "@/server/lib/time";
import { reviewDue } from "./events";
import { disputes } from "./tables";

/**
 * Time after a review is due when `resume-stalled-disputes` requeues it, in case its run was lost.
 * If that run is still active, the concurrency limit makes the second run wait for it.
 */
export const UNREVIEWED_REQUEUED_MS = 2 * MINUTE_MS;

/**
 * Time after a review is due when it needs the operator's attention: a run gives up after five
 * retries with nine minutes of backoff and some minutes of model calls. `resume-stalled-disputes`
 * requeues a review at most once per window of this length.
 */
export const UNREVIEWED_STALLED_MS = 15 * MINUTE_MS;

/** Maximum number of reviews that one call requeues. */
const BATCH_SIZE = 500;

/** Matches disputes without a verdict. */
export const whereUnreviewed = and(eq(disputes.status, "OPEN"), isNull(disputes.judgedAt));

/** Selects when a review is due: at its start, or at the end of the response window if earlier. */
export const reviewDueAt = sql<Date>`least(${disputes.expiresAt}, ${disputes.reviewStartedAt})`;

/**
 * Requeues disputes whose review was due before `dueBefore` and did not finish; with `only`, just
 * the dispute of that id. Returns the number requeued. A second call with the same `cause` has no
 * effect. Judged disputes that are not recorded are left to `settle-stalled-records`.
 */
export function requeueDisputes(
  core: Pick<Core, "db" | "publish">,
  { dueBefore, cause, only }: { dueBefore: Date; cause: string; only?: string | undefined },
): Promise<number> {
  const whereDue = or(lt(disputes.expiresAt, dueBefore), lt(disputes.reviewStartedAt, dueBefore));
  return requeue(core, {
    name: reviewDue.name,
    cause,
    toData: ({ id: disputeId }) => ({ disputeId }),
    find: (tx) =>
      tx
        .select({ id: disputes.id })
        .from(disputes)
        .where(and(whereUnreviewed, whereDue, only ? eq(disputes.id, only) : undefined))
        // Random order, so that disputes that no judge can decide do not starve the others.
        .orderBy(sql`random()`)
        .limit(BATCH_SIZE),
  });
}
