import { createHash } from "node:crypto";
import { and, eq, inArray, isNotNull, isNull, like, lt, ne, or, type SQL } from "drizzle-orm";
import { acquireAdvisoryLock } from "@/server/db/advisory-lock";
import type { Sql, Transaction } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { DAY_MS, HOUR_MS } from "@/server/lib/time";
import { MAILTO } from "./queries";
import type { Watch, WatchTokenInput, WebhookEvent } from "./schema";
import { watches, webhookDeliveries, webhooks } from "./tables";

/** Time to confirm a watch. */
export const CONFIRM_WITHIN_MS = HOUR_MS;
const PRUNE_BATCH = 200;

export interface WatchRow {
  watch: typeof watches.$inferSelect;
  webhook: typeof webhooks.$inferSelect;
}

/** Returns the watch of a token. Throws the same `not-found` for an unknown id and a wrong token. */
export async function getWatch(db: Sql, { watchId, token }: WatchTokenInput): Promise<WatchRow> {
  const [row] = await db
    .select({ watch: watches, webhook: webhooks })
    .from(watches)
    .innerJoin(webhooks, eq(webhooks.id, watches.webhookId))
    // The hash is compared, so response times reveal nothing about the token.
    .where(and(eq(watches.webhookId, watchId), eq(watches.tokenHash, hashToken(token))));
  if (!row) throw new AppError("not-found", "There is no watch with this id and token.");
  return row;
}

export function toWatch({ watch, webhook }: WatchRow): Watch {
  return {
    watchId: webhook.id,
    walletAddress: watch.wallet,
    url: webhook.url,
    events: webhook.events as WebhookEvent[],
    status: watch.confirmedAt ? webhook.status : "unconfirmed",
  };
}

/** Cancels a watch and its pending deliveries. Throws `not-found`. */
export async function cancelWatch(db: Sql, input: WatchTokenInput): Promise<void> {
  const { webhook } = await getWatch(db, input);
  await db.delete(webhooks).where(eq(webhooks.id, webhook.id));
}

export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Serializes whatever counts watches, so that no limit is exceeded. */
export const lockWatches = (tx: Transaction) => acquireAdvisoryLock(tx, "watches");

/** Counts the watches that receive events or can still be confirmed. */
export function countWatches(tx: Transaction, where: SQL): Promise<number> {
  return tx.$count(
    tx
      .select({ id: watches.webhookId })
      .from(watches)
      .innerJoin(webhooks, eq(webhooks.id, watches.webhookId))
      .where(and(where, or(isNull(watches.confirmedAt), eq(webhooks.status, "active"))))
      .as("counted"),
  );
}

/** Longer than an event is dispatched again, which a stored delivery makes a no-op. */
const KEEP_DELIVERIES_MS = 7 * DAY_MS;
const DELIVERY_BATCH = 2_000;

/**
 * Deletes up to a batch of finished deliveries of watches and e-mail addresses that are older than a
 * week. No procedure returns their logs, and an agent can have hundreds of watches. Returns the number
 * deleted.
 */
export async function pruneWatchDeliveries(db: Sql, now: Date): Promise<number> {
  const finishedBefore = new Date(now.getTime() - KEEP_DELIVERIES_MS);
  const old = db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(
      and(
        or(isNull(webhooks.agentId), like(webhooks.url, `${MAILTO}%`)),
        ne(webhookDeliveries.status, "pending"),
        lt(webhookDeliveries.createdAt, finishedBefore),
      ),
    )
    .limit(DELIVERY_BATCH);
  const deleted = await db
    .delete(webhookDeliveries)
    .where(inArray(webhookDeliveries.id, old))
    .returning({ id: webhookDeliveries.id });
  return deleted.length;
}

/** Deletes watches that were not confirmed in time, and confirmed ones that were disabled. */
export async function pruneWatches(tx: Transaction, now: Date): Promise<void> {
  const confirmableSince = new Date(now.getTime() - CONFIRM_WITHIN_MS);
  const ended = tx
    .select({ id: webhooks.id })
    .from(webhooks)
    .innerJoin(watches, eq(watches.webhookId, webhooks.id))
    .where(
      and(
        eq(webhooks.status, "disabled"),
        or(isNotNull(watches.confirmedAt), lt(watches.createdAt, confirmableSince)),
      ),
    )
    .limit(PRUNE_BATCH)
    .for("update", { of: webhooks, skipLocked: true });
  await tx.delete(webhooks).where(inArray(webhooks.id, ended));
}
