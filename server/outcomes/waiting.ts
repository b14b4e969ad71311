import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { Core, Sql } from "@/server/lib/context";
import { outcomeSubmitted } from "./events";
import { outcomes } from "./tables";

const BATCH = 500;
const waiting = and(eq(outcomes.status, "EVALUATING"), isNull(outcomes.judgedAt));

/** How many outcomes wait for their judge. */
export const countWaiting = (db: Sql): Promise<number> => db.$count(outcomes, waiting);

/**
 * Has outcomes judged that wait for it since before `submittedBefore`, at most `limit` of them; how
 * many. `cause` makes it once for each: whoever comes with the same cause again is a no-op.
 */
export async function resumeWaiting(
  core: Pick<Core, "db" | "publish">,
  {
    submittedBefore,
    cause,
    limit = BATCH,
  }: { submittedBefore: Date; cause: string; limit?: number },
): Promise<number> {
  return core.db.transaction(async (tx) => {
    const resumed = await tx
      .select({ id: outcomes.id })
      .from(outcomes)
      .where(and(waiting, lt(outcomes.submittedAt, submittedBefore)))
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
