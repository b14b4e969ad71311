import type { Publish } from "@/server/lib/context";
import { scoreUpdated } from "@/server/reputation/events";
import { disputeResolved, outcomeResolved } from "@/server/settlement/events";
import { announce } from "@/server/webhooks/announce";

/** Events that start no function: webhooks are their only consumers. */
export const ANNOUNCED_ONLY: ReadonlySet<string> = new Set(
  [outcomeResolved, disputeResolved, scoreUpdated].map(({ name }) => name),
);

/**
 * Creates the publisher of domain events: stores their deliveries to webhooks in the caller's
 * transaction, and passes to the engine, in one call, the events that start functions and those of
 * the deliveries.
 */
export function createPublish(publishToEngine: Publish): Publish {
  return async (tx, events) => {
    const due = await announce(tx, events);
    const starting = [...events.filter(({ name }) => !ANNOUNCED_ONLY.has(name)), ...due];
    if (starting.length > 0) await publishToEngine(tx, starting);
  };
}
