import { columns } from "@/server/db/arrays";
import type { Transaction } from "@/server/lib/context";
import type { Announcement } from "./announcements";

/** An announcement's event and subject. */
interface Announced {
  event: string;
  wallet?: string;
  outcomeId?: string;
  disputeId?: string;
}

/** A webhook that is subscribed to an announcement. */
export interface Target {
  announcement: Announcement;
  webhookId: string;
}

/**
 * Finds the active webhooks and watches that are subscribed to announcements, by one statement for
 * all of them. It is prepared, because most settlements run it only to find none. `offset 0` keeps the
 * planner from reading all webhooks when there are many receivers.
 */
export async function findTargets(
  tx: Transaction,
  announcements: Announcement[],
): Promise<Target[]> {
  const announced: Announced[] = announcements.map(({ event, subject }) => ({ event, ...subject }));
  const rows = await tx.sql<{ position: number; webhookId: string }[]>`
    with announced as (
      select position::int, event, wallet::char(42), outcome_id, dispute_id
      from unnest(${columns(tx.sql, announced, {
        event: "text",
        wallet: "text",
        outcomeId: "uuid",
        disputeId: "uuid",
      })}) with ordinality as a(event, wallet, outcome_id, dispute_id, position)
    ), receivers as (
      select position, event, wallet from announced where wallet is not null
      union all
      select position, event, unnest(array[outcomes.contractor, outcomes.requester])
      from announced join outcomes on outcomes.id = outcome_id
      union all
      select position, event, unnest(array[disputes.contractor, disputes.requester])
      from announced join disputes on disputes.id = dispute_id
    )
    select distinct position, subscriber.id as "webhookId"
    from receivers cross join lateral (
      select webhooks.id, status, events
      from agents join webhooks on webhooks.agent_id = agents.id
      where agents.wallet = receivers.wallet
      union all
      select webhooks.id, status, events
      from watches join webhooks on webhooks.id = watches.webhook_id
      where watches.wallet = receivers.wallet
      offset 0
    ) as subscriber
    where status = 'active' and event = any(events)`;
  return rows.flatMap(({ position, webhookId }) => {
    const announcement = announcements[position - 1];
    return announcement ? [{ announcement, webhookId }] : [];
  });
}
