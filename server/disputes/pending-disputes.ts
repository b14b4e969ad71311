import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { requeue } from "@/server/db/requeue";
import type { Core } from "@/server/lib/context";
import { MINUTE_MS } from "@/server/lib/time";
import { reviewDue } from "./events";
import { disputes } from "./tables";

/**
 * Time after which `resume-stalled-disputes` requeues a due review, in case its run was lost. If one is still active,
 * the concurrency limit makes the runs wait for each other.
 */
export const UNREVIEWED_REQUEUED_MS = 2 * MINUTE_MS;

/**
 * A run gives up after five retries with nine minutes of delays, plus some minutes of model calls, so
 * an older review needs attention. It requeues none more often than this.
 */
export const UNREVIEWED_STALLED_MS = 15 * MINUTE_MS;
const BATCH = 500;

/** Matches disputes without a verdict. */
export const whereUnreviewed = and(eq(disputes.status, "OPEN"), isNull(disputes.judgedAt));

/** When the review is due: when it started, else when the response window ends. */
export const reviewDueAt = sql<Date>`least(${disputes.expiresAt}, ${disputes.reviewStartedAt})`;

/**
 * Requeues disputes whose review was due before `dueBefore` and did not finish, or `only` one of
 * them. Returns the number requeued. Repeating a `cause` changes nothing. `settle-stalled-records`
 * handles judged disputes that are not recorded.
 */
export function requeueDisputes(
  core: Pick<Core, "db" | "publish">,
  { dueBefore, cause, only }: { dueBefore: Date; cause: string; only?: string | undefined },
): Promise<number> {
  const isDue = or(lt(disputes.expiresAt, dueBefore), lt(disputes.reviewStartedAt, dueBefore));
  return requeue(core, {
    name: reviewDue.name,
    cause,
    toData: ({ id: disputeId }) => ({ disputeId }),
    find: (tx) =>
      tx
        .select({ id: disputes.id })
        .from(disputes)
        .where(and(whereUnreviewed, isDue, only ? eq(disputes.id, only) : undefined))
        // Random order, so that disputes that no judge ever decides do not starve the others.
        .orderBy(sql`random()`)
        .limit(BATCH),
  });
}
