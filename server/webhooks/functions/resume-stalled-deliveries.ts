import type { FunctionCore } from "@/server/lib/inngest";
import { resumeStalled } from "@/server/webhooks/resume";

/** Requeues overdue deliveries every minute. */
export const resumeStalledDeliveries = (core: FunctionCore) =>
  core.inngest.createFunction(
    { id: "resume-stalled-deliveries", triggers: [{ cron: "* * * * *" }], retries: 0 },
    async () => {
      const resumed = await resumeStalled(core, new Date());
      if (resumed > 0) core.log.warn({ resumed }, "stalled webhook deliveries were sent on");
      return { resumed };
    },
  );
