import { sql } from "drizzle-orm";
import { type Judge, JudgeUnavailable } from "@/server/judging/judge";
import type { Core } from "@/server/lib/context";
import { HOUR_MS, MINUTE_MS } from "@/server/lib/time";
import { selectWaiting, type Work } from "@/server/lib/work";
import { outcomeSubmitted } from "./events";
import { FAULTY_MS, whereFaulty, whereUnjudged } from "./pending-outcomes";
import { searchDeliveryPayments } from "./search-delivery-payments";
import { outcomes } from "./tables";

/**
 * The slow queue may take hours if many texts wait for it. An outcome left to it earlier than that
 * most likely has no run there.
 */
const SLOW_QUEUE_MS = 6 * HOUR_MS;

const data = sql`jsonb_build_object('outcomeId', ${outcomes.id}, 'client', ${outcomes.submitterClient})`;
const plusMs = (ms: number) => sql`${ms}::float8 * interval '1 millisecond'`;

/**
 * Outcomes without a verdict. Few runs take two minutes. Another run waits for the first one in its
 * process, and finds the outcome judged; in an outage, both end at once.
 */
export const unjudgedOutcomes: Work = {
  name: "outcomes",
  waiting: {
    description: "outcomes without a verdict",
    // A run gives up after five retries with nine minutes of backoff.
    stalledAfterMs: 15 * MINUTE_MS,
    select: () =>
      selectWaiting(outcomes, {
        since: outcomes.submittedAt,
        where: whereUnjudged,
        data,
        heldUntil: sql`greatest(
          ${outcomes.unansweredAt} + ${plusMs(SLOW_QUEUE_MS)},
          ${outcomes.faultedAt} + ${plusMs(FAULTY_MS + 5 * MINUTE_MS)})`,
      }),
  },
  requeue: { event: outcomeSubmitted.name, afterMs: 2 * MINUTE_MS },
};

/** Outcomes of faults; an operator has them judged again after the repair. */
export const faultyOutcomes: Work = {
  name: "faults",
  waiting: {
    description: "outcomes that a fault of the service kept from being judged",
    stalledAfterMs: FAULTY_MS,
    select: () => selectWaiting(outcomes, { since: outcomes.faultedAt, where: whereFaulty, data }),
  },
  requeue: { event: outcomeSubmitted.name },
};

/** Payments of delivered work, which clients may make by a plain transfer. */
export const deliveryPayments: Work<{ core: Core }> = {
  name: "delivery-payments",
  every: "hour",
  sweep: ({ core }) => searchDeliveryPayments(core),
};

/**
 * Asks a harmless question of each failing model whose next probe is due, so that a recovery is noticed
 * even if no outcome arrives. Outcomes that wait ask nothing.
 */
export const failingModels: Work<{ judge: Judge }> = {
  name: "failing-models",
  async sweep({ judge }) {
    for (const model of judge.models) {
      await judge.probe(model, { onlyIfDue: true }).catch((error) => {
        if (!(error instanceof JudgeUnavailable)) throw error;
      });
    }
  },
};
