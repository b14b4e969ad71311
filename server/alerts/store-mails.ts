import { and, eq, gt } from "drizzle-orm";
import type { Core, Transaction } from "@/server/lib/context";
import { databaseNow } from "@/server/lib/database";
import { DAY_MS } from "@/server/lib/time";
import type { MailText } from "@/server/mail/render-mail";
import { createDueEvent } from "@/server/webhooks/events";
import { buildPayload } from "@/server/webhooks/signature";
import { webhookDeliveries } from "@/server/webhooks/tables";

/** Most mails to an address in 24 hours. */
export const MAX_MAILS_PER_DAY = 20;

interface Mail extends MailText {
  /** Of the address. */
  webhookId: string;
  /** Permanent and unique name of what the mail is about: there is one mail for each. */
  key: string;
}

/**
 * Stores mails as deliveries, which are sent with retries, and publishes them. Leaves out mails that
 * exist and those over the daily limit. Returns the ids of the addresses that get a new mail.
 */
export async function storeMails(
  { publish }: Pick<Core, "publish">,
  tx: Transaction,
  mails: Mail[],
  at: Date,
): Promise<Set<string>> {
  const stored: (typeof webhookDeliveries.$inferSelect)[] = [];
  const isRecent = gt(webhookDeliveries.createdAt, new Date(at.getTime() - DAY_MS));
  for (const { webhookId, key, ...data } of mails) {
    const isSameAddress = eq(webhookDeliveries.webhookId, webhookId);
    const sent = await tx.$count(webhookDeliveries, and(isSameAddress, isRecent));
    if (sent >= MAX_MAILS_PER_DAY) continue;
    const { id: eventId, body: payload } = buildPayload({ key, event: "mail", at, data });
    const delivery = { webhookId, eventId, event: "mail", payload, nextAttemptAt: databaseNow };
    const rows = tx.insert(webhookDeliveries).values(delivery).onConflictDoNothing();
    stored.push(...(await rows.returning()));
  }
  await publish(
    tx,
    stored.map((row) => createDueEvent(row)),
  );
  return new Set(stored.map(({ webhookId }) => webhookId));
}
