import { eq } from "drizzle-orm";
import type { Judge } from "@/server/judging/judge";
import { countSlowPermits } from "@/server/judging/model-client/call-queues";
import type { RequirementDecider } from "@/server/judging/requirements/requirement-decider";
import { defineFunction } from "@/server/lib/background-function";
import type { FunctionCore } from "@/server/lib/inngest";
import { outcomeUnanswered } from "@/server/outcomes/events";
import { judgeAndStoreOutcome } from "@/server/outcomes/judge-outcome";
import { outcomes } from "@/server/outcomes/tables";
import { limitJudgements } from "./judge-outcome";

/** Few, since each attempt may take several times `JUDGE_TIMEOUT_SECONDS`. */
const RETRIES = 2;

/**
 * Judges an outcome whose text the model did not answer, or answered slowly, with few others at a
 * time. The last attempt gives it a verdict if the model still answers only other texts; see
 * `JudgeOptions.lastAttempt`.
 */
export const judgeUnansweredOutcome = (
  core: FunctionCore,
  judge: Judge,
  decideRequirements: RequirementDecider,
) =>
  defineFunction(
    {
      id: "judge-unanswered-outcome",
      triggers: [outcomeUnanswered],
      retries: RETRIES,
      concurrency: limitJudgements(countSlowPermits(core.env.JUDGE_CONCURRENCY)),
    },
    async ({ event, step, attempt }) => {
      const { outcomeId } = event.data;
      const lastAttempt = attempt >= RETRIES;
      await step.run("judge", async () => {
        try {
          await judgeAndStoreOutcome(core, judge, outcomeId, {
            lastFetch: true,
            lastAttempt,
            decideRequirements,
            queue: "slow",
          });
        } catch (error) {
          // From now on, `resume-stalled-outcomes` requeues it.
          if (lastAttempt) {
            await core.db
              .update(outcomes)
              .set({ unansweredAt: null })
              .where(eq(outcomes.id, outcomeId));
          }
          throw error;
        }
      });
    },
  );
