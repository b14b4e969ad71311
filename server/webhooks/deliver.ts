import { and, eq } from "drizzle-orm";
import type { Core, Database, Transaction } from "@/server/lib/context";
import { readDatabaseTime } from "@/server/lib/database";
import { type Env, getPublicUrl } from "@/server/lib/env";
import { unseal } from "@/server/lib/seal";
import { DAY_MS, SECOND_MS } from "@/server/lib/time";
import { type MailText, renderMail } from "@/server/mail/render-mail";
import { sendMail } from "@/server/mail/send-mail";
import { type PostResult, postGuarded } from "@/server/outbound/guarded-fetch";
import { type ClaimedDelivery, claimDelivery, type DeliveryRun, findNextClaim } from "./claim";
import { getSealContext } from "./manage-webhooks";
import { MAILTO } from "./queries";
import { RETRY_SECONDS, type RetrySchedule } from "./schema";
import { buildSignatureHeaders } from "./signature";
import { webhookAttempts, webhookDeliveries, webhooks } from "./tables";

const TIMEOUT_MS = 15_000;

/**
 * Makes one attempt of a delivery if it is due, and stores its result. Returns when the next one is due;
 * null if this run is over. Safe to run concurrently or
 * again after a crash: an attempt is logged once, and the receiver sees it twice only after a crash
 * between the call and its log. Holds no database connection during the call. Uses the database's
 * clock, because another process with a different clock may make the next attempt. A failing
 * receiver is expected: it is a result and a log line, not an error.
 */
export async function attemptDelivery(
  core: Pick<Core, "db" | "env" | "log">,
  delivery: DeliveryRun,
  clock: () => Date | Promise<Date> = () => readDatabaseTime(core.db),
): Promise<Date | null> {
  const at = await clock();
  const claimed = await claimDelivery(core.db, delivery, at);
  if (!claimed) return findNextClaim(core.db, delivery, at);
  const { eventId, payload, url, webhookId } = claimed;
  const open = (sealed: Buffer) => unseal(core.env, sealed, getSealContext(webhookId));
  const { previousSealedSecret: previous, previousSecretExpiresAt: expiresAt } = claimed;
  const previousSecret = previous && expiresAt && expiresAt > at ? open(previous) : undefined;
  const secret = open(claimed.sealedSecret);
  const result = isMail(claimed)
    ? await deliverByMail(core.env, claimed, secret)
    : await postGuarded(url, {
        headers: {
          "content-type": "application/json",
          "user-agent": "Standing-Webhooks/1",
          ...buildSignatureHeaders({ secret, previousSecret, id: eventId, at, payload }),
        },
        body: payload,
        timeoutMs: TIMEOUT_MS,
        allowLoopback: core.env.OUTBOUND_ALLOW_LOOPBACK,
      });
  if (!result.ok) {
    const { deliveryId, run, attempt } = claimed;
    const { status, error, latencyMs } = result;
    core.log.info(
      { webhookId, deliveryId, run, attempt, status, error, latencyMs },
      "webhook attempt failed",
    );
  }
  return storeAttempt(core.db, claimed, { ...result, at });
}

const isMail = ({ url }: ClaimedDelivery) => url.startsWith(MAILTO);

/** Sends a delivery as an e-mail. Its links hold the secret, so only sent mails contain it. */
function deliverByMail(
  env: Env,
  { url, webhookId, eventId, payload }: ClaimedDelivery,
  secret: string,
) {
  const origin = getPublicUrl(env);
  const link = String(new URLSearchParams({ id: webhookId, token: secret }));
  const mail: MailText = JSON.parse(payload).data;
  return sendMail(env, {
    to: url.slice(MAILTO.length),
    id: eventId,
    subject: mail.subject,
    text: renderMail(mail, origin, link),
    unsubscribeUrl: `${origin}/email/unsubscribe?${link}`,
  });
}

const GONE = 410;
/** How long all deliveries of a webhook may fail before it is disabled. */
const MAX_FAILING_MS = 5 * DAY_MS;

/**
 * Stores an attempt and its effect on the delivery and the webhook, in one transaction. Returns when the next
 * attempt is due; null if none is, or if another run made one.
 */
function storeAttempt(
  db: Database,
  claimed: ClaimedDelivery,
  result: Omit<PostResult, "error"> & { error: string | null; at: Date },
): Promise<Date | null> {
  const { webhookId, deliveryId, run, attempt } = claimed;
  const { ok, at, status, latencyMs, error } = result;
  return db.transaction(async (tx) => {
    const updateWebhook = (set: Partial<typeof webhooks.$inferInsert>) =>
      tx.update(webhooks).set(set).where(eq(webhooks.id, webhookId));
    // Locked first, in the same order as deletion, to avoid a deadlock.
    const [webhook] = await tx
      .select({ failingSince: webhooks.failingSince })
      .from(webhooks)
      .where(eq(webhooks.id, webhookId))
      .for("no key update");
    if (!webhook) return null;
    await tx
      .insert(webhookAttempts)
      .values({ deliveryId, run, attempt, at, status, latencyMs, error })
      .onConflictDoNothing();

    if (ok) {
      await updateDelivery(tx, claimed, { status: "delivered", nextAttemptAt: null });
      if (webhook.failingSince) await updateWebhook({ failingSince: null });
      return null;
    }
    const failedAt = new Date(at.getTime() + latencyMs);
    const isGone = error === "no-mailbox" || status === GONE;
    const next = isGone ? null : getNextAttemptTime(claimed.retrySchedule, attempt, failedAt);
    if (next) return (await updateDelivery(tx, claimed, { nextAttemptAt: next })) ? next : null;
    const failure = isGone ? "gone" : "attempts-used-up";
    await updateDelivery(tx, claimed, { status: "failed", failure, nextAttemptAt: null });
    if (isGone) {
      await updateWebhook({ status: "disabled", disabledReason: "gone" });
      // Mail can also fail for days because of this service's own mail server.
    } else if (!isMail(claimed)) {
      const failingSince = webhook.failingSince ?? failedAt;
      const isOver = failedAt.getTime() - failingSince.getTime() >= MAX_FAILING_MS;
      const disabled = { status: "disabled", disabledReason: "failing" } as const;
      await updateWebhook({ failingSince, ...(isOver ? disabled : {}) });
    }
    return null;
  });
}

/**
 * Updates the delivery under the attempt's claim. Returns false if the claim is lost: the delivery
 * was redelivered, or the claim expired and another attempt was made.
 */
async function updateDelivery(
  tx: Transaction,
  { deliveryId, claimedUntil }: ClaimedDelivery,
  set: Partial<typeof webhookDeliveries.$inferInsert>,
): Promise<boolean> {
  const updated = await tx
    .update(webhookDeliveries)
    .set({ ...set, claimedUntil: null })
    .where(
      and(eq(webhookDeliveries.id, deliveryId), eq(webhookDeliveries.claimedUntil, claimedUntil)),
    )
    .returning({ id: webhookDeliveries.id });
  return updated.length === 1;
}

/**
 * Returns when the attempt after `attempt` (from 1), which failed at `failedAt`, is due; null after
 * the last.
 */
function getNextAttemptTime(schedule: RetrySchedule, attempt: number, failedAt: Date): Date | null {
  const seconds = RETRY_SECONDS[schedule][attempt - 1];
  return seconds === undefined ? null : new Date(failedAt.getTime() + seconds * SECOND_MS);
}
