import { judgeRecovered } from "@/server/judging/events";
import { defineFunction } from "@/server/lib/background-function";
import type { FunctionCore } from "@/server/lib/inngest";
import { requeueUnjudged } from "@/server/outcomes/pending-outcomes";

/** Outcomes beyond this limit are left to their own retries and to `resume-stalled-outcomes`. */
const MAX_OUTCOMES = 5_000;

/**
 * Requeues all outcomes pending at the time the judge recovers, without waiting for their retries.
 */
export const resumeAfterOutage = (core: FunctionCore) =>
  defineFunction(
    { id: "resume-after-outage", triggers: [judgeRecovered], retries: 3 },
    async ({ event, step }) => {
      const resumed = await step.run("resume", () =>
        requeueUnjudged(core, {
          submittedBefore: new Date(event.ts ?? Date.now()),
          cause: `recovered-${event.id}`,
          limit: MAX_OUTCOMES,
        }),
      );
      core.log.info({ resumed }, "the judge has recovered: requeued the pending outcomes");
      return { resumed };
    },
  );
