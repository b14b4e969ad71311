import type { z } from "zod";
import {
  agreementAgreed,
  agreementEnded,
  agreementPaid,
  agreementProposed,
} from "@/server/agreements/events";
import { toAnnouncedAgreement } from "@/server/agreements/public-agreement";
import { findAgreements } from "@/server/agreements/queries";
import { array, columns } from "@/server/db/arrays";
import { disputeOpened } from "@/server/disputes/events";
import { getPublicDispute } from "@/server/disputes/queries";
import { evaluatorDeclined } from "@/server/escrows/events";
import { getDeclinedJob } from "@/server/escrows/queries";
import type { AppEvent, Transaction } from "@/server/lib/context";
import { getPublicOutcomes } from "@/server/outcomes/queries";
import { scoreUpdated } from "@/server/reputation/events";
import { addCountsFrom } from "@/server/reputation/queries";
import { disputeResolved, outcomeResolved } from "@/server/settlement/events";
import { createDeferredEvent, createDueEvent, type DueDelivery } from "./events";
import type { WebhookEvent, WebhookEventData } from "./schema";
import { buildPayload } from "./signature";

/**
 * Stores a delivery of `events` for every active webhook that is subscribed, in the
 * transaction that causes the events and after all its other changes. Returns the events to publish
 * in it: one for each stored delivery, and one for each event that must be announced again later,
 * because a webhook was locked by its deletion. Costs one statement if there is no subscriber.
 * Deliveries that exist are skipped, so it is idempotent.
 */
export async function announce(
  tx: Transaction,
  events: AppEvent[],
  at = new Date(),
): Promise<AppEvent[]> {
  const announcements = events.flatMap((event) => toAnnouncement(event) ?? []);
  if (announcements.length === 0) return [];
  const targets = await findTargets(tx, announcements);
  if (targets.length === 0) return [];
  const messages = await buildMessages(
    tx,
    [...new Set(targets.map((one) => one.announcement))],
    at,
  );
  const { stored, locked } = await storeDeliveries(
    tx,
    [...messages.values()],
    targets.flatMap(({ announcement, webhookId }) => {
      const message = messages.get(announcement);
      return message ? [{ webhookId, messageId: message.id }] : [];
    }),
  );
  const missed = targets.filter(({ webhookId }) => !locked.has(webhookId));
  const deferred = new Set(missed.map(({ announcement }) => announcement.source));
  return [
    ...stored.map((delivery) => createDueEvent(delivery)),
    ...[...deferred].map(createDeferredEvent),
  ];
}

async function buildMessages(tx: Transaction, announcements: Announcement[], at: Date) {
  const data = await readAnnouncementData(tx, announcements, at);
  return new Map(
    [...data].map(([announcement, data]) => {
      const { key, event } = announcement;
      return [announcement, { event, ...buildPayload({ key, event, at, data }) }];
    }),
  );
}

/** A webhook that is subscribed to an announcement. */
interface Target {
  announcement: Announcement;
  webhookId: string;
}

/**
 * Finds the active webhooks that are subscribed to announcements, by one statement for
 * all of them. It is prepared, because most settlements run it only to find none. `offset 0` keeps the
 * planner from reading all webhooks when there are many receivers. Agreements are private: an agent
 * gets only those that it may read (`agreements/queries.ts`).
 */
async function findTargets(tx: Transaction, announcements: Announcement[]): Promise<Target[]> {
  const subjects: ({ event: string } & Partial<
    Record<"wallet" | "outcomeId" | "disputeId" | "agreementId", string>
  >)[] = announcements.map(({ event, subject }) => ({ event, ...subject }));
  const rows = await tx.sql<{ position: number; webhookId: string }[]>`
    with announced as (
      select position::int, event, wallet::char(42), outcome_id, dispute_id, agreement_id
      from unnest(${columns(tx.sql, subjects, {
        event: "text",
        wallet: "text",
        outcomeId: "uuid",
        disputeId: "uuid",
        agreementId: "uuid",
      })}) with ordinality
        as a(event, wallet, outcome_id, dispute_id, agreement_id, position)
    ), receivers as (
      select position, event, wallet, false as is_private, false as has_signed
      from announced where wallet is not null
      union all
      select position, event, unnest(array[outcomes.contractor, outcomes.requester]), false, false
      from announced join outcomes on outcomes.id = outcome_id
      union all
      select position, event, unnest(array[disputes.contractor, disputes.requester]), false, false
      from announced join disputes on disputes.id = dispute_id
      union all
      select position, event, party.wallet, true, party.signature is not null
      from announced join agreements on agreements.id = agreement_id cross join lateral (
        values (contractor, contractor_signature), (requester, requester_signature)
      ) as party(wallet, signature)
    )
    select distinct position, subscriber.id as "webhookId"
    from receivers cross join lateral (
      select webhooks.id, status, events
      from agents join webhooks on webhooks.agent_id = agents.id
      where agents.wallet = receivers.wallet
        and (not is_private or has_signed or agents.wallet_verified_at is not null)
      offset 0
    ) as subscriber
    where status = 'active' and event = any(events)`;
  return rows.flatMap(({ position, webhookId }) => {
    const announcement = announcements[position - 1];
    return announcement ? [{ announcement, webhookId }] : [];
  });
}

/** An event as its receivers get it. */
interface Message {
  /** Id of the event for receivers. */
  id: string;
  event: string;
  body: string;
}

/** A message for one webhook. */
interface Recipient {
  webhookId: string;
  messageId: string;
}

/**
 * Stores a delivery, due now, for each recipient that does not have it, and locks the webhooks until
 * `tx` ends. Skips inactive webhooks and, instead of waiting, those that another transaction is
 * deleting: a takeover deletes webhooks before it waits for outcomes that a settlement has locked, so
 * waiting could deadlock. Returns the stored deliveries and the ids of the locked webhooks.
 */
async function storeDeliveries(
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

/** A wallet that receives an event, or the outcome, dispute or agreement whose parties do. */
type Subject =
  | { wallet: string }
  | { outcomeId: string }
  | { disputeId: string }
  | { agreementId: string };

/** A domain event that webhooks can subscribe to. */
interface Announcement {
  source: AppEvent;
  event: WebhookEvent;
  subject: Subject;
  /** Permanent and unique among all webhook events. */
  key: string;
}

interface Announcer<D, W extends WebhookEvent> {
  getSubject(data: D): Subject;
  /** Permanent and unique within the webhook event. */
  getKey(data: D): string;
  /** Reads the data of several events, in their order. Throws if a subject does not exist. */
  readData(tx: Transaction, events: D[], at: Date): Promise<WebhookEventData<W>[]>;
}

/** The announcer of what happened to agreements. */
const agreementAnnouncer: Announcer<{ agreementId: string }, "agreement.agreed"> = {
  getSubject: ({ agreementId }) => ({ agreementId }),
  getKey: ({ agreementId }) => agreementId,
  async readData(tx, events, at) {
    const rows = await findAgreements(
      tx,
      events.map(({ agreementId }) => agreementId),
    );
    const agreements = new Map(rows.map((row) => [row.id, row]));
    return events.map(({ agreementId }) => {
      const row = agreements.get(agreementId);
      if (!row) throw new Error(`there is no agreement ${agreementId} to announce`);
      return toAnnouncedAgreement(row, at);
    });
  },
};

/** The domain event behind each webhook event, its receivers and its data. */
const announcers = {
  "outcome.resolved": createAnnouncer(outcomeResolved, {
    getSubject: ({ outcomeId }) => ({ outcomeId }),
    getKey: ({ outcomeId }) => outcomeId,
    async readData(tx, events) {
      const ids = events.map(({ outcomeId }) => outcomeId);
      const found = await addCountsFrom(tx, await getPublicOutcomes(tx, ids));
      const outcomes = new Map(found.map((outcome) => [outcome.outcomeId, outcome]));
      return events.map(({ outcomeId, scoreImpact }) => {
        const outcome = outcomes.get(outcomeId);
        if (!outcome) throw new Error(`there is no outcome ${outcomeId} to announce`);
        return { ...outcome, agentAddress: outcome.contractorAgentAddress, scoreImpact };
      });
    },
  }),
  "score.updated": createAnnouncer(scoreUpdated, {
    getSubject: ({ reputation }) => ({ wallet: reputation.walletAddress }),
    getKey: ({ reputation, version }) => `${reputation.walletAddress}:${version}`,
    readData: async (_tx, events) =>
      events.map(({ reputation, ...change }) => ({ ...reputation, ...change })),
  }),
  "dispute.opened": createAnnouncer(disputeOpened, {
    getSubject: ({ disputeId }) => ({ disputeId }),
    getKey: ({ disputeId }) => disputeId,
    readData: (tx, events, at) =>
      Promise.all(events.map(({ disputeId }) => getPublicDispute(tx, disputeId, at))),
  }),
  "dispute.resolved": createAnnouncer(disputeResolved, {
    getSubject: ({ disputeId }) => ({ disputeId }),
    getKey: ({ disputeId }) => disputeId,
    readData: (tx, events, at) =>
      Promise.all(
        events.map(async ({ disputeId, scoreImpact }) => {
          const dispute = await getPublicDispute(tx, disputeId, at);
          return { ...dispute, agentAddress: dispute.contractorAgentAddress, scoreImpact };
        }),
      ),
  }),
  "agreement.proposed": createAnnouncer(agreementProposed, agreementAnnouncer),
  "agreement.agreed": createAnnouncer(agreementAgreed, agreementAnnouncer),
  "agreement.paid": createAnnouncer(agreementPaid, agreementAnnouncer),
  "agreement.ended": createAnnouncer(agreementEnded, agreementAnnouncer),
  "evaluator.declined": createAnnouncer(evaluatorDeclined, {
    getSubject: ({ wallet }) => ({ wallet }),
    getKey: ({ escrowJobId, wallet }) => `${escrowJobId}:${wallet}`,
    readData: (tx, events) =>
      Promise.all(events.map(({ escrowJobId }) => getDeclinedJob(tx, escrowJobId))),
  }),
} satisfies { [W in WebhookEvent]: Announcer<unknown, W> };

const EVENTS = Object.keys(announcers) as WebhookEvent[];
const eventByTrigger = new Map(EVENTS.map((event) => [announcers[event].trigger, event]));

/** Returns the announcement of a domain event, or null if webhooks cannot subscribe to it. */
function toAnnouncement(source: AppEvent): Announcement | null {
  const event = eventByTrigger.get(source.name);
  if (!event) return null;
  const { getSubject, getKey } = announcers[event];
  const { data } = source;
  return { source, event, subject: getSubject(data), key: `${event}:${getKey(data)}` };
}

/** Reads the data that each announcement carries, as `tx` sees its subject at `at`. */
async function readAnnouncementData(
  tx: Transaction,
  announcements: Announcement[],
  at: Date,
): Promise<Map<Announcement, Record<string, unknown>>> {
  const read = EVENTS.map(async (event) => {
    const group = announcements.filter((announcement) => announcement.event === event);
    if (group.length === 0) return [];
    const events = group.map(({ source }) => source.data);
    const data = await announcers[event].readData(tx, events, at);
    return group.map((announcement, index) => [announcement, data[index] ?? {}] as const);
  });
  return new Map((await Promise.all(read)).flat());
}

function createAnnouncer<T extends { name: string; schema: z.ZodType }, W extends WebhookEvent>(
  { name }: T,
  announcer: Announcer<z.infer<T["schema"]>, W>,
): Announcer<unknown, W> & { trigger: string } {
  return { ...(announcer as Announcer<unknown, W>), trigger: name };
}
