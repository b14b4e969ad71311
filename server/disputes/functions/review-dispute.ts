import { RetryAfterError } from "inngest";
import { disputeAnswered, disputeOpened, reviewDue } from "@/server/disputes/events";
import { reviewDispute as review } from "@/server/disputes/review";
import { JudgeUnavailable } from "@/server/judging/judge";
import type { Reviewer } from "@/server/judging/review";
import { databaseTime } from "@/server/lib/database-time";
import type { FunctionCore } from "@/server/lib/inngest";

/** From then on a text that spoils every answer of a model that else answers counts as unverified. */
const LAST_ATTEMPT = 3;

/**
 * Reviews a dispute: when its time to answer is over, or as soon as it is answered. One run at a time
 * for each dispute, so the later one finds it done and asks no model twice. What outlasts the retries
 * is taken up again by `resume-stalled-disputes`.
 */
export const reviewDispute = (core: FunctionCore, reviewer: Reviewer) =>
  core.inngest.createFunction(
    {
      id: "review-dispute",
      triggers: [disputeOpened, disputeAnswered, reviewDue],
      retries: 5,
      concurrency: { key: "event.data.disputeId", limit: 1 },
    },
    async ({ event, step, attempt }) => {
      if (event.name === disputeOpened.name) {
        await step.sleepUntil("response-window", new Date(event.data.expiresAt));
      }
      await step.run("review", async () => {
        try {
          const state = await review(core, reviewer, event.data.disputeId, {
            // By the clock that woke this run and that says until when an answer is taken.
            now: await databaseTime(core.db),
            lastAttempt: attempt >= LAST_ATTEMPT,
          });
          // The alarm went off a little early: its clock is not ours.
          if (state === "not-due") throw new RetryAfterError("the dispute can be answered", "5s");
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
