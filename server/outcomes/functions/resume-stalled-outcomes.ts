import { defineFunction } from "@/server/lib/background-function";
import type { Core } from "@/server/lib/context";
import type { FunctionCore } from "@/server/lib/inngest";
import {
  requeueUnjudged,
  UNANSWERED_STALLED_MS,
  UNJUDGED_REQUEUED_MS,
  UNJUDGED_STALLED_MS,
} from "@/server/outcomes/pending-outcomes";

/**
 * Requeues stalled unjudged outcomes and returns their number. Skips those that wait in the slow
 * queue, which only that queue can judge. Outcomes that are judged but not recorded are handled by
 * `settle-stalled-records`.
 */
export function requeueStalled(core: Pick<Core, "db" | "publish">, now: Date): Promise<number> {
  // The cause makes a second requeue within the same quarter of an hour a no-op.
  const round = Math.floor(now.getTime() / UNJUDGED_STALLED_MS);
  return requeueUnjudged(core, {
    submittedBefore: new Date(now.getTime() - UNJUDGED_REQUEUED_MS),
    unansweredBefore: new Date(now.getTime() - UNANSWERED_STALLED_MS),
    cause: `resume-${round}`,
  });
}

export const resumeStalledOutcomes = (core: FunctionCore) =>
  defineFunction(
    { id: "resume-stalled-outcomes", triggers: [{ cron: "* * * * *" }], retries: 0 },
    async ({ step }) => {
      const resumed = await step.run("resume", () => requeueStalled(core, new Date()));
      if (resumed > 0) core.log.warn({ resumed }, "requeued stalled outcomes");
      return { resumed };
    },
  );
