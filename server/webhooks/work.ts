import { and, eq, inArray, isNull, like, lt, ne, or, sql } from "drizzle-orm";
import type { Core, Sql } from "@/server/lib/context";
import { DAY_MS, MINUTE_MS } from "@/server/lib/time";
import { selectWaiting, type Work } from "@/server/lib/work";
import { deliveryDue } from "./events";
import { MAILTO } from "./queries";
import { webhookDeliveries, webhooks } from "./tables";

/**
 * A due attempt starts within a second and takes at most 16 s, so a delivery five minutes overdue
 * has one of two causes. Its run was lost or used up the engine's retries through faults of the
 * service: it needs a new run. Or it is queued behind a slow receiver: the new run is queued behind
 * it and finds the delivery done.
 */
const OVERDUE_MS = 5 * MINUTE_MS;

export const dueDeliveries: Work = {
  name: "deliveries",
  waiting: {
    description: "webhook deliveries that are due and not attempted",
    stalledAfterMs: OVERDUE_MS,
    select: (now) =>
      selectWaiting(webhookDeliveries, {
        since: webhookDeliveries.nextAttemptAt,
        where: and(
          eq(webhookDeliveries.status, "pending"),
          or(isNull(webhookDeliveries.claimedUntil), lt(webhookDeliveries.claimedUntil, now)),
        ),
        data: sql`jsonb_build_object('deliveryId', ${webhookDeliveries.id},
          'webhookId', ${webhookDeliveries.webhookId}, 'run', ${webhookDeliveries.run})`,
      }),
  },
  requeue: { event: deliveryDue.name, afterMs: OVERDUE_MS },
};

export const disabledWebhooks: Work = {
  name: "webhooks",
  waiting: {
    description:
      "webhooks that were disabled because their receivers failed or returned 410; owners replace them",
    stalledAfterMs: 0,
    select: () =>
      selectWaiting(webhooks, {
        since: sql`coalesce(${webhooks.failingSince}, ${webhooks.createdAt})`,
        where: eq(webhooks.status, "disabled"),
      }),
  },
};

/** Longer than an event is dispatched again, which a stored delivery makes a no-op. */
const KEEP_MAILS_MS = 7 * DAY_MS;
const MAIL_BATCH = 2_000;

/** Finished e-mails that are older than a week. No procedure returns their log. */
export const oldMails: Work<{ core: Core }> = {
  name: "old-mails",
  sweep: ({ core }, { now }) => pruneMails(core.db, now),
};

/** Deletes up to a batch of old e-mails, and returns their number. */
export async function pruneMails(db: Sql, now: Date): Promise<number> {
  const old = db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(
      and(
        like(webhooks.url, `${MAILTO}%`),
        ne(webhookDeliveries.status, "pending"),
        lt(webhookDeliveries.createdAt, new Date(now.getTime() - KEEP_MAILS_MS)),
      ),
    )
    .limit(MAIL_BATCH);
  const deleted = await db
    .delete(webhookDeliveries)
    .where(inArray(webhookDeliveries.id, old))
    .returning({ id: webhookDeliveries.id });
  return deleted.length;
}
