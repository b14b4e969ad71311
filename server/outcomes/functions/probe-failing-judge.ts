import { findOutage, OUTAGE_AFTER_MS } from "@/server/judging/availability";
import type { Core } from "@/server/lib/context";
import type { FunctionCore } from "@/server/lib/inngest";
import { resumeWaiting } from "@/server/outcomes/waiting";

/**
 * Has one outcome judged while the judge fails, so that its return is noticed within a minute: the
 * retries of a long outage lie many minutes apart. Any outcome will do but the latest, whose own
 * first retries are still close together. How many were sent on.
 */
export async function probeFailingJudge(
  core: Pick<Core, "db" | "publish">,
  judgeId: string,
  now: Date,
): Promise<number> {
  const longAgo = new Date(now.getTime() - OUTAGE_AFTER_MS);
  const outage = await findOutage(core, judgeId);
  if (!outage || outage.since > longAgo) return 0;
  const minute = Math.floor(now.getTime() / 60_000);
  return resumeWaiting(core, { submittedBefore: longAgo, cause: `probe-${minute}`, limit: 1 });
}

export const probeJudge = (core: FunctionCore, judgeId: string) =>
  core.inngest.createFunction(
    { id: "probe-failing-judge", triggers: [{ cron: "* * * * *" }], retries: 0 },
    ({ step }) => step.run("probe", () => probeFailingJudge(core, judgeId, new Date())),
  );
