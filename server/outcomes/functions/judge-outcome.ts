import { RetryAfterError } from "inngest";
import { DocumentUnavailable } from "@/server/judging/documents/read-deliverable";
import { type Judge, JudgeUnavailable } from "@/server/judging/judge";
import type { FunctionCore } from "@/server/lib/inngest";
import { outcomeSubmitted } from "@/server/outcomes/events";
import { judgeWaiting } from "@/server/outcomes/judge-waiting";

const RETRIES = 5;

/**
 * Before the second, third and fourth try to fetch a deliverable: long enough for a restart at the
 * other end, short enough that its verdict comes within about a minute.
 */
const DOCUMENT_DELAYS = ["2s", "10s", "30s"] as const;

/**
 * Judges one outcome. What outlasts its retries (a long outage of the judge) is taken up again by
 * `resume-stalled-outcomes`, so an accepted outcome never ends without a verdict.
 */
export const judgeOutcome = (core: FunctionCore, judge: Judge) =>
  core.inngest.createFunction(
    {
      id: "judge-outcome",
      triggers: [outcomeSubmitted],
      retries: RETRIES,
      concurrency: { limit: core.env.JUDGE_CONCURRENCY },
    },
    async ({ event, step, attempt }) => {
      await step.run("judge", async () => {
        try {
          await judgeWaiting(core, judge, event.data.outcomeId, {
            lastFetch: attempt >= DOCUMENT_DELAYS.length,
            lastAttempt: attempt >= RETRIES,
          });
        } catch (error) {
          if (error instanceof JudgeUnavailable && error.retryAfterSeconds !== undefined) {
            throw new RetryAfterError(error.message, `${error.retryAfterSeconds}s`, {
              cause: error,
            });
          }
          const delay = DOCUMENT_DELAYS[attempt];
          if (error instanceof DocumentUnavailable && delay) {
            throw new RetryAfterError(error.message, delay, { cause: error });
          }
          throw error;
        }
      });
    },
  );
