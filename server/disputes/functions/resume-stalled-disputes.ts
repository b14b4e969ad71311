import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { reviewDue } from "@/server/disputes/events";
import { disputes } from "@/server/disputes/tables";
import { judgeRecovered } from "@/server/judging/events";
import type { Core } from "@/server/lib/context";
import type { FunctionCore } from "@/server/lib/inngest";

/**
 * A run gives up after five retries that wait nine minutes, and calls to models of some minutes
 * between them. Where one still goes on, it and this one wait for each other.
 */
const STALLED_AFTER_MS = 15 * 60_000;
const BATCH = 500;

/**
 * Has disputes reviewed whose review was due before `dueBefore` and came to no end; how many. Who
 * comes with the same `cause` again changes nothing. What is judged and not recorded is the affair of
 * `settle-stalled-records`.
 */
export async function resumeDisputes(
  core: Pick<Core, "db" | "publish">,
  { dueBefore, cause }: { dueBefore: Date; cause: string },
): Promise<number> {
  return core.db.transaction(async (tx) => {
    const stalled = await tx
      .select({ id: disputes.id })
      .from(disputes)
      .where(
        and(
          eq(disputes.status, "OPEN"),
          isNull(disputes.judgedAt),
          or(lt(disputes.expiresAt, dueBefore), lt(disputes.reviewStartedAt, dueBefore)),
        ),
      )
      // Not the oldest first: some that no judge ever decides would keep all others out.
      .orderBy(sql`random()`)
      .limit(BATCH);
    await core.publish(
      tx,
      stalled.map(({ id }) => ({
        id: `${cause}:${reviewDue.name}:${id}`,
        name: reviewDue.name,
        data: { disputeId: id },
      })),
    );
    return stalled.length;
  });
}

/** At regular times what stalled; all that is due as soon as a judge answers again. */
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
          return resumeDisputes(core, { dueBefore: new Date(now), cause: `recovered-${event.id}` });
        }
        return resumeDisputes(core, {
          dueBefore: new Date(now - STALLED_AFTER_MS),
          // A second resumption in the same quarter of an hour is a no-op.
          cause: `resume-${Math.floor(now / STALLED_AFTER_MS)}`,
        });
      });
      if (resumed > 0) core.log.warn({ resumed }, "disputes were sent on to their review");
      return { resumed };
    },
  );
