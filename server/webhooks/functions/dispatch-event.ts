import { defineFunction } from "@/server/lib/background-function";
import type { AppEvent } from "@/server/lib/context";
import type { FunctionCore } from "@/server/lib/inngest";
import { announce } from "@/server/webhooks/announce";
import { announcementDeferred } from "@/server/webhooks/events";

/** Announces an event again whose webhook was locked by its deletion when the event happened. */
export const dispatchEvent = (core: FunctionCore) =>
  defineFunction(
    {
      id: "dispatch-event",
      triggers: [announcementDeferred],
      // The protocol's maximum: about half a day, with an hour between the last retries.
      retries: 20,
    },
    async ({ event }) => {
      const source: AppEvent = event.data;
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
