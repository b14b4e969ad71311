import {
  requeueDisputes,
  UNREVIEWED_REQUEUED_MS,
  UNREVIEWED_STALLED_MS,
} from "@/server/disputes/pending-disputes";
import { pruneDocuments } from "@/server/disputes/prune-documents";
import { judgeRecovered } from "@/server/judging/events";
import { defineFunction } from "@/server/lib/background-function";
import type { Core } from "@/server/lib/context";
import type { FunctionCore } from "@/server/lib/inngest";

/** Requeues stalled reviews and returns their number. */
export function requeueStalledDisputes(
  core: Pick<Core, "db" | "publish">,
  now: Date,
): Promise<number> {
  // The cause makes a second requeue within the same quarter of an hour a no-op.
  const round = Math.floor(now.getTime() / UNREVIEWED_STALLED_MS);
  return requeueDisputes(core, {
    dueBefore: new Date(now.getTime() - UNREVIEWED_REQUEUED_MS),
    cause: `resume-${round}`,
  });
}

/** Requeues stalled reviews periodically, all due ones when a judge recovers, and prunes pages. */
export const resumeStalledDisputes = (core: FunctionCore) =>
  defineFunction(
    {
      id: "resume-stalled-disputes",
      triggers: [{ cron: "* * * * *" }, judgeRecovered],
      retries: 0,
    },
    async ({ event, step }) => {
      const resumed = await step.run("resume", () => {
        const now = new Date();
        if (event.name !== judgeRecovered.name) return requeueStalledDisputes(core, now);
        return requeueDisputes(core, { dueBefore: now, cause: `recovered-${event.id}` });
      });
      if (resumed > 0) core.log.warn({ resumed }, "requeued stalled reviews");
      await step.run("prune", () => pruneDocuments(core, new Date()));
      return { resumed };
    },
  );
