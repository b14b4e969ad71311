import { and, eq, isNotNull, isNull, lt } from "drizzle-orm";
import type { Sql } from "@/server/lib/context";
import { MINUTE_MS } from "@/server/lib/time";
import { outcomes } from "./tables";

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
