import { and, asc, eq, inArray, isNull, like, lt, ne, or } from "drizzle-orm";
import { defineFunction } from "@/server/lib/background-function";
import type { Core, Sql } from "@/server/lib/context";
import type { FunctionCore } from "@/server/lib/inngest";
import { DAY_MS, MINUTE_MS } from "@/server/lib/time";
import { createDueEvent } from "@/server/webhooks/events";
import { MAILTO } from "@/server/webhooks/queries";
import { webhookDeliveries, webhooks } from "@/server/webhooks/tables";

/**
 * A due attempt starts within a second and takes at most 16 s, so a delivery five minutes overdue
 * has one of two causes. Its run was lost or used up the engine's retries through faults of the
 * service: it needs a new run. Or it is queued behind a slow receiver: the new run is queued behind
 * it and finds the delivery done.
 */
export const DELIVERY_STALLED_MS = 5 * MINUTE_MS;
const BATCH = 500;

/** Returns the SQL condition for a pending delivery without an attempt in progress. */
export const whereUnattempted = (now: Date) =>
  and(
    eq(webhookDeliveries.status, "pending"),
    or(isNull(webhookDeliveries.claimedUntil), lt(webhookDeliveries.claimedUntil, now)),
  );

/** Requeues deliveries that are long overdue. Returns the number requeued. */
export function requeueStalled(core: Pick<Core, "db" | "publish">, now: Date): Promise<number> {
  return requeueDeliveries(core, {
    dueBefore: new Date(now.getTime() - DELIVERY_STALLED_MS),
    // Same id within a window, so reconciling again in it is a no-op.
    cause: String(Math.floor(now.getTime() / DELIVERY_STALLED_MS)),
    now,
  });
}

/**
 * Requeues deliveries due before `dueBefore`, all or `only` one. Returns the number requeued.
 * Repeating a call with the same `cause` changes nothing.
 */
export function requeueDeliveries(
  core: Pick<Core, "db" | "publish">,
  {
    dueBefore,
    cause,
    now,
    only,
  }: { dueBefore: Date; cause: string; now: Date; only?: string | undefined },
): Promise<number> {
  return core.db.transaction(async (tx) => {
    const stalled = await tx
      .select()
      .from(webhookDeliveries)
      .where(
        and(
          whereUnattempted(now),
          lt(webhookDeliveries.nextAttemptAt, dueBefore),
          only ? eq(webhookDeliveries.id, only) : undefined,
        ),
      )
      .orderBy(asc(webhookDeliveries.nextAttemptAt))
      .limit(BATCH);
    await core.publish(
      tx,
      stalled.map((delivery) => createDueEvent(delivery, cause)),
    );
    return stalled.length;
  });
}

/** Longer than an event is dispatched again, which a stored delivery makes a no-op. */
const KEEP_MAILS_MS = 7 * DAY_MS;
const MAIL_BATCH = 2_000;

/**
 * Deletes up to a batch of finished e-mails that are older than a week. No procedure returns their
 * log. Returns the number deleted.
 */
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

/** Requeues overdue deliveries, and deletes old e-mails, every minute. */
export const resumeStalledDeliveries = (core: FunctionCore) =>
  defineFunction(
    { id: "resume-stalled-deliveries", triggers: [{ cron: "* * * * *" }], retries: 0 },
    async () => {
      const resumed = await requeueStalled(core, new Date());
      if (resumed > 0) core.log.warn({ resumed }, "requeued stalled webhook deliveries");
      const pruned = await pruneMails(core.db, new Date());
      return { resumed, pruned };
    },
  );
