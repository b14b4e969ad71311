import { and, eq } from "drizzle-orm";
import { RetryAfterError } from "inngest";
import { isOutage } from "@/server/judging/availability";
import { DocumentUnavailable } from "@/server/judging/documents/read-deliverable";
import { type Judge, JudgeUnavailable, TextUnanswered } from "@/server/judging/judge";
import { countSlowPermits } from "@/server/judging/model-client/call-queues";
import type { RequirementDecider } from "@/server/judging/requirements/requirement-decider";
import { type Concurrency, defineFunction } from "@/server/lib/background-function";
import type { Core } from "@/server/lib/context";
import { hasModel } from "@/server/lib/env";
import { isRateLimited } from "@/server/lib/errors";
import { acquireMutex } from "@/server/lib/process/mutex";
import { outcomeSubmitted, outcomeUnanswered } from "@/server/outcomes/events";
import { judgeAndStoreOutcome } from "@/server/outcomes/judge-outcome";
import { whereUnjudged } from "@/server/outcomes/pending-outcomes";
import { outcomes } from "@/server/outcomes/tables";

const RETRIES = 5;
/** Few, since each attempt may take several times `JUDGE_TIMEOUT_SECONDS`. */
const SLOW_RETRIES = 2;

/**
 * Concurrent judgements without a model. Most take milliseconds; those that fetch pages leave the
 * engine's other workers free.
 */
const WITHOUT_MODEL = 64;

/**
 * Limits concurrent judgements to `limit`, and those of one address to half of it, so that a flood
 * from one address leaves the rest to the others.
 */
const limitJudgements = (limit: number): Concurrency => ({
  limit,
  field: "client",
  perValue: Math.ceil(limit / 2),
});

/**
 * Delays before the second, third and fourth attempt to fetch a deliverable: long enough for the
 * remote server to restart, short enough for a verdict within about a minute.
 */
const DOCUMENT_DELAYS = ["2s", "10s", "30s"] as const;

/** Delays after faults of the service, so that the last attempt is made after `FAULTY_MS`. */
const FAULT_DELAYS = ["10s", "30s", "1m", "2m", "7m"] as const;

/** On a busy machine, a call can be overdue by chance: one more attempt before the slow queue. */
const UNANSWERED_SECONDS = 3;

interface Judging {
  core: Core;
  judge: Judge;
  decideRequirements: RequirementDecider;
}

/**
 * Judges one outcome. If the judge twice answers other texts but not this one, leaves it to
 * `judge-unanswered-outcome`, so that it delays no other. While the judge is down, and after the last
 * retry, ends without a verdict: the sweep requeues it, so every outcome gets one.
 */
export const judgeOutcome = defineFunction(
  {
    id: "judge-outcome",
    triggers: [outcomeSubmitted],
    retries: RETRIES,
    concurrency: (env) => limitJudgements(hasModel(env) ? env.JUDGE_CONCURRENCY : WITHOUT_MODEL),
  },
  // Without a step: the verdict is stored by the judgement itself, and a stored result of the step
  // would only be one more write.
  async ({ event, attempt }, { core, judge, decideRequirements }: Judging) => {
    const { outcomeId, client } = event.data;
    // Another run of it, such as the one that noticed a recovery, leaves this one nothing to do.
    const release = await acquireMutex(`judge-outcome:${outcomeId}`);
    try {
      await judgeAndStoreOutcome(core, judge, outcomeId, {
        lastFetch: attempt >= DOCUMENT_DELAYS.length,
        // Earlier attempts may have failed for other reasons than the text.
        lastAttempt: false,
        decideRequirements,
      });
    } catch (error) {
      if (error instanceof TextUnanswered && attempt > 0) {
        await leaveToSlowQueue(core, { outcomeId, client }, event.id);
        return;
      }
      if (await isOutage(core, judge, error)) {
        core.log.info({ outcomeId }, "the outcome waits for the recovery of the judge");
        return;
      }
      const delay = getRetryDelay(error, attempt);
      if (delay === undefined) throw error;
      throw new RetryAfterError((error as Error).message, delay, { cause: error });
    } finally {
      release();
    }
  },
);

/** Starts `judge-unanswered-outcome`, and keeps the sweep from starting more until that gives up. */
function leaveToSlowQueue(
  core: Pick<Core, "db" | "publish">,
  data: { outcomeId: string; client?: string | null | undefined },
  eventId: string,
): Promise<void> {
  const { name } = outcomeUnanswered;
  return core.db.transaction(async (tx) => {
    await tx
      .update(outcomes)
      .set({ unansweredAt: new Date() })
      .where(and(eq(outcomes.id, data.outcomeId), whereUnjudged));
    await core.publish(tx, [{ id: `${name}:${eventId}`, name, data }]);
  });
}

/** Returns when to retry after `error`; undefined leaves that to the engine's backoff. */
function getRetryDelay(error: unknown, attempt: number): string | undefined {
  if (error instanceof TextUnanswered) return `${error.retryAfterSeconds || UNANSWERED_SECONDS}s`;
  if (isRateLimited(error)) return `${error.headers["Retry-After"]}s`;
  if (error instanceof DocumentUnavailable) return DOCUMENT_DELAYS[attempt];
  return error instanceof JudgeUnavailable ? undefined : FAULT_DELAYS[attempt];
}

/**
 * Judges an outcome whose text the model did not answer, or answered slowly, with few others at a
 * time. The last attempt gives it a verdict if the model still answers only other texts; see
 * `JudgeOptions.lastAttempt`.
 */
export const judgeUnansweredOutcome = defineFunction(
  {
    id: "judge-unanswered-outcome",
    triggers: [outcomeUnanswered],
    retries: SLOW_RETRIES,
    concurrency: (env) => limitJudgements(countSlowPermits(env.JUDGE_CONCURRENCY)),
  },
  async ({ event, attempt }, { core, judge, decideRequirements }: Judging) => {
    const { outcomeId } = event.data;
    const lastAttempt = attempt >= SLOW_RETRIES;
    try {
      await judgeAndStoreOutcome(core, judge, outcomeId, {
        lastFetch: true,
        lastAttempt,
        decideRequirements,
        queue: "slow",
      });
    } catch (error) {
      const isDown = await isOutage(core, judge, error);
      // From now on, the sweep requeues it.
      if (lastAttempt || isDown) {
        await core.db
          .update(outcomes)
          .set({ unansweredAt: null })
          .where(eq(outcomes.id, outcomeId));
      }
      if (!isDown) throw error;
    }
  },
);
