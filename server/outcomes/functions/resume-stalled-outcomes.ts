import type { Core } from "@/server/lib/context";
import type { FunctionCore } from "@/server/lib/inngest";
import { resumeWaiting } from "@/server/outcomes/waiting";

/**
 * A run gives up after five retries that wait nine minutes, and calls of up to a minute between
 * them, so what is older has most likely none. A second run would do no harm, only the work twice.
 */
const STALLED_AFTER_MS = 15 * 60_000;

/**
 * Has outcomes judged that stopped on their way to it; how many. What is judged and not recorded is
 * the affair of `settle-stalled-records`.
 */
export function resumeStalled(core: Pick<Core, "db" | "publish">, now: Date): Promise<number> {
  // The cause makes a second resumption in the same quarter of an hour a no-op.
  const round = Math.floor(now.getTime() / STALLED_AFTER_MS);
  return resumeWaiting(core, {
    submittedBefore: new Date(now.getTime() - STALLED_AFTER_MS),
    cause: `resume-${round}`,
  });
}

export const resumeStalledOutcomes = (core: FunctionCore) =>
  core.inngest.createFunction(
    { id: "resume-stalled-outcomes", triggers: [{ cron: "*/2 * * * *" }], retries: 0 },
    async ({ step }) => {
      const resumed = await step.run("resume", () => resumeStalled(core, new Date()));
      if (resumed > 0) core.log.warn({ resumed }, "stalled outcomes were sent on");
      return { resumed };
    },
  );
