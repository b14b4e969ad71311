import { RetryAfterError } from "inngest";
import { disputeAnswered, disputeOpened, reviewDue } from "@/server/disputes/events";
import { reviewDispute as review } from "@/server/disputes/review";
import { JudgeUnavailable, type Reviewer } from "@/server/judging/judge";
import type { RequirementDecider } from "@/server/judging/requirements/requirement-decider";
import { defineFunction } from "@/server/lib/background-function";
import type { Core } from "@/server/lib/context";
import { readDatabaseTime } from "@/server/lib/database";

/**
 * From this attempt on, a text that breaks every reply of an otherwise working model counts as
 * unverified.
 */
const LAST_ATTEMPT = 3;

interface Reviewing {
  core: Core;
  judge: Reviewer;
  decideRequirements: RequirementDecider;
}

/**
 * Reviews a dispute when its response window ends or when it is answered. One run at a time per
 * dispute, so a later run finds it done and no model is asked twice. If the retries are exhausted, the
 * sweep requeues it.
 */
export const reviewDispute = defineFunction(
  {
    id: "review-dispute",
    triggers: [disputeOpened, disputeAnswered, reviewDue],
    retries: 5,
    concurrency: { field: "disputeId", perValue: 1 },
  },
  async ({ event, step, attempt }, { core, judge, decideRequirements }: Reviewing) => {
    if (event.name === disputeOpened.name) {
      await step.sleepUntil("response-window", new Date(event.data.expiresAt));
    }
    await step.run("review", async () => {
      try {
        const state = await review(core, judge, event.data.disputeId, {
          // The database's clock woke this run and decides until when an answer is accepted.
          now: await readDatabaseTime(core.db),
          lastAttempt: attempt >= LAST_ATTEMPT,
          decideRequirements,
        });
        // The timer fired slightly early: its clock differs from the database's.
        if (state === "not-due")
          throw new RetryAfterError("the dispute can still be answered", "5s");
      } catch (error) {
        if (error instanceof JudgeUnavailable && error.retryAfterSeconds !== undefined) {
          const delay = `${error.retryAfterSeconds}s`;
          throw new RetryAfterError(error.message, delay, { cause: error });
        }
        throw error;
      }
    });
  },
);
