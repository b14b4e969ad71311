import { and, eq, isNull, lte, or } from "drizzle-orm";
import type { Sql } from "@/server/lib/context";
import type { RetrySchedule } from "./schema";
import { webhookAttempts, webhookDeliveries, webhooks } from "./tables";

/** Identifies a run of a delivery. */
export interface DeliveryRun {
  deliveryId: string;
  run: number;
}

export interface ClaimedDelivery extends DeliveryRun {
  webhookId: string;
  url: string;
  sealedSecret: Buffer;
  previousSealedSecret: Buffer | null;
  previousSecretExpiresAt: Date | null;
  retrySchedule: RetrySchedule;
  eventId: string;
  payload: string;
  /** Number of the attempt to make now, from 1. */
  attempt: number;
  claimedUntil: Date;
}

/** Longer than an attempt can take, so an attempt whose claim expired was lost. */
const CLAIM_MS = 30_000;

/**
 * Claims the delivery for one attempt if it is due and unclaimed. One conditional update, so of
 * several concurrent runs only one gets it; the others get null.
 */
export async function claimDelivery(
  db: Sql,
  { deliveryId, run }: DeliveryRun,
  now: Date,
): Promise<ClaimedDelivery | null> {
  const claimedUntil = new Date(now.getTime() + CLAIM_MS);
  const isUnclaimed = or(
    isNull(webhookDeliveries.claimedUntil),
    lte(webhookDeliveries.claimedUntil, now),
  );
  const [claimed] = await db
    .update(webhookDeliveries)
    .set({ claimedUntil })
    .from(webhooks)
    .where(
      and(
        wherePending({ deliveryId, run }),
        lte(webhookDeliveries.nextAttemptAt, now),
        isUnclaimed,
        eq(webhooks.id, webhookDeliveries.webhookId),
        eq(webhooks.status, "active"),
      ),
    )
    .returning({
      webhookId: webhooks.id,
      url: webhooks.url,
      sealedSecret: webhooks.sealedSecret,
      previousSealedSecret: webhooks.previousSealedSecret,
      previousSecretExpiresAt: webhooks.previousSecretExpiresAt,
      retrySchedule: webhooks.retrySchedule,
      eventId: webhookDeliveries.eventId,
      payload: webhookDeliveries.payload,
    });
  if (!claimed) return null;
  const attempts = await db.$count(
    webhookAttempts,
    and(eq(webhookAttempts.deliveryId, deliveryId), eq(webhookAttempts.run, run)),
  );
  return { ...claimed, deliveryId, run, attempt: attempts + 1, claimedUntil };
}

/**
 * Returns when to claim a delivery again that could not be claimed; null if this run is over. Fails a
 * delivery whose webhook is disabled.
 */
export async function findNextClaim(db: Sql, run: DeliveryRun, now: Date): Promise<Date | null> {
  const [found] = await db
    .select({ delivery: webhookDeliveries, webhookStatus: webhooks.status })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(wherePending(run));
  if (!found) return null;
  if (found.webhookStatus === "disabled") {
    await db
      .update(webhookDeliveries)
      .set({ status: "failed", failure: "webhook-disabled", nextAttemptAt: null })
      .where(wherePending(run));
    return null;
  }
  const { nextAttemptAt, claimedUntil } = found.delivery;
  if (nextAttemptAt && nextAttemptAt > now) return nextAttemptAt;
  // An attempt is in progress or was lost; without a claim, it has just ended.
  return claimedUntil && claimedUntil > now ? claimedUntil : now;
}

const wherePending = ({ deliveryId, run }: DeliveryRun) =>
  and(
    eq(webhookDeliveries.id, deliveryId),
    eq(webhookDeliveries.run, run),
    eq(webhookDeliveries.status, "pending"),
  );
