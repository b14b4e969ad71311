import { disputeOpened } from "@/server/disputes/events";
import { defineFunction } from "@/server/lib/background-function";
import type { AppEvent } from "@/server/lib/context";
import type { FunctionCore } from "@/server/lib/inngest";
import { scoreUpdated } from "@/server/reputation/events";
import { disputeResolved, outcomeResolved } from "@/server/settlement/events";
import { announce } from "@/server/webhooks/announce";
import { announcementDeferred } from "@/server/webhooks/events";

/**
 * Events that an earlier version left in the queue, to be dispatched by this function. Now the
 * transaction that causes them announces them. Remove these triggers after one release.
 */
const QUEUED_BY_EARLIER_VERSION = [outcomeResolved, scoreUpdated, disputeOpened, disputeResolved];

/** Announces an event again whose webhook was locked by its deletion when the event happened. */
export const dispatchEvent = (core: FunctionCore) =>
  defineFunction(
    {
      id: "dispatch-event",
      triggers: [announcementDeferred, ...QUEUED_BY_EARLIER_VERSION],
      // The protocol's maximum: about half a day, with an hour between the last retries.
      retries: 20,
    },
    async ({ event }) => {
      const deferred = event.name === announcementDeferred.name;
      const source = (deferred ? event.data : event) as AppEvent;
      return core.db.transaction(async (tx) => {
        // The event's own time, so that a repetition has the same payload.
        const due = await announce(tx, [source], new Date(event.ts ?? 0));
        if (due.some(({ name }) => name === announcementDeferred.name)) {
          throw new Error(`a webhook that receives ${source.id} is still being deleted`);
        }
        await core.publish(tx, due);
        return { added: due.length };
      });
    },
  );
