import type { Core } from "@/server/lib/context";
import { DAY_MS } from "@/server/lib/time";
import { type Mail, storeMails } from "./store-mails";

/** How long before a deadline its mail is sent, or at once if the time to act is shorter. */
const LEAD_MS = DAY_MS;

const DATE = new Intl.DateTimeFormat("en", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});

/**
 * Mails the next deadlines of the dashboard's tasks to confirmed addresses, each once: disputes to
 * answer, agreements to sign, and work to deliver, once its money is there if the terms need it before.
 * Returns how many addresses get mail.
 */
export async function mailDeadlines(
  core: Pick<Core, "db" | "publish">,
  now: Date,
): Promise<number> {
  const soon = new Date(now.getTime() + LEAD_MS).toISOString();
  return core.db.transaction(async (tx) => {
    const due = await tx.sql<
      (Pick<Mail, "webhookId" | "kind"> & Record<"wallet" | "task" | "path" | "until", string>)[]
    >`
      select webhooks.id as "webhookId", due.wallet, kind, task, path, until
      from (
        select 'dispute' as kind, 'Answer a dispute' as task, '/dashboard/disputes?dispute=' || id as path,
          expires_at as until,
          case opened_by when 'contractor' then requester else contractor end as wallet
        from disputes
        where status = 'OPEN' and review_started_at is null and not exists (
          select from dispute_sides where dispute_id = disputes.id and party <> opened_by
        )
        union all
        select 'proposal', 'Sign or decline an agreement', '/agreements/' || id, start_by,
          case proposed_by when 'contractor' then requester else contractor end
        from agreements where status = 'PROPOSED'
        union all
        select 'delivery', 'Deliver under an agreement', '/agreements/' || id, deliver_by, contractor
        from agreements where status = 'AGREED'
          and (terms->>'payment' = 'on-delivery' or value_micro = 0 or paid_at is not null)
      ) as due
      join agents on agents.wallet = due.wallet
      join email_addresses on email_addresses.agent_id = agents.id
      join webhooks on webhooks.id = email_addresses.webhook_id
      where until > ${now.toISOString()}::timestamptz and until <= ${soon}::timestamptz
        and confirmed_at is not null and webhooks.status = 'active'
      order by until`;
    const mails = due.map(({ webhookId, kind, wallet, task, path, until }) => {
      const subject = `${task} before ${DATE.format(new Date(until))} UTC`;
      const key = `mail.deadline:${task}:${path}:${new Date(until).toISOString()}`;
      return { webhookId, kind, key, subject, lines: [`You own ${wallet}. ${subject}:`, path] };
    });
    return (await storeMails(core, tx, mails, now)).size;
  });
}
