import { and, eq, isNull } from "drizzle-orm";
import type { Judge } from "@/server/judging/judge";
import { judgeSubject } from "@/server/judging/judge-subject";
import type { Core } from "@/server/lib/context";
import { outcomeJudged } from "./events";
import { judgeInputOf } from "./judge-input";
import { findOutcome } from "./queries";
import { outcomes } from "./tables";

/**
 * Has an outcome judged and saves the verdict with the event that has it recorded. Doing it again
 * changes nothing. `lastFetch`: a deliverable that still cannot be fetched then counts as such.
 * `lastAttempt`: as in `JudgeOptions`.
 *
 * Throws `JudgeUnavailable` or `DocumentUnavailable`, both to be tried again; the outcome stays as it is.
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
