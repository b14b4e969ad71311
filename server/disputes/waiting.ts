import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { Core } from "@/server/lib/context";
import { reviewDue } from "./events";
import { disputes } from "./tables";

/**
 * A run gives up after five retries that wait nine minutes, and calls to models of some minutes
 * between them. Where one still goes on, it and this one wait for each other.
 */
export const UNREVIEWED_STALLED_MS = 15 * 60_000;
const BATCH = 500;

/** That a dispute has no verdict yet. */
export const isUnreviewed = and(eq(disputes.status, "OPEN"), isNull(disputes.judgedAt));

/** When its review was due: as soon as it began, else when the time to answer is over. */
export const reviewDueAt = sql<Date>`least(${disputes.expiresAt}, ${disputes.reviewStartedAt})`;

/**
 * Has disputes reviewed whose review was due before `dueBefore` and came to no end; how many, of all
 * or `only` of one. Who comes with the same `cause` again changes nothing. What is judged and not
 * recorded is the affair of `settle-stalled-records`.
 */
export async function resumeDisputes(
  core: Pick<Core, "db" | "publish">,
  { dueBefore, cause, only }: { dueBefore: Date; cause: string; only?: string | undefined },
): Promise<number> {
  return core.db.transaction(async (tx) => {
    const stalled = await tx
      .select({ id: disputes.id })
      .from(disputes)
      .where(
        and(
          isUnreviewed,
          or(lt(disputes.expiresAt, dueBefore), lt(disputes.reviewStartedAt, dueBefore)),
          only ? eq(disputes.id, only) : undefined,
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
