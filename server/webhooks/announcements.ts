import type { z } from "zod";
import { disputeOpened } from "@/server/disputes/events";
import { getPublicDispute } from "@/server/disputes/queries";
import type { AppEvent, Transaction } from "@/server/lib/context";
import { getPublicOutcomes } from "@/server/outcomes/queries";
import { scoreUpdated } from "@/server/reputation/events";
import { addCountsFrom } from "@/server/reputation/queries";
import { disputeResolved, outcomeResolved } from "@/server/settlement/events";
import type { WebhookEvent, WebhookEventData } from "./schema";

/** A wallet that receives an event, or the outcome or dispute whose parties do. */
export type Subject = { wallet: string } | { outcomeId: string } | { disputeId: string };

/** A domain event that webhooks can subscribe to. */
export interface Announcement {
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
      Promise.all(events.map(({ disputeId }) => readDispute(tx, disputeId, at))),
  }),
  "dispute.resolved": createAnnouncer(disputeResolved, {
    getSubject: ({ disputeId }) => ({ disputeId }),
    getKey: ({ disputeId }) => disputeId,
    readData: (tx, events, at) =>
      Promise.all(
        events.map(async ({ disputeId, scoreImpact }) => {
          const dispute = await readDispute(tx, disputeId, at);
          return { ...dispute, agentAddress: dispute.contractorAgentAddress, scoreImpact };
        }),
      ),
  }),
} satisfies { [W in WebhookEvent]: Announcer<unknown, W> };

const EVENTS = Object.keys(announcers) as WebhookEvent[];
const eventByTrigger = new Map(EVENTS.map((event) => [announcers[event].trigger, event]));

/** Returns the announcement of a domain event, or null if webhooks cannot subscribe to it. */
export function toAnnouncement(source: AppEvent): Announcement | null {
  const event = eventByTrigger.get(source.name);
  if (!event) return null;
  const { getSubject, getKey } = announcers[event];
  const { data } = source;
  return { source, event, subject: getSubject(data), key: `${event}:${getKey(data)}` };
}

/** Reads the data that each announcement carries, as `tx` sees its subject at `at`. */
export async function readAnnouncementData(
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

async function readDispute(tx: Transaction, disputeId: string, at: Date) {
  const dispute = await getPublicDispute(tx, disputeId, at);
  if (!dispute) throw new Error(`there is no dispute ${disputeId} to announce`);
  return dispute;
}
