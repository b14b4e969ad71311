import { requeueDisputes, UNREVIEWED_STALLED_MS } from "@/server/disputes/pending-disputes";
import { pruneDocuments } from "@/server/disputes/prune-documents";
import { judgeRecovered } from "@/server/judging/events";
import type { FunctionCore } from "@/server/lib/inngest";

/** Requeues stalled reviews periodically, all due ones when a judge recovers, and prunes pages. */
export const resumeStalledDisputes = (core: FunctionCore) =>
  core.inngest.createFunction(
    {
      id: "resume-stalled-disputes",
      triggers: [{ cron: "*/2 * * * *" }, judgeRecovered],
      retries: 0,
    },
    async ({ event, step }) => {
      const resumed = await step.run("resume", () => {
        const now = Date.now();
        if (event.name === judgeRecovered.name) {
          return requeueDisputes(core, {
            dueBefore: new Date(now),
            cause: `recovered-${event.id}`,
          });
        }
        return requeueDisputes(core, {
          dueBefore: new Date(now - UNREVIEWED_STALLED_MS),
          // A second resumption in the same quarter of an hour is a no-op.
          cause: `resume-${Math.floor(now / UNREVIEWED_STALLED_MS)}`,
        });
      });
      if (resumed > 0) core.log.warn({ resumed }, "requeued stalled reviews");
      await step.run("prune", () => pruneDocuments(core, new Date()));
      return { resumed };
    },
  );
