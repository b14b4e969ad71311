import { and, asc, eq, isNull, lt, or } from "drizzle-orm";
import type { Core } from "@/server/lib/context";
import { dueEvent } from "./due";
import { webhookDeliveries } from "./tables";

/**
 * An attempt that is due starts within a second and takes 16 at most, so five minutes past due means
 * one of two things. Its run is lost or ended by faults of ours, which used up the engine's retries:
 * then a new run is what it needs. Or it stands in the line of a receiver that is slow: then the new
 * run stands behind it, and finds the delivery done.
 */
const STALLED_AFTER_MS = 5 * 60_000;
const BATCH = 500;

/** Announces deliveries again that are long past due; answers how many. */
export async function resumeStalled(
  core: Pick<Core, "db" | "publish">,
  now: Date,
): Promise<number> {
  // Once a window: the id makes another sweep within it a no-op.
  const round = String(Math.floor(now.getTime() / STALLED_AFTER_MS));
  return core.db.transaction(async (tx) => {
    const stalled = await tx
      .select()
      .from(webhookDeliveries)
      .where(
        and(
          eq(webhookDeliveries.status, "pending"),
          lt(webhookDeliveries.nextAttemptAt, new Date(now.getTime() - STALLED_AFTER_MS)),
          or(isNull(webhookDeliveries.claimedUntil), lt(webhookDeliveries.claimedUntil, now)),
        ),
      )
      .orderBy(asc(webhookDeliveries.nextAttemptAt))
      .limit(BATCH);
    if (stalled.length > 0) {
      await core.publish(
        tx,
        stalled.map((delivery) => dueEvent(delivery, round)),
      );
    }
    return stalled.length;
  });
}
