import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { Core, Sql } from "@/server/lib/context";
import { outcomeSubmitted } from "./events";
import { outcomes } from "./tables";

const BATCH = 500;

/**
 * A run gives up after five retries that wait nine minutes, and calls of up to a minute between
 * them, so what is older has most likely none. A second run would do no harm, only the work twice.
 */
export const UNJUDGED_STALLED_MS = 15 * 60_000;

/** That an outcome waits for its judge. */
export const isUnjudged = and(eq(outcomes.status, "EVALUATING"), isNull(outcomes.judgedAt));

/** How many outcomes wait for their judge. */
export const countWaiting = (db: Sql): Promise<number> => db.$count(outcomes, isUnjudged);

/**
 * Has outcomes judged that wait for it since before `submittedBefore`, at most `limit` of them; how
 * many; of all of them, or `only` of one. `cause` makes it once for each: whoever comes with the same
 * cause again is a no-op.
 */
export async function resumeWaiting(
  core: Pick<Core, "db" | "publish">,
  {
    submittedBefore,
    cause,
    limit = BATCH,
    only,
  }: { submittedBefore: Date; cause: string; limit?: number; only?: string | undefined },
): Promise<number> {
  return core.db.transaction(async (tx) => {
    const resumed = await tx
      .select({ id: outcomes.id })
      .from(outcomes)
      .where(
        and(
          isUnjudged,
          lt(outcomes.submittedAt, submittedBefore),
          only ? eq(outcomes.id, only) : undefined,
        ),
      )
      // Not the oldest first: some that no judge ever decides would keep all others out.
      .orderBy(sql`random()`)
      .limit(limit);
    await core.publish(
      tx,
      resumed.map(({ id }) => ({
        id: `${cause}:${outcomeSubmitted.name}:${id}`,
        name: outcomeSubmitted.name,
        data: { outcomeId: id },
      })),
    );
    return resumed.length;
  });
}
