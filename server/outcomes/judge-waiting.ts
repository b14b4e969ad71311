import { and, eq, isNull } from "drizzle-orm";
import type { Judge } from "@/server/judging/judge";
import { judgeSubject } from "@/server/judging/judge-subject";
import type { Core } from "@/server/lib/context";
import { outcomeJudged } from "./events";
import { judgeInputOf } from "./judge-input";
import { findOutcome } from "./queries";
import { outcomes } from "./tables";

/**
 * Judges an outcome and stores the verdict and its recording event in one transaction. Idempotent.
 * If `lastFetch` is set, a deliverable that can't be fetched is judged as unavailable.
 * `lastAttempt`: see `JudgeOptions`.
 *
 * Throws `JudgeUnavailable` or `DocumentUnavailable`, which leave the outcome unchanged and should
 * be retried.
 */
export async function judgeWaiting(
  core: Core,
  judge: Judge,
  outcomeId: string,
  { lastAttempt, lastFetch = lastAttempt }: { lastAttempt: boolean; lastFetch?: boolean },
): Promise<void> {
  const outcome = await findOutcome(core.db, outcomeId);
  if (!outcome || outcome.judgedAt !== null) return;
  const judgement = await judgeSubject(core, judge, {
    subjectId: outcomeId,
    input: await judgeInputOf(core, outcome, lastFetch),
    commitments: outcome,
    lastAttempt,
  });
  await core.db.transaction(async (tx) => {
    await tx
      .update(outcomes)
      .set({
        judgedAt: new Date(),
        verdict: judgement.verdict,
        confidencePpm: judgement.confidencePpm,
        reasoning: judgement.reasoning,
        judgeKind: judgement.judgeKind,
        judgeId: judgement.judgeId,
        evidence: judgement.evidence,
        evidenceHash: judgement.evidenceHash,
      })
      .where(and(eq(outcomes.id, outcomeId), isNull(outcomes.judgedAt)));
    await core.publish(tx, [
      { id: `outcome-judged:${outcomeId}`, name: outcomeJudged.name, data: { outcomeId } },
    ]);
  });
}
