import { array, columns } from "@/server/db/arrays";
import type { Transaction } from "@/server/lib/context";
import type { DueDelivery } from "./events";

/** An event as its receivers get it. */
interface Message {
  /** Id of the event for receivers. */
  id: string;
  event: string;
  body: string;
}

/** A message for one webhook. */
export interface Recipient {
  webhookId: string;
  messageId: string;
}

/**
 * Stores a delivery, due now, for each recipient that does not have it, and locks the webhooks until
 * `tx` ends. Skips inactive webhooks and, instead of waiting, those that another transaction is
 * deleting: a takeover deletes webhooks before it waits for outcomes that a settlement has locked, so
 * waiting could deadlock. Returns the stored deliveries and the ids of the locked webhooks.
 */
export async function storeDeliveries(
  tx: Transaction,
  messages: Message[],
  recipients: Recipient[],
): Promise<{ stored: DueDelivery[]; locked: Set<string> }> {
  const { sql } = tx;
  const webhookIds = recipients.map(({ webhookId }) => webhookId);
  const rows = await sql<{ webhookId: string; id: string | null; run: number | null }[]>`
    with locked as materialized (
      select id from webhooks
      where id = any(${array(sql, "uuid", webhookIds)}) and status = 'active'
      order by id for key share skip locked
    ), stored as (
      insert into webhook_deliveries (webhook_id, event_id, event, payload, next_attempt_at)
      select locked.id, message.id, message.event, message.body, date_trunc('milliseconds', now())
      from unnest(${columns(sql, recipients, { webhookId: "uuid", messageId: "text" })})
        as recipient(webhook_id, message_id)
      join locked on locked.id = recipient.webhook_id
      join unnest(${columns(sql, messages, { id: "text", event: "text", body: "text" })})
        as message(id, event, body) on message.id = recipient.message_id
      on conflict do nothing returning id, webhook_id, run
    )
    select locked.id as "webhookId", stored.id, stored.run
    from locked left join stored on stored.webhook_id = locked.id`;
  return {
    stored: rows.flatMap(({ webhookId, id, run }) => (id && run ? [{ id, webhookId, run }] : [])),
    locked: new Set(rows.map(({ webhookId }) => webhookId)),
  };
}
