import { and, eq, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import { requeue } from "@/server/db/requeue";
import type { Core, Sql } from "@/server/lib/context";
import { HOUR_MS, MINUTE_MS } from "@/server/lib/time";
import { outcomeSubmitted } from "./events";
import { outcomes } from "./tables";

const BATCH = 500;

/**
 * Age at which `resume-stalled-outcomes` requeues an outcome, in case its run was lost. Few runs
 * take longer, except while the judge is unavailable; a second run is harmless but may repeat a call
 * of the judge.
 */
export const UNJUDGED_REQUEUED_MS = 2 * MINUTE_MS;

/**
 * A run gives up after five retries with nine minutes of backoff and calls of up to a minute each,
 * so an older outcome needs attention. It requeues none more often than this.
 */
export const UNJUDGED_STALLED_MS = 15 * MINUTE_MS;

/**
 * The slow queue may take hours if many texts wait for it. An outcome left to it earlier than that
 * most likely has no run there.
 */
export const UNANSWERED_STALLED_MS = 6 * HOUR_MS;

/** An outcome whose judgement fails for as long by a fault of the service is stored as not assessed. */
export const FAULTY_MS = 10 * MINUTE_MS;

/** Matches outcomes of such faults, including those not assessed and not judged again since. */
export const whereFaulty = isNotNull(outcomes.faultedAt);

/** Matches outcomes that are pending judgement. */
export const whereUnjudged = and(eq(outcomes.status, "EVALUATING"), isNull(outcomes.judgedAt));

/** Returns the number of outcomes pending judgement. */
export const countUnjudged = (db: Sql): Promise<number> => db.$count(outcomes, whereUnjudged);

/** Returns the number of outcomes that have had no recorded verdict for more than a minute. */
export function countDelayed(db: Sql, now: Date): Promise<number> {
  const { status, submittedAt } = outcomes;
  const minuteAgo = new Date(now.getTime() - MINUTE_MS);
  return db.$count(outcomes, and(eq(status, "EVALUATING"), lt(submittedAt, minuteAgo)));
}

/**
 * Requeues up to `limit` unjudged outcomes submitted before `submittedBefore`, or just the outcome
 * `only`. Returns the number requeued. A repeat with the same `cause` requeues no outcome twice. With
 * `unansweredBefore`, skips those that were left to the slow queue since. With `isFaulty`, requeues
 * faulty outcomes instead.
 */
export function requeueUnjudged(
  core: Pick<Core, "db" | "publish">,
  {
    submittedBefore,
    unansweredBefore,
    cause,
    limit = BATCH,
    only,
    isFaulty = false,
  }: {
    submittedBefore: Date;
    unansweredBefore?: Date;
    cause: string;
    limit?: number;
    only?: string | undefined;
    isFaulty?: boolean;
  },
): Promise<number> {
  const wherePending = and(
    isFaulty ? whereFaulty : whereUnjudged,
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
