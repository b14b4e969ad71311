import { defineFunction } from "@/server/lib/background-function";
import type { Core } from "@/server/lib/context";
import { isNodeLimit } from "@/server/lib/unavailable";
import { type Work, workDue } from "@/server/lib/work";
import { requeue, requeueOverdue } from "./requeue";

const EVERY_MINUTE = "* * * * *";
/** Soon after midnight, when scores change. */
const EVERY_HOUR = "5 * * * *";
/** Items that are requeued at once if asked for; the minutes after it requeue the others. */
const AT_ONCE = 5_000;

type SweepCore = Pick<Core, "db" | "publish" | "log">;

/** Creates the function that makes all work due, every minute or every hour. */
export const defineSweep = <D>(works: Work<D>[]) =>
  defineFunction(
    { id: "sweep", triggers: [{ cron: EVERY_MINUTE }, { cron: EVERY_HOUR }], retries: 0 },
    async ({ event }, { core }: { core: SweepCore }) => {
      const period = event.data.cron === EVERY_HOUR ? "hour" : "minute";
      const due = works.filter(
        ({ every = "minute", sweep, requeue }) =>
          every === period && (sweep || requeue?.afterMs !== undefined),
      );
      const events = due.map(({ name: work }) => ({
        id: `${event.id}:${work}`,
        name: workDue.name,
        data: { work, isAsked: false },
      }));
      await core.db.transaction((tx) => core.publish(tx, events));
    },
  );

/**
 * Creates the function that does due work, one call at a time of each kind. What a call fails to do, the
 * next one does, so that its run never fails; what stays undone shows as stalled.
 */
export const defineDueWork = <D extends { core: SweepCore }>(works: Work<D>[]) =>
  defineFunction(
    {
      id: "do-due-work",
      triggers: [workDue],
      retries: 0,
      concurrency: { field: "work", perValue: 1 },
    },
    async ({ event, step }, dependencies: D) => {
      const work = works.find(({ name }) => name === event.data.work);
      // Of another version.
      if (!work) return;
      const { core } = dependencies;
      const { isAsked } = event.data;
      const now = new Date();
      try {
        const requeued = isAsked
          ? await requeue(core, work, { now, cause: event.id, limit: AT_ONCE })
          : await requeueOverdue(core, work, now);
        if (requeued > 0) core.log.info({ work: work.name, requeued }, "requeued waiting work");
        await work.sweep?.(dependencies, { now, isAsked, step });
      } catch (error) {
        const level = isNodeLimit(error) ? "warn" : "error";
        core.log[level]({ err: error, work: work.name }, "a sweep failed");
      }
    },
  );
