import { and, eq, gt, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { Context } from "@/server/lib/context";
import { databaseNow, readDatabaseTime } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import { createRateLimitError } from "@/server/rate-limit/headers";
import type { Watch, WatchTokenInput } from "./schema";
import { watches, webhooks } from "./tables";
import {
  countWatchRequest,
  MAX_CHALLENGES,
  resolveWatchAddress,
  sendChallenge,
} from "./watch-challenge";
import {
  CONFIRM_WITHIN_MS,
  countWatches,
  getWatch,
  lockWatches,
  toWatch,
  type WatchRow,
} from "./watches";

const MAX_PER_HOST = 20;
/** Bounds the deliveries that one event causes. */
const MAX_PER_WALLET = 200;

/**
 * Sends the endpoint one signed request with a challenge, and activates the watch if the response
 * repeats the challenge. Without that, an endpoint receives nothing else. A confirmed watch is
 * returned as it is.
 *
 * Throws `not-found`, `rate-limited` by the endpoint's host or address, `conflict` after the last attempt,
 * `watch-not-confirmed` without the reason, which would tell strangers what the service can reach,
 * and `too-many-watches`.
 */
export async function confirmWatch(
  ctx: Pick<Context, "db" | "env" | "log">,
  input: WatchTokenInput,
): Promise<Watch> {
  const row = await getWatch(ctx.db, input);
  if (row.watch.confirmedAt) return toWatch(row);
  const { watch, webhook } = row;
  await refuseIfExceeded(ctx, "watch-host", watch.host);
  const address = await resolveWatchAddress(webhook.url, null, watch.confirmationAttempts + 1);
  if (address.key) await refuseIfExceeded(ctx, "watch-address", address.key);
  await takeAttempt(ctx, row);
  const { ok } = await sendChallenge(ctx, row, address.lookup);
  if (!ok) throw new AppError("watch-not-confirmed", "The endpoint did not return the challenge.");
  return activate(ctx, row, address.key);
}

async function refuseIfExceeded(
  { db }: Pick<Context, "db">,
  policy: "watch-host" | "watch-address",
  subject: string,
): Promise<void> {
  const counted = await countWatchRequest(db, policy, subject);
  if (!counted.allowed) throw createRateLimitError(counted);
}

/** Counts an attempt before it is made, so that concurrent requests cannot exceed the maximum. */
async function takeAttempt({ db }: Pick<Context, "db">, { watch }: WatchRow): Promise<void> {
  const expired = new Date((await readDatabaseTime(db)).getTime() - CONFIRM_WITHIN_MS);
  const taken = await db
    .update(watches)
    .set({ confirmationAttempts: sql`${watches.confirmationAttempts} + 1` })
    .where(
      and(
        eq(watches.webhookId, watch.webhookId),
        isNull(watches.confirmedAt),
        lt(watches.confirmationAttempts, MAX_CHALLENGES),
        gt(watches.createdAt, expired),
      ),
    )
    .returning({ id: watches.webhookId });
  if (taken.length === 0) {
    throw new AppError("conflict", "This watch can no longer be confirmed. Create another.");
  }
}

/** Limits are checked here, after the confirmation, so that strangers cannot probe or exhaust them. */
function activate(
  { db }: Pick<Context, "db">,
  row: WatchRow,
  confirmedAddress: string | null,
): Promise<Watch> {
  const { webhookId, host, wallet } = row.watch;
  return db.transaction(async (tx) => {
    await lockWatches(tx);
    const isActive = and(isNotNull(watches.confirmedAt), eq(webhooks.status, "active"));
    const counted = [
      [eq(watches.host, host), MAX_PER_HOST, "A host can have"],
      [eq(watches.wallet, wallet), MAX_PER_WALLET, "An agent can have"],
    ] as const;
    for (const [where, max, subject] of counted) {
      if ((await countWatches(tx, and(where, isActive) ?? where)) >= max) {
        throw new AppError("too-many-watches", `${subject} ${max} watches.`);
      }
    }
    const [watch] = await tx
      .update(watches)
      .set({ confirmedAt: databaseNow, confirmedAddress, confirmationAttempts: 0 })
      .where(eq(watches.webhookId, webhookId))
      .returning();
    const [webhook] = await tx
      .update(webhooks)
      .set({ status: "active" })
      .where(eq(webhooks.id, webhookId))
      .returning();
    if (!watch || !webhook) throw new AppError("not-found", "The watch was cancelled.");
    return toWatch({ watch, webhook });
  });
}
