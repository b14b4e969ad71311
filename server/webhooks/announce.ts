import type { AppEvent, Transaction } from "@/server/lib/context";
import { type Announcement, readAnnouncementData, toAnnouncement } from "./announcements";
import { createDeferredEvent, createDueEvent } from "./events";
import { findTargets } from "./find-targets";
import { buildPayload } from "./payload";
import { storeDeliveries } from "./store-deliveries";

/**
 * Stores a delivery of `events` for every active webhook and watch that is subscribed, in the
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
