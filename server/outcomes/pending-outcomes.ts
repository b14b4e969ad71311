import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { requeue } from "@/server/db/requeue";
import type { Core, Sql } from "@/server/lib/context";
import { HOUR_MS, MINUTE_MS } from "@/server/lib/time";
import { outcomeSubmitted } from "./events";
import { outcomes } from "./tables";

const BATCH = 500;

/**
 * A run gives up after five retries with nine minutes of backoff and calls of up to a minute each,
 * so an older outcome most likely has no run. A second run is harmless but repeats the work.
 */
export const UNJUDGED_STALLED_MS = 15 * MINUTE_MS;

/**
 * The slow lane may take hours if many texts wait for it. An outcome left to it earlier than that
 * most likely has no run there.
 */
export const UNANSWERED_STALLED_MS = 6 * HOUR_MS;

/** Matches outcomes that are pending judgement. */
export const whereUnjudged = and(eq(outcomes.status, "EVALUATING"), isNull(outcomes.judgedAt));

/** Returns the number of outcomes pending judgement. */
export const countUnjudged = (db: Sql): Promise<number> => db.$count(outcomes, whereUnjudged);

/**
 * Requeues up to `limit` unjudged outcomes submitted before `submittedBefore`, or just the outcome
 * `only`. Returns the number requeued. A repeat with the same `cause` requeues no outcome twice. With
 * `unansweredBefore`, skips those that were left to the slow lane since.
 */
export function requeueUnjudged(
  core: Pick<Core, "db" | "publish">,
  {
    submittedBefore,
    unansweredBefore,
    cause,
    limit = BATCH,
    only,
  }: {
    submittedBefore: Date;
    unansweredBefore?: Date;
    cause: string;
    limit?: number;
    only?: string | undefined;
  },
): Promise<number> {
  const wherePending = and(
    whereUnjudged,
    lt(outcomes.submittedAt, submittedBefore),
    unansweredBefore &&
      or(isNull(outcomes.unansweredAt), lt(outcomes.unansweredAt, unansweredBefore)),
  );
  return requeue(core, {
    name: outcomeSubmitted.name,
    cause,
    find: (tx) =>
      tx
        .select({ id: outcomes.id, client: outcomes.submitterClient })
        .from(outcomes)
        .where(and(wherePending, only ? eq(outcomes.id, only) : undefined))
        // Random order, so that outcomes that no judge ever decides do not starve the others.
        .orderBy(sql`random()`)
        .limit(limit),
    toData: ({ id: outcomeId, client }) => ({ outcomeId, client }),
  });
}
