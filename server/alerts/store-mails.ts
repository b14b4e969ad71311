import { and, eq, gt } from "drizzle-orm";
import type { Core, Transaction } from "@/server/lib/context";
import { databaseNow } from "@/server/lib/database";
import { DAY_MS } from "@/server/lib/time";
import type { MailText } from "@/server/mail/render-mail";
import { createDueEvent } from "@/server/webhooks/events";
import { buildPayload } from "@/server/webhooks/signature";
import { webhookDeliveries } from "@/server/webhooks/tables";

/** Most mails of a kind to an address in 24 hours: a stranger can cause some kinds, and not others. */
export const MAX_PER_KIND = 10;

export interface Mail extends MailText {
  /** Of the address. */
  webhookId: string;
  kind: "confirm" | "dispute" | "proposal" | "delivery" | "change";
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
  for (const { webhookId, kind, key, ...data } of mails) {
    const event = `mail.${kind}`;
    const isSameAddress = eq(webhookDeliveries.webhookId, webhookId);
    const isSameKind = eq(webhookDeliveries.event, event);
    const sent = await tx.$count(webhookDeliveries, and(isSameAddress, isSameKind, isRecent));
    if (sent >= MAX_PER_KIND) continue;
    const { id: eventId, body: payload } = buildPayload({ key, event, at, data });
    const delivery = { webhookId, eventId, event, payload, nextAttemptAt: databaseNow };
    const rows = tx.insert(webhookDeliveries).values(delivery).onConflictDoNothing();
    stored.push(...(await rows.returning()));
  }
  await publish(
    tx,
    stored.map((row) => createDueEvent(row)),
  );
  return new Set(stored.map(({ webhookId }) => webhookId));
}
