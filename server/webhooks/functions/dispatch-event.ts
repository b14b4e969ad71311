import { defineFunction } from "@/server/lib/background-function";
import type { AppEvent, Core } from "@/server/lib/context";
import { announce } from "@/server/webhooks/announce";
import { announcementDeferred } from "@/server/webhooks/events";

/** Announces an event again whose webhook was locked by its deletion when the event happened. */
export const dispatchEvent = defineFunction(
  {
    id: "dispatch-event",
    triggers: [announcementDeferred],
    // The protocol's maximum: about half a day, with an hour between the last retries.
    retries: 20,
  },
  async ({ event }, { core }: { core: Core }) => {
    const source: AppEvent = event.data;
    return core.db.transaction(async (tx) => {
      // The event's own time, so that a repetition has the same payload.
      const due = await announce(tx, [source], new Date(event.ts));
      if (due.some(({ name }) => name === announcementDeferred.name)) {
        throw new Error(`a webhook that receives ${source.id} is still being deleted`);
      }
      await core.publish(tx, due);
      return { added: due.length };
    });
  },
);
