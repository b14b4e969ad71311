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
export const UNTRIED_STALLED_MS = 5 * 60_000;
const BATCH = 500;

/** That a delivery waits for its next attempt and nobody is at it. */
export const isUntried = (now: Date) =>
  and(
    eq(webhookDeliveries.status, "pending"),
    or(isNull(webhookDeliveries.claimedUntil), lt(webhookDeliveries.claimedUntil, now)),
  );

/** Announces deliveries again that are long past due; answers how many. */
export function resumeStalled(core: Pick<Core, "db" | "publish">, now: Date): Promise<number> {
  return resumeDeliveries(core, {
    dueBefore: new Date(now.getTime() - UNTRIED_STALLED_MS),
    // Once a window: the id makes another sweep within it a no-op.
    cause: String(Math.floor(now.getTime() / UNTRIED_STALLED_MS)),
    now,
  });
}

/**
 * Announces deliveries again that were due before `dueBefore`, all or `only` one; how many. Who comes
 * with the same `cause` again changes nothing.
 */
export function resumeDeliveries(
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
          isUntried(now),
          lt(webhookDeliveries.nextAttemptAt, dueBefore),
          only ? eq(webhookDeliveries.id, only) : undefined,
        ),
      )
      .orderBy(asc(webhookDeliveries.nextAttemptAt))
      .limit(BATCH);
    if (stalled.length > 0) {
      await core.publish(
        tx,
        stalled.map((delivery) => dueEvent(delivery, cause)),
      );
    }
    return stalled.length;
  });
}
