import { and, eq, isNull, sql } from "drizzle-orm";
import type { Core } from "@/server/lib/context";
import { MINUTE_MS } from "@/server/lib/time";
import { selectWaiting, type Work } from "@/server/lib/work";
import { reviewDue } from "./events";
import { pruneDocuments } from "./prune-documents";
import { disputes } from "./tables";

/**
 * Disputes whose review was due, at its start or at the end of the response window if that is earlier. A
 * second run of a review waits for the first one.
 */
export const dueReviews: Work = {
  name: "disputes",
  waiting: {
    description: "disputes whose review is overdue",
    // A run gives up after five retries with nine minutes of backoff and some minutes of model calls.
    stalledAfterMs: 15 * MINUTE_MS,
    select: () =>
      selectWaiting(disputes, {
        since: sql`least(${disputes.expiresAt}, ${disputes.reviewStartedAt})`,
        where: and(eq(disputes.status, "OPEN"), isNull(disputes.judgedAt)),
        data: sql`jsonb_build_object('disputeId', ${disputes.id})`,
      }),
  },
  requeue: { event: reviewDue.name, afterMs: 2 * MINUTE_MS },
};

/** Pages and documents that no party may read any more. */
export const oldDocuments: Work<{ core: Core }> = {
  name: "old-documents",
  sweep: ({ core }, { now }) => pruneDocuments(core, now),
};
