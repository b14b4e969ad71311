import { findOutage, OUTAGE_AFTER_MS } from "@/server/judging/availability";
import { defineFunction } from "@/server/lib/background-function";
import type { Core } from "@/server/lib/context";
import type { FunctionCore } from "@/server/lib/inngest";
import { MINUTE_MS } from "@/server/lib/time";
import { requeueUnjudged } from "@/server/outcomes/pending-outcomes";

/**
 * Requeues one outcome while the judge is failing, to detect its recovery within a minute: during a
 * long outage, retries are many minutes apart. Picks any outcome except recent ones, whose first
 * retries are still close together. Returns the number requeued.
 */
export async function requeueOneOutcome(
  core: Pick<Core, "db" | "publish">,
  judgeId: string,
  now: Date,
): Promise<number> {
  const longAgo = new Date(now.getTime() - OUTAGE_AFTER_MS);
  const outage = await findOutage(core, judgeId);
  if (!outage || outage.since > longAgo) return 0;
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  return requeueUnjudged(core, { submittedBefore: longAgo, cause: `probe-${minute}`, limit: 1 });
}

export const probeFailingJudge = (core: FunctionCore, judgeId: string) =>
  defineFunction(
    { id: "probe-failing-judge", triggers: [{ cron: "* * * * *" }], retries: 0 },
    ({ step }) => step.run("probe", () => requeueOneOutcome(core, judgeId, new Date())),
  );
